/** The page of a liveness check, by the state of the check. */
import type { Environment } from '../../kernel/platform.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import { livenessActions } from '../../features/external-accounts/index.ts'
import type { LivenessAction, LivenessState } from '../../features/external-accounts/index.ts'
import type { HostedPage } from '../hosted-page.ts'
import { html, type Html } from '../html.ts'

export type LivenessView = Readonly<{
  state: LivenessState
  environment: Environment
  platformName: string
  serviceName: string
  /** Undefined once the account is deleted. */
  address: string | undefined
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

const ENDED: Readonly<
  Record<
    Exclude<LivenessState, 'OPEN'>,
    Readonly<{ title: string; badge: Html; says: (platform: string) => string }>
  >
> = {
  SUBMITTED: {
    title: 'Your check is under review',
    badge: badge('Under review'),
    says: (platform) => `Nothing more to do here. ${platform} will tell you how it came out.`,
  },
  PASSED: {
    title: 'The wallet is confirmed as yours',
    badge: badge('Passed', 'good'),
    says: (platform) => `You can close this page and go back to ${platform}.`,
  },
  FAILED: {
    title: 'The check did not succeed',
    badge: badge('Not passed', 'bad'),
    says: (platform) => `Ask ${platform} for a new link to try again.`,
  },
  EXPIRED: {
    title: 'This link has expired',
    badge: badge('Expired', 'bad'),
    says: (platform) => `Ask ${platform} for a new one.`,
  },
  REPLACED: {
    title: 'This link is no longer in use',
    badge: badge('Ended'),
    says: (platform) => `${platform} has asked for another proof, or no longer needs one.`,
  },
}

export function livenessView(view: LivenessView): HostedPage {
  const { state, platformName } = view
  if (state === 'OPEN') return openView(view)
  const { title, badge, says } = ENDED[state]
  return {
    title,
    body: html`${badge}${facts(view)}
      <p>${says(platformName)}</p>
      ${footer(view)}`,
  }
}

function openView(view: LivenessView): HostedPage {
  const { environment, platformName, serviceName } = view
  const { decidesByItself, isMarkedAsTest } = traitsOf({ environment })
  const what = decidesByItself
    ? 'No camera is used here: choose how the check ends. Without a choice it passes by itself after 30 seconds.'
    : `${serviceName} will confirm with you in person that the wallet is yours, and ${platformName} will tell you how it came out.`
  return {
    title: 'Confirm that this wallet is yours',
    body: html`${isMarkedAsTest ? badge('Sandbox') : ''}${facts(view)}
      <p>${what}</p>
      <form method="post">
        ${livenessActions(environment).map((action) => button(action, view))}
      </form>
      ${footer(view)}`,
  }
}

const BUTTONS: Readonly<Record<LivenessAction, Readonly<{ label: string; kind: string }>>> = {
  pass: { label: 'Pass the check', kind: 'main' },
  fail: { label: 'Fail the check', kind: 'other' },
  submit: { label: 'Ask for the check', kind: 'main' },
}

/** The address is relative to the page, so that it works below a proxy's prefix. */
function button(action: LivenessAction, { token }: LivenessView): Html {
  const { label, kind } = BUTTONS[action]
  const to = `liveness/${action}?token=${encodeURIComponent(token)}`
  return html`<button class="${kind}" formaction="${to}">${label}</button>`
}

function facts({ platformName, address }: LivenessView): Html {
  const wallet =
    address === undefined
      ? ''
      : html`<dt>Wallet</dt>
          <dd><code>${address}</code></dd>`
  return html`<dl>
    <dt>Asked for by</dt>
    <dd>${platformName}</dd>
    ${wallet}
  </dl>`
}

const footer = ({ serviceName }: LivenessView): Html =>
  html`<p class="small">A service of ${serviceName}. Confirming moves no money.</p>`
