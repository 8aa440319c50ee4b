/** The page of a reset, by the state of the reset. */
import type { ResetStatus } from '../../features/sca/index.ts'
import type { Environment } from '../../kernel/platform.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import type { Brand } from '../branding/brand.ts'
import type { HostedPage } from '../hosted-page.ts'
import { badgeView } from '../badge.ts'
import { html, type Html } from '../html.ts'
import type { Locale } from '../language/locale.ts'

export type ScaResetView = Readonly<{
  status: ResetStatus
  environment: Environment
  brand: Brand
  serviceName: string
  /** The secret of the link, which forms send. */
  token: string
}>

export const linkNotFound = ({ say }: Locale): HostedPage => ({
  status: 404,
  title: say('link.unknown'),
  body: html`<p>${say('link.unknown.text')}</p>`,
})

const LATER = {
  PENDING_REVIEW: {
    title: 'reset.review',
    badge: 'badge.review',
    kind: 'plain',
    says: 'will.tell',
  },
  LIVENESS_PASSED: {
    title: 'reset.recognised',
    badge: 'badge.passed',
    kind: 'good',
    says: 'reset.recognised.text',
  },
  COMPLETED: {
    title: 'reset.complete',
    badge: 'badge.complete',
    kind: 'good',
    says: 'close.back',
  },
  REJECTED: { title: 'reset.refused', badge: 'badge.refused', kind: 'bad', says: 'ask.can' },
  EXPIRED: { title: 'link.expired', badge: 'badge.expired', kind: 'bad', says: 'ask.new' },
} as const satisfies Record<Exclude<ResetStatus, 'INITIATED'>, object>

export function scaResetView(locale: Locale, view: ScaResetView): HostedPage {
  const { status, brand } = view
  if (status === 'INITIATED') return openView(locale, view)
  const { title, badge, kind, says } = LATER[status]
  return {
    title: locale.say(title),
    brand,
    body: html`${badgeView(locale.say(badge), kind)}
      <p>${locale.say(says, { platform: brand.name })}</p>
      ${footer(locale, view)}`,
  }
}

function openView(locale: Locale, view: ScaResetView): HostedPage {
  const { environment, brand, serviceName: service, token } = view
  const { say, keep } = locale
  const { decidesByItself } = traitsOf({ environment })
  const to = keep(`sca-reset/submit?token=${encodeURIComponent(token)}`)
  return {
    title: say('reset.title'),
    brand,
    body: decidesByItself
      ? html`${badgeView(say('sandbox'))}
          <p>${say('reset.sandbox')}</p>
          ${footer(locale, view)}`
      : html`<p>${say('reset.person', { platform: brand.name, service })}</p>
          <form method="post">
            <button class="main" formaction="${to}">${say('ask.check')}</button>
          </form>
          ${footer(locale, view)}`,
  }
}

const footer = ({ say }: Locale, { serviceName: service }: ScaResetView): Html =>
  html`<p class="small">${say('service', { service })} ${say('moves.confirm')}</p>`
