/** Pages without a form: submitted, decided, or a link that is used, expired or unknown. */
import type { CustomerStatus, CustomerType } from '../../features/customers/index.ts'
import type { HostedSubmission } from '../../features/verifications/index.ts'
import type { HostedPage } from '../hosted-page.ts'
import { html, type Html } from '../html.ts'
import { FLOW_DRESSING, headerView, linkTo, type Frame } from './flow-page.ts'

type Outcome = 'APPROVED' | 'REJECTED' | 'UNDER_REVIEW'

const OUTCOMES: Readonly<
  Record<
    Outcome,
    Readonly<{
      title: Readonly<Record<CustomerType, string>>
      kind: string
      badge: string
      says: (platform: string) => string
    }>
  >
> = {
  APPROVED: {
    title: { INDIVIDUAL: 'You are verified', BUSINESS: 'Your business is verified' },
    kind: 'good',
    badge: 'Verified',
    says: (platform) => `There is nothing more to do here; you can go back to ${platform}.`,
  },
  REJECTED: {
    title: {
      INDIVIDUAL: 'You could not be verified',
      BUSINESS: 'Your business could not be verified',
    },
    kind: 'bad',
    badge: 'Not verified',
    says: (platform) => `There is nothing more to do here. Ask ${platform} what you can do.`,
  },
  UNDER_REVIEW: {
    title: {
      INDIVIDUAL: 'Thank you, we have everything',
      BUSINESS: 'Thank you, we have everything',
    },
    kind: 'plain',
    badge: 'Under review',
    says: (platform) => `We are looking at it now. ${platform} will tell you how it came out.`,
  },
}

const outcomeOf = (status: CustomerStatus | HostedSubmission['verificationStatus']): Outcome =>
  status === 'APPROVED' || status === 'REJECTED' ? status : 'UNDER_REVIEW'

const badgeView = (outcome: Outcome): Html =>
  html`<p class="badge ${OUTCOMES[outcome].kind}">${OUTCOMES[outcome].badge}</p>`

/** Under review and after a decision nothing is required; the link can still be closed (KYC-28). */
export function settledView(frame: Frame): HostedPage {
  const { customer, platform, link } = frame.applicant
  const outcome = outcomeOf(customer.status)
  const { title, says } = OUTCOMES[outcome]
  return {
    title: title[customer.customerType],
    assets: FLOW_DRESSING,
    above: headerView(frame),
    body: html`${badgeView(outcome)}
      <p>${says(platform.name)}</p>
      <form method="post" action="${linkTo(frame, '/finish')}">
        <button class="main">
          ${link.redirectUri === null ? 'Finish' : `Back to ${platform.name}`}
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
  const outcome = outcomeOf(verificationStatus)
  const { title, says } = OUTCOMES[outcome]
  const { platform, customer } = frame.applicant
  const common = {
    title: title[customer.customerType],
    assets: FLOW_DRESSING,
    above: headerView(frame),
  }
  if (redirectUri === undefined) {
    return {
      ...common,
      body: html`${badgeView(outcome)}
        <p>${says(platform.name)} You can close this page.</p>`,
    }
  }
  return {
    ...common,
    head: html`<meta http-equiv="refresh" content="0; url=${redirectUri}" />`,
    body: html`${badgeView(outcome)}
      <p>You are being taken back to ${platform.name}.</p>
      <p><a class="button main" href="${redirectUri}">Continue to ${platform.name}</a></p>`,
  }
}

const notice = (
  status: number,
  { title, says }: Readonly<{ title: string; says: string }>,
): HostedPage => ({ status, title, assets: FLOW_DRESSING, body: html`<p>${says}</p>` })

export const LINK_NOT_FOUND = notice(404, {
  title: 'This link leads nowhere',
  says: 'It is incomplete, or it was never given out. Ask for a new one.',
})

export const LINK_EXPIRED = notice(410, {
  title: 'This link has expired',
  says: 'Ask the company that sent it to you for a new one. What you have saved is kept: with a new link you go on where you left.',
})

export const LINK_USED = notice(410, {
  title: 'You have finished here',
  says: 'This link was used to hand in your verification. There is nothing more to do: the company that sent it to you will tell you how it came out.',
})

export const TOO_FAST = notice(429, {
  title: 'One moment, please',
  says: 'This page was opened very often within a minute. Wait a moment, then reload it. What you have saved is kept.',
})

export const FROM_ELSEWHERE = notice(403, {
  title: 'This was not sent from here',
  says: 'What was just sent came from another website and was not taken. Open your link again.',
})

export const NOT_POSSIBLE = notice(409, {
  title: 'This cannot be changed now',
  says: 'Your verification was handed in meanwhile, perhaps in another window. Open your link again to see how it stands.',
})
