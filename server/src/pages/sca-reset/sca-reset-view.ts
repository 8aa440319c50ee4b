/** The page of a reset, by the state of the reset. */
import type { ResetStatus } from '../../features/sca/index.ts'
import type { Environment } from '../../kernel/platform.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import type { HostedPage } from '../hosted-page.ts'
import { html, type Html } from '../html.ts'

export type ScaResetView = Readonly<{
  status: ResetStatus
  environment: Environment
  platformName: string
  serviceName: string
  /** The secret of the link, which forms send. */
  token: string
}>

export const LINK_NOT_FOUND: HostedPage = {
  status: 404,
  title: 'This link leads nowhere',
  body: html`<p>It is incomplete, or it was never given out. Ask for a new one.</p>`,
}

const badge = (text: string, kind: 'good' | 'bad' | 'plain' = 'plain'): Html =>
  html`<p class="badge ${kind}">${text}</p>`

type Ended = Readonly<{ title: string; badge: Html; says: (platform: string) => string }>

const LATER: Readonly<Record<Exclude<ResetStatus, 'INITIATED'>, Ended>> = {
  PENDING_REVIEW: {
    title: 'Your request is under review',
    badge: badge('Under review'),
    says: (platform) => `Nothing more to do here. ${platform} will tell you how it came out.`,
  },
  LIVENESS_PASSED: {
    title: 'You are recognised',
    badge: badge('Passed', 'good'),
    says: (platform) => `Go back to ${platform} to finish the reset.`,
  },
  COMPLETED: {
    title: 'The reset is complete',
    badge: badge('Complete', 'good'),
    says: (platform) => `You can close this page and go back to ${platform}.`,
  },
  REJECTED: {
    title: 'The reset was refused',
    badge: badge('Refused', 'bad'),
    says: (platform) => `Ask ${platform} what you can do.`,
  },
  EXPIRED: {
    title: 'This link has expired',
    badge: badge('Expired', 'bad'),
    says: (platform) => `Ask ${platform} for a new one.`,
  },
}

export function scaResetView(view: ScaResetView): HostedPage {
  const { status, platformName } = view
  if (status === 'INITIATED') return openView(view)
  const { title, badge: mark, says } = LATER[status]
  return {
    title,
    body: html`${mark}
      <p>${says(platformName)}</p>
      ${footer(view)}`,
  }
}

function openView(view: ScaResetView): HostedPage {
  const { environment, platformName, serviceName, token } = view
  const { decidesByItself } = traitsOf({ environment })
  const to = `sca-reset/submit?token=${encodeURIComponent(token)}`
  return {
    title: 'Confirm that it is you',
    body: decidesByItself
      ? html`${badge('Sandbox')}
          <p>
            No camera is used here: the check is handed in and decided by itself within ten seconds.
          </p>
          ${footer(view)}`
      : html`<p>
            ${platformName} was asked to reset a way in which you prove who you are. ${serviceName}
            will confirm with you in person that it was you who asked. If it was not, close this
            page.
          </p>
          <form method="post">
            <button class="main" formaction="${to}">Ask for the check</button>
          </form>
          ${footer(view)}`,
  }
}

const footer = ({ serviceName }: ScaResetView): Html =>
  html`<p class="small">A service of ${serviceName}. Confirming moves no money.</p>`
