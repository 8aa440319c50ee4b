/** Pages without a form: submitted, decided, or a link that is used, expired or unknown. */
import type { CustomerStatus } from '../../features/customers/index.ts'
import type { HostedSubmission } from '../../features/verifications/index.ts'
import type { ErrorCode } from '../../kernel/errors.ts'
import type { HostedPage } from '../hosted-page.ts'
import { html, type Html } from '../html.ts'
import type { PlainKey } from '../language/text-keys.ts'
import type { Locale } from '../language/locale.ts'
import { FLOW_DRESSING, headerView, linkTo, type Frame } from './flow-page.ts'

type Outcome = 'APPROVED' | 'REJECTED' | 'UNDER_REVIEW'

const OUTCOMES = {
  APPROVED: {
    title: { INDIVIDUAL: 'outcome.verified', BUSINESS: 'outcome.verified.business' },
    kind: 'good',
    badge: 'badge.verified',
    says: 'outcome.verified.text',
  },
  REJECTED: {
    title: { INDIVIDUAL: 'outcome.rejected', BUSINESS: 'outcome.rejected.business' },
    kind: 'bad',
    badge: 'badge.notVerified',
    says: 'outcome.rejected.text',
  },
  UNDER_REVIEW: {
    title: { INDIVIDUAL: 'outcome.review', BUSINESS: 'outcome.review' },
    kind: 'plain',
    badge: 'badge.review',
    says: 'outcome.review.text',
  },
} as const satisfies Record<Outcome, object>

const outcomeOf = (status: CustomerStatus | HostedSubmission['verificationStatus']): Outcome =>
  status === 'APPROVED' || status === 'REJECTED' ? status : 'UNDER_REVIEW'

const badgeView = ({ say }: Locale, outcome: Outcome): Html =>
  html`<p class="badge ${OUTCOMES[outcome].kind}">${say(OUTCOMES[outcome].badge)}</p>`

const frameOf = (frame: Frame, outcome: Outcome) => ({
  title: frame.locale.say(OUTCOMES[outcome].title[frame.applicant.customer.customerType]),
  assets: FLOW_DRESSING,
  brand: frame.brand,
  above: headerView(frame),
})

/** Under review and after a decision nothing is required; the link can still be closed (KYC-28). */
export function settledView(frame: Frame): HostedPage {
  const { locale } = frame
  const { customer, link } = frame.applicant
  const platform = frame.brand.name
  const outcome = outcomeOf(customer.status)
  const leave = link.redirectUri === null ? 'outcome.finish' : 'outcome.backTo'
  return {
    ...frameOf(frame, outcome),
    body: html`${badgeView(locale, outcome)}
      <p>${locale.say(OUTCOMES[outcome].says, { platform })}</p>
      <form method="post" action="${linkTo(frame, '/finish')}">
        <button class="main">
          ${leave === 'outcome.finish' ? locale.say(leave) : locale.say(leave, { platform })}
        </button>
      </form>`,
  }
}

/**
 * The submission spends the link, so the result is shown in its answer. With a redirect address the page leads there at
 * once (KYC-26); it is no HTTP redirect, since browsers apply the form page's policy to a redirect after a form.
 */
export function finishedView(
  frame: Frame,
  { verificationStatus, redirectUri }: HostedSubmission,
): HostedPage {
  const { locale } = frame
  const outcome = outcomeOf(verificationStatus)
  const platform = frame.brand.name
  const common = frameOf(frame, outcome)
  if (redirectUri === undefined) {
    return {
      ...common,
      body: html`${badgeView(locale, outcome)}
        <p>${locale.say(OUTCOMES[outcome].says, { platform })} ${locale.say('outcome.close')}</p>`,
    }
  }
  return {
    ...common,
    head: html`<meta http-equiv="refresh" content="0; url=${redirectUri}" />`,
    body: html`${badgeView(locale, outcome)}
      <p>${locale.say('outcome.taken', { platform })}</p>
      <p>
        <a class="button main" href="${redirectUri}"
          >${locale.say('outcome.continue', { platform })}</a
        >
      </p>`,
  }
}

type Notice = Readonly<{ status: number; title: PlainKey; says: PlainKey }>

const NOTICES: Readonly<Partial<Record<ErrorCode, Notice>>> = {
  KYC_LINK_NOT_FOUND: { status: 404, title: 'link.unknown', says: 'link.unknown.text' },
  KYC_LINK_EXPIRED: { status: 410, title: 'link.expired', says: 'notice.expired' },
  KYC_LINK_USED: { status: 410, title: 'notice.used', says: 'notice.used.text' },
  RATE_LIMITED: { status: 429, title: 'notice.fast', says: 'notice.fast.text' },
  FORBIDDEN: { status: 403, title: 'notice.elsewhere', says: 'notice.elsewhere.text' },
  CONFLICT: { status: 409, title: 'notice.changed', says: 'notice.changed.text' },
}

/** The page of a refusal; undefined for one that has none. */
export function noticeView({ say }: Locale, code: ErrorCode): HostedPage | undefined {
  const notice = NOTICES[code]
  return (
    notice && {
      status: notice.status,
      title: say(notice.title),
      assets: FLOW_DRESSING,
      body: html`<p>${say(notice.says)}</p>`,
    }
  )
}
