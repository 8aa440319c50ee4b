/** What any page of ours must hold, measured in the browser. For the pages' tests. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

const CONTRAST_MIN = 4.5
const LARGE_CONTRAST_MIN = 3

type Look = Readonly<{
  viewport: Readonly<{ width: number; height: number }>
  colorScheme: 'light' | 'dark'
}>

export const DESK: Look = { viewport: { width: 1280, height: 860 }, colorScheme: 'light' }
export const PHONE: Look = { viewport: { width: 390, height: 780 }, colorScheme: 'dark' }

/** Nothing sticks out, everything can be read and has a name, as the page is shown now. */
export async function mustBeSound(page: Page, where = page.url()): Promise<void> {
  const { overflow, contrast, names } = await look(page)
  assert.deepEqual({ overflow, contrast, names }, NO_PROBLEMS, where)
}

/**
 * The same on a desk in light colors and on a phone in dark ones. The page stays as it was looked at last, so that a
 * journey with several stops is walked at both widths.
 */
export async function mustBeSoundOnBoth(page: Page): Promise<void> {
  const isPhone = page.viewportSize()?.width === PHONE.viewport.width
  for (const { viewport, colorScheme } of isPhone ? [PHONE, DESK] : [DESK, PHONE]) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    const shown = { width: viewport.width, colorScheme }
    assert.deepEqual(await look(page), { ...NO_PROBLEMS, ...shown }, page.url())
  }
}

const NO_PROBLEMS = { overflow: [], contrast: [], names: [] }

type Seen = typeof NO_PROBLEMS & Pick<Look, 'colorScheme'> & { width: number }

/** One question to the browser instead of three; and whether the page is shown as it should be. */
const look = (page: Page): Promise<Seen> =>
  page.evaluate(`({
    width: innerWidth,
    colorScheme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
    overflow: ${OVERFLOW},
    contrast: ${CONTRAST},
    names: ${NAMES},
  })`)

/** Elements that stick out at the right; empty when the page does not scroll sideways. */
export const overflow = (page: Page): Promise<string[]> => page.evaluate(OVERFLOW)

/** WCAG 2.2 AA, 1.4.3: visible text whose contrast to what lies behind it is too small. */
export const contrastProblems = (page: Page): Promise<string[]> => page.evaluate(CONTRAST)

/** Controls a screen reader could not name, repeated ids, more than one main heading. */
export const nameProblems = (page: Page): Promise<string[]> => page.evaluate(NAMES)

const OVERFLOW = `(() => {
  const width = document.documentElement.clientWidth
  if (document.documentElement.scrollWidth <= width) return []
  return [...document.body.querySelectorAll('*')]
    .filter((element) => element.getBoundingClientRect().right > width + 1)
    .map((element) => element.outerHTML.slice(0, 120))
})()`

const CONTRAST = `(() => {
  const parse = (color) => {
    const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number)
    return { r, g, b, a }
  }
  const over = (top, below) => ({
    r: top.r * top.a + below.r * (1 - top.a),
    g: top.g * top.a + below.g * (1 - top.a),
    b: top.b * top.a + below.b * (1 - top.a),
    a: 1,
  })
  const known = new Map([[null, { r: 255, g: 255, b: 255, a: 1 }]])
  const backdrop = (element) => {
    const found = known.get(element)
    if (found) return found
    const own = parse(getComputedStyle(element).backgroundColor)
    const behind = own.a === 1 ? own : over(own, backdrop(element.parentElement))
    known.set(element, behind)
    return behind
  }
  const channel = (value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }
  const luminance = ({ r, g, b }) =>
    0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)
  const ratio = (one, other) => {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
    return (light + 0.05) / (dark + 0.05)
  }
  const problems = []
  for (const element of document.body.querySelectorAll('*')) {
    const text = [...element.childNodes]
      .filter((node) => node.nodeType === 3)
      .map((node) => node.textContent.trim())
      .join('')
    if (!text || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    if (element.closest('.visually-hidden, option, :disabled')) continue
    const style = getComputedStyle(element)
    const behind = backdrop(element)
    const contrast = ratio(over(parse(style.color), behind), behind)
    const size = parseFloat(style.fontSize)
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
    if (contrast < (isLarge ? ${LARGE_CONTRAST_MIN} : ${CONTRAST_MIN})) {
      problems.push(text.slice(0, 40) + ' ' + contrast.toFixed(2))
    }
  }
  return problems
})()`

const NAMES = `(() => {
  const problems = []
  const nameOf = (element) =>
    element.getAttribute('aria-label') ||
    document.getElementById(element.getAttribute('aria-labelledby'))?.textContent ||
    [...(element.labels ?? [])].map((label) => label.textContent).join(' ') ||
    element.textContent
  for (const control of document.querySelectorAll('button, a, input:not([type=hidden]), select, textarea, summary')) {
    const isField = control.matches('input, select, textarea')
    const name = isField && !control.labels.length ? control.getAttribute('aria-label') : nameOf(control)
    if (!name?.trim()) problems.push('unnamed ' + control.outerHTML.slice(0, 80))
  }
  const ids = [...document.querySelectorAll('[id]')].map((element) => element.id)
  for (const id of new Set(ids)) {
    if (ids.indexOf(id) !== ids.lastIndexOf(id)) problems.push('repeated id ' + id)
  }
  if (document.querySelectorAll('h1').length !== 1) problems.push('not one main heading')
  for (const landmark of ['header', 'nav', 'main']) {
    if (!document.querySelector(landmark)) problems.push('no ' + landmark)
  }
  if (!document.documentElement.lang) problems.push('no language')
  return problems
})()`
