/** The pages of a payment link, before and after the payment. */
import { readFileSync } from 'node:fs'
import type { Money } from '../../kernel/money/money.ts'
import { pageAssets, type HostedPage } from '../hosted-page.ts'
import { badgeView } from '../badge.ts'
import type { Brand } from '../branding/brand.ts'
import { html, type Html } from '../html.ts'
import { currencyName, moneyText } from '../language/format.ts'
import type { Locale } from '../language/locale.ts'

const assets = pageAssets({
  style: readFileSync(new URL('pay-page.css', import.meta.url), 'utf8'),
})

export type PayView = Readonly<{
  locale: Locale
  reference: string
  /** The holder of the account. */
  holder: string
  brand: Brand
  serviceName: string
  currency: string
}>

export const paymentLinkNotFound = ({ say }: Locale): HostedPage => ({
  status: 404,
  title: say('pay.unknown'),
  body: html`<p>${say('link.unknown.sender')}</p>`,
})

function facts({ locale: { say }, holder, brand, reference }: PayView): Html {
  return html`<dl>
    <dt>${say('pay.to')}</dt>
    <dd>${holder}</dd>
    <dt>${say('pay.at')}</dt>
    <dd>${brand.name}</dd>
    <dt>${say('pay.reference')}</dt>
    <dd><code>${reference}</code></dd>
  </dl>`
}

const footer = ({ locale: { say }, serviceName: service }: PayView): Html =>
  html`<p class="small">${say('service', { service })} ${say('moves.sandbox')}</p>`

export type Asking = Readonly<{
  /** Identifies a payment whose form is sent twice. */
  paymentId: string
  /** The typed amount, and why it is refused. */
  refused?: Readonly<{ typed: string; because: string }>
}>

export function askingView(view: PayView, { paymentId, refused }: Asking): HostedPage {
  const { locale, reference, currency } = view
  const { say, language } = locale
  const wrong = refused
    ? html`<p class="wrong" id="wrong" role="alert">${refused.because}</p>`
    : html``
  const described = refused ? html`aria-invalid="true" aria-describedby="wrong"` : html``
  return {
    status: refused ? 400 : 200,
    title: say('pay.title', { currency: currencyName(language, currency) }),
    assets,
    brand: view.brand,
    body: html`${badgeView(say('sandbox'))}${facts(view)}
      <form method="post" action="${locale.keep(encodeURIComponent(reference))}">
        <input type="hidden" name="payment" value="${paymentId}" />
        <label for="amount">${say('pay.amount')}</label>
        <div class="amount">
          <input
            id="amount"
            name="amount"
            inputmode="decimal"
            autocomplete="off"
            required
            value="${refused?.typed ?? ''}"
            ${described}
          />
          <span>${currency}</span>
        </div>
        ${wrong}
        <button class="main">${say('pay.pay')}</button>
      </form>
      ${footer(view)}`,
  }
}

export function paidView(view: PayView, money: Money): HostedPage {
  const { say, language } = view.locale
  return {
    title: say('pay.paid', { amount: moneyText(language, money) }),
    assets,
    brand: view.brand,
    body: html`${badgeView(say('badge.paid'), 'good')}${facts(view)}
      <p>${say('pay.paid.text')}</p>
      ${footer(view)}`,
  }
}

export function closedView(view: PayView): HostedPage {
  const { say } = view.locale
  return {
    title: say('pay.closed'),
    assets,
    brand: view.brand,
    body: html`${badgeView(say('badge.unavailable'), 'bad')}${facts(view)}
      <p>${say('ask.what', { platform: view.brand.name })}</p>
      ${footer(view)}`,
  }
}
