import type { Settings } from '../infra/settings/settings.ts'
import { oidcClientOf } from '../operator/sign-in/oidc/issuer.ts'
import { html, type Html } from '../pages/html.ts'

type Way = Readonly<{
  isAgain?: boolean
  /** This page is still needed. */
  isInOtherTab?: boolean
}>

/** How somebody comes in here: at the issuer, by a link, or by an invitation. */
export function waysToSignIn(
  settings: Settings,
  { isAgain = false, isInOtherTab = false }: Way = {},
): Html {
  const issuer = oidcClientOf(settings)?.issuer
  const hasLinks = settings.operatorLinks === 'on'
  return html`${issuer === undefined ? '' : issuerButton(issuer, { isAgain, isInOtherTab })}
  ${hasLinks ? linkText(issuer !== undefined) : ''}
  ${issuer === undefined && !hasLinks ? NEITHER : ''}`
}

const issuerButton = (issuer: string, { isAgain, isInOtherTab }: Required<Way>): Html =>
  html`<p>
    <a
      class="button good"
      href="/sign-in/oidc${isAgain ? '?again' : ''}"
      ${isInOtherTab ? html`target="_blank"` : ''}
      >Sign in with ${URL.parse(issuer)?.host ?? issuer}</a
    >
  </p>`

const linkText = (isSecondWay: boolean): Html =>
  html`<p>${isSecondWay ? 'Or by' : 'Signing in takes'} a link, which works once:</p>
    <pre><code>npx florin dashboard link --name you</code></pre>
    <p class="small">
      Run it where the service runs, and open the address that it prints in this browser.
    </p>`

const NEITHER = html`<p>Links are turned off here. An administrator’s invitation signs you in.</p>`
