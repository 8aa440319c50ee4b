/** The page of a liveness check, by the state of the check. */
import type { Environment } from '../../kernel/platform.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import { livenessActions } from '../../features/external-accounts/index.ts'
import type { LivenessAction, LivenessState } from '../../features/external-accounts/index.ts'
import type { Brand } from '../branding/brand.ts'
import type { HostedPage } from '../hosted-page.ts'
import { badgeView } from '../badge.ts'
import { html, type Html } from '../html.ts'
import type { PlainKey } from '../language/text-keys.ts'
import { phoneView } from '../phone/phone-view.ts'
import type { Locale } from '../language/locale.ts'

export type LivenessView = Readonly<{
  state: LivenessState
  environment: Environment
  brand: Brand
  serviceName: string
  publicUrl: string
  /** Undefined once the account is deleted. */
  address: string | undefined
  /** The secret of the link, which forms send. */
  token: string
}>

export const linkNotFound = ({ say }: Locale): HostedPage => ({
  status: 404,
  title: say('link.unknown'),
  body: html`<p>${say('link.unknown.text')}</p>`,
})

const ENDED = {
  SUBMITTED: {
    title: 'liveness.submitted',
    badge: 'badge.review',
    kind: 'plain',
    says: 'will.tell',
  },
  PASSED: { title: 'liveness.passed', badge: 'badge.passed', kind: 'good', says: 'close.back' },
  FAILED: {
    title: 'liveness.failed',
    badge: 'badge.notPassed',
    kind: 'bad',
    says: 'liveness.failed.text',
  },
  EXPIRED: { title: 'link.expired', badge: 'badge.expired', kind: 'bad', says: 'ask.new' },
  REPLACED: {
    title: 'liveness.replaced',
    badge: 'badge.ended',
    kind: 'plain',
    says: 'liveness.replaced.text',
  },
} as const satisfies Record<Exclude<LivenessState, 'OPEN'>, object>

export function livenessView(locale: Locale, view: LivenessView): HostedPage {
  const { state, brand } = view
  const platform = brand.name
  if (state === 'OPEN') return openView(locale, view)
  const { title, badge, kind, says } = ENDED[state]
  return {
    title: locale.say(title),
    brand,
    body: html`${badgeView(locale.say(badge), kind)}${facts(locale, view)}
      <p>${locale.say(says, { platform })}</p>
      ${footer(locale, view)}`,
  }
}

function openView(locale: Locale, view: LivenessView): HostedPage {
  const { environment, brand, serviceName: service } = view
  const platform = brand.name
  const { say } = locale
  const { decidesByItself, isMarkedAsTest } = traitsOf({ environment })
  const what = decidesByItself
    ? say('liveness.sandbox')
    : say('liveness.person', { service, platform })
  return {
    title: say('liveness.title'),
    brand,
    body: html`${isMarkedAsTest ? badgeView(say('sandbox')) : ''}${facts(locale, view)}
      <p>${what}</p>
      ${handOver(locale, view)}
      <form method="post">
        ${livenessActions(environment).map((action) => button(locale, action, view))}
      </form>
      ${footer(locale, view)}`,
  }
}

/** A phone has a camera. */
function handOver(locale: Locale, { token, publicUrl }: LivenessView): Html {
  const reload = locale.keep(`?token=${encodeURIComponent(token)}`)
  return phoneView(locale, { link: `${publicUrl}/liveness${reload}`, reload })
}

const BUTTONS: Readonly<Record<LivenessAction, Readonly<{ label: PlainKey; kind: string }>>> = {
  pass: { label: 'liveness.pass', kind: 'main' },
  fail: { label: 'liveness.fail', kind: 'other' },
  submit: { label: 'ask.check', kind: 'main' },
}

/** The address is relative to the page, so that it works below a proxy's prefix. */
function button(locale: Locale, action: LivenessAction, { token }: LivenessView): Html {
  const { label, kind } = BUTTONS[action]
  const to = locale.keep(`liveness/${action}?token=${encodeURIComponent(token)}`)
  return html`<button class="${kind}" formaction="${to}">${locale.say(label)}</button>`
}

function facts({ say }: Locale, { brand, address }: LivenessView): Html {
  const wallet =
    address === undefined
      ? ''
      : html`<dt>${say('liveness.wallet')}</dt>
          <dd><code>${address}</code></dd>`
  return html`<dl>
    <dt>${say('liveness.by')}</dt>
    <dd>${brand.name}</dd>
    ${wallet}
  </dl>`
}

const footer = ({ say }: Locale, { serviceName: service }: LivenessView): Html =>
  html`<p class="small">${say('service', { service })} ${say('moves.confirm')}</p>`
