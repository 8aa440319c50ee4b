/** The frame of every page of the flow: the platform, the progress, the link's expiry. */
import { readFileSync } from 'node:fs'
import { traitsOf } from '../../kernel/platform-traits.ts'
import type { Brand } from '../branding/brand.ts'
import { pageAssets, type HostedPage } from '../hosted-page.ts'
import { html, type Html } from '../html.ts'
import { timeText } from '../language/format.ts'
import type { Locale } from '../language/locale.ts'
import type { Applicant } from './applicant.ts'
import { stepsOf, type StepName } from './steps.ts'

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

export const FLOW_DRESSING = pageAssets({
  style: read('verification.css'),
  script: read('verification.js'),
})

/**
 * The context of a page. Addresses are relative, so that they work below a proxy's prefix; `up` leads from the page to
 * the folder of the links.
 */
export type Frame = Readonly<{
  applicant: Applicant
  brand: Brand
  serviceName: string
  publicUrl: string
  locale: Locale
  up: '' | '../'
}>

/** The address of a step or of a form's action. */
export const linkTo = ({ applicant, up, locale }: Frame, to = ''): string =>
  locale.keep(addressOf({ applicant, up }, to))

const addressOf = ({ applicant, up }: Pick<Frame, 'applicant' | 'up'>, to: string): string =>
  `${up}${encodeURIComponent(applicant.token)}${to}`

export type FlowPage = Readonly<{
  step: StepName
  title: string
  status?: number
  body: Html
}>

export function flowPage(frame: Frame, { step, title, status = 200, body }: FlowPage): HostedPage {
  const { applicant, brand, locale, up } = frame
  const steps = stepsOf(applicant)
  const at = String(steps.findIndex(({ name }) => name === step) + 1)
  const { name: platform } = brand
  const count = String(steps.length)
  const named = locale.say('flow.window', { title, at, count, platform })
  return {
    status,
    title,
    windowTitle: status < 400 ? named : `${locale.say('flow.error')} ${named}`,
    layout: 'flow',
    assets: FLOW_DRESSING,
    brand,
    // What was typed is not in the address, so an answer to a form leads to its step.
    ...(up && { self: addressOf(frame, `?step=${step}`) }),
    above: html`${headerView(frame)}${navigationView(frame, step)}`,
    body: html`${body}${footerView(frame)}`,
  }
}

export function headerView({ applicant, brand, locale }: Frame): Html {
  const badge = traitsOf(applicant.platform).isMarkedAsTest
    ? html`<span class="badge">${locale.say('sandbox')}</span>`
    : ''
  const name = html`<strong>${brand.name}</strong>`
  return html`<header>
    <p>${locale.sayHtml('flow.for', { platform: name })}</p>
    ${badge}
  </header>`
}

function navigationView(frame: Frame, current: StepName): Html {
  const { say } = frame.locale
  const items = stepsOf(frame.applicant).map(({ name, isDone }, index) => {
    const mark = html`<span class="mark" aria-hidden="true"
      >${isDone ? '✓' : String(index + 1)}</span
    >`
    const said = isDone ? html`<span class="visually-hidden"> ${say('flow.done')}</span>` : ''
    const isCurrent = name === current ? html` aria-current="step"` : ''
    return html`<li class="${isDone ? 'done' : 'open'}">
      <a href="${linkTo(frame, `?step=${name}`)}" ${isCurrent}
        >${mark}<span class="label">${say(`step.${name}`)}</span>${said}</a
      >
    </li>`
  })
  return html`<nav aria-label="${say('flow.steps')}">
    <ol>
      ${items}
    </ol>
  </nav>`
}

function footerView({ applicant, serviceName, locale: { say, language } }: Frame): Html {
  const until = timeText(language, applicant.link.expiresAt)
  return html`<p class="small">
    ${say('flow.kept', { until })} ${say('service', { service: serviceName })}
  </p>`
}
