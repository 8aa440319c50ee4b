/** The frame of every page of the flow: the platform, the progress, the link's expiry. */
import { readFileSync } from 'node:fs'
import { traitsOf } from '../../kernel/platform-traits.ts'
import { pageAssets, type HostedPage } from '../hosted-page.ts'
import { html, type Html } from '../html.ts'
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
export type Frame = Readonly<{ applicant: Applicant; serviceName: string; up: '' | '../' }>

/** The address of a step or of a form's action. */
export const linkTo = ({ applicant, up }: Frame, to = ''): string =>
  `${up}${encodeURIComponent(applicant.token)}${to}`

export type FlowPage = Readonly<{
  step: StepName
  title: string
  status?: number
  body: Html
}>

export function flowPage(frame: Frame, { step, title, status = 200, body }: FlowPage): HostedPage {
  const { platform } = frame.applicant
  const steps = stepsOf(frame.applicant)
  const at = steps.findIndex(({ name }) => name === step) + 1
  const place = `step ${at} of ${steps.length}`
  return {
    status,
    title,
    windowTitle: `${status < 400 ? '' : 'Error: '}${title} (${place}), ${platform.name}`,
    layout: 'flow',
    assets: FLOW_DRESSING,
    above: html`${headerView(frame)}${navigationView(frame, step)}`,
    body: html`${body}${footerView(frame)}`,
  }
}

export function headerView({ applicant }: Pick<Frame, 'applicant'>): Html {
  const { platform } = applicant
  const badge = traitsOf(platform).isMarkedAsTest ? html`<span class="badge">Sandbox</span>` : ''
  return html`<header>
    <p>Verification for <strong>${platform.name}</strong></p>
    ${badge}
  </header>`
}

function navigationView(frame: Frame, current: StepName): Html {
  const items = stepsOf(frame.applicant).map(({ name, label, isDone }, index) => {
    const mark = html`<span class="mark" aria-hidden="true"
      >${isDone ? '✓' : String(index + 1)}</span
    >`
    const said = isDone ? html`<span class="visually-hidden"> (done)</span>` : ''
    const isCurrent = name === current ? html` aria-current="step"` : ''
    return html`<li class="${isDone ? 'done' : 'open'}">
      <a href="${linkTo(frame, `?step=${name}`)}" ${isCurrent}
        >${mark}<span class="label">${label}</span>${said}</a
      >
    </li>`
  })
  return html`<nav aria-label="Steps">
    <ol>
      ${items}
    </ol>
  </nav>`
}

const untilFormat = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  timeZone: 'UTC',
})

const footerView = ({ applicant, serviceName }: Frame): Html =>
  html`<p class="small">
    What you save is kept: you can close this page and come back to the same link until
    ${untilFormat.format(applicant.link.expiresAt)} UTC. Your numbers and documents are stored
    encrypted. A service of ${serviceName}.
  </p>`
