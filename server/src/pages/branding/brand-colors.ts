/** A platform's color on hosted pages, moved until text can be read on it and in it (OPER-196). Pure. */

type Rgb = readonly [red: number, green: number, blue: number]

const BLACK: Rgb = [0, 0, 0]
const WHITE: Rgb = [255, 255, 255]

/** Backgrounds that links are read on, by the page's style: the page, the card and what is set off on it. */
const BACKGROUNDS = {
  light: ['#f4f6f9', '#ffffff', '#eef1f5'].map(rgbOf),
  dark: ['#0e131c', '#151c28', '#1f2938'].map(rgbOf),
}

/** WCAG 2.2 AA for text of any size. */
const CONTRAST_MIN = 4.5
const STEPS = 50

function rgbOf(hex: string): Rgb {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16))
  return [red, green, blue]
}

const hexOf = (color: Rgb): string =>
  `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const mixed = (color: Rgb, into: Rgb, part: number): Rgb => {
  const at = (n: 0 | 1 | 2): number => Math.round(color[n] + (into[n] - color[n]) * part)
  return [at(0), at(1), at(2)]
}

type Accent = Readonly<{ accent: string; onAccent: string }>

/** The nearest color towards black or white that is readable on all backgrounds. */
function accentOn(color: Rgb, backgrounds: readonly Rgb[], towards: Rgb): Accent {
  const isReadable = (one: Rgb): boolean =>
    backgrounds.every((background) => contrast(one, background) >= CONTRAST_MIN)
  const steps = Array.from({ length: STEPS + 1 }, (_, step) => mixed(color, towards, step / STEPS))
  const accent = steps.find(isReadable) ?? towards
  const onAccent = contrast(accent, WHITE) >= contrast(accent, BLACK) ? WHITE : BLACK
  return { accent: hexOf(accent), onAccent: hexOf(onAccent) }
}

export const accentsOf = (color: string) => ({
  light: accentOn(rgbOf(color), BACKGROUNDS.light, BLACK),
  dark: accentOn(rgbOf(color), BACKGROUNDS.dark, WHITE),
})
