import { currencyOf } from '../../kernel/money/currency.ts'
import { toWireDate } from '../../kernel/clock.ts'
import type { Invitation } from '../../features/invitations/index.ts'
import type { UmaProviderBody } from '../../features/uma/index.ts'
import type { HostedPage } from '../hosted-page.ts'
import { html, type Html } from '../html.ts'

export type InvitationView = Readonly<{
  invitation: Invitation
  platformName: string
  serviceName: string
  /** The providers that are not blocked. */
  providers: readonly UmaProviderBody[]
  onboardingUrl: string | undefined
}>

export const INVITATION_NOT_FOUND: HostedPage = {
  status: 404,
  title: 'This link leads nowhere',
  body: html`<p>It is incomplete, or it was never given out. Ask the sender for a new one.</p>`,
}

const ENDED: Readonly<Record<Exclude<Invitation['status'], 'PENDING'>, string>> = {
  CLAIMED: 'This invitation was taken up already',
  CANCELLED: 'This invitation was withdrawn',
  EXPIRED: 'This invitation has expired',
}

export const endedView = (
  status: Exclude<Invitation['status'], 'PENDING'>,
  serviceName: string,
): HostedPage => ({
  status: 410,
  title: ENDED[status],
  body: html`<p>It can no longer be used. Ask the sender for a new one.</p>
    ${footer(serviceName)}`,
})

export function pendingView(view: InvitationView): HostedPage {
  const { invitation, providers, platformName, serviceName } = view
  const { firstName } = invitation
  const title = firstName === null ? 'You are invited' : `${firstName} invites you`
  const says = 'Open an account with one of the providers below and tell it this code.'
  return {
    title,
    body: html`${facts(invitation, platformName)}
      <p>${says}</p>
      ${signUp(view)}
      <h2>Providers</h2>
      ${
        providers.length === 0
          ? html`<p>None is listed yet.</p>`
          : html`<ul>
              ${providers.map(providerItem)}
            </ul>`
      }
      ${footer(serviceName)}`,
  }
}

function facts(
  { code, inviterUma, amount, currency, expiresAt }: Invitation,
  platformName: string,
) {
  const shown = amount === null || currency === null ? '' : amountText(amount, currency)
  return html`<dl>
    <dt>From</dt>
    <dd>${inviterUma}<br />with ${platformName}</dd>
    ${shown && fact('Amount to be sent to you', shown)} ${fact('Code', html`<code>${code}</code>`)}
    ${expiresAt ? fact('Until', `${toWireDate(expiresAt)} (UTC)`) : ''}
  </dl>`
}

const fact = (name: string, value: string | Html): Html =>
  html`<dt>${name}</dt>
    <dd>${value}</dd>`

/** Formats by the currency's decimals: 5000 is 50.00 USD, and 5000 JPY. */
function amountText(amount: bigint, currency: string): string {
  const { decimals } = currencyOf(currency)
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals)
  return `${whole}${fraction && `.${fraction}`} ${currency}`
}

const signUp = ({ onboardingUrl, platformName }: InvitationView): Html =>
  onboardingUrl === undefined
    ? html``
    : html`<p><a href="${onboardingUrl}">Sign up with ${platformName}</a></p>`

const providerItem = ({ name, domain, supportedRegions }: UmaProviderBody): Html =>
  html`<li>
    <strong>${name}</strong><br /><code>${domain}</code>, ${supportedRegions.join(', ')}
  </li>`

const footer = (serviceName: string): Html =>
  html`<p class="small">A service of ${serviceName}. Opening this page moves no money.</p>`
