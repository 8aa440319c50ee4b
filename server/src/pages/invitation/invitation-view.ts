import type { Invitation } from '../../features/invitations/index.ts'
import type { UmaProviderBody } from '../../features/uma/index.ts'
import type { Brand } from '../branding/brand.ts'
import type { HostedPage } from '../hosted-page.ts'
import { html, type Html } from '../html.ts'
import type { PlainKey } from '../language/text-keys.ts'
import { countryName, dateText, moneyText } from '../language/format.ts'
import type { Locale } from '../language/locale.ts'

export type InvitationView = Readonly<{
  invitation: Invitation
  brand: Brand
  serviceName: string
  /** The providers that are not blocked. */
  providers: readonly UmaProviderBody[]
  onboardingUrl: string | undefined
}>

export const invitationNotFound = ({ say }: Locale): HostedPage => ({
  status: 404,
  title: say('link.unknown'),
  body: html`<p>${say('link.unknown.sender')}</p>`,
})

const ENDED: Readonly<Record<Exclude<Invitation['status'], 'PENDING'>, PlainKey>> = {
  CLAIMED: 'invitation.claimed',
  CANCELLED: 'invitation.cancelled',
  EXPIRED: 'invitation.expired',
}

export const endedView = (
  locale: Locale,
  status: Exclude<Invitation['status'], 'PENDING'>,
  serviceName: string,
): HostedPage => ({
  status: 410,
  title: locale.say(ENDED[status]),
  body: html`<p>${locale.say('invitation.ended')}</p>
    ${footer(locale, serviceName)}`,
})

export function pendingView(locale: Locale, view: InvitationView): HostedPage {
  const { invitation, providers, brand, serviceName } = view
  const { say } = locale
  const { firstName: name } = invitation
  return {
    title: name === null ? say('invitation.title') : say('invitation.by', { name }),
    brand,
    body: html`${facts(locale, invitation, brand.name)}
      <p>${say('invitation.text')}</p>
      ${signUp(locale, view)}
      <h2>${say('invitation.providers')}</h2>
      ${
        providers.length === 0
          ? html`<p>${say('invitation.noProviders')}</p>`
          : html`<ul>
              ${providers.map((provider) => providerItem(locale, provider))}
            </ul>`
      }
      ${footer(locale, serviceName)}`,
  }
}

function facts({ say, language }: Locale, invitation: Invitation, platform: string) {
  const { code, inviterUma, amount, currency, expiresAt } = invitation
  const money =
    amount === null || currency === null ? '' : moneyText(language, { amount, currency })
  return html`<dl>
    <dt>${say('invitation.from')}</dt>
    <dd>${inviterUma}<br />${say('invitation.with', { platform })}</dd>
    ${money && fact(say('invitation.amount'), money)}
    ${fact(say('invitation.code'), html`<code>${code}</code>`)}
    ${expiresAt ? fact(say('invitation.until'), `${dateText(language, expiresAt)} (UTC)`) : ''}
  </dl>`
}

const fact = (name: string, value: string | Html): Html =>
  html`<dt>${name}</dt>
    <dd>${value}</dd>`

const signUp = ({ say }: Locale, { onboardingUrl, brand }: InvitationView): Html =>
  onboardingUrl === undefined
    ? html``
    : html`<p>
        <a href="${onboardingUrl}">${say('invitation.signUp', { platform: brand.name })}</a>
      </p>`

const providerItem = (
  { language }: Locale,
  { name, domain, supportedRegions }: UmaProviderBody,
): Html =>
  html`<li>
    <strong>${name}</strong><br /><code>${domain}</code>,
    ${supportedRegions.map((region) => countryName(language, region)).join(', ')}
  </li>`

const footer = ({ say }: Locale, service: string): Html =>
  html`<p class="small">${say('service', { service })} ${say('moves.none')}</p>`
