/** The pages of a payment link, before and after the payment. */
import { readFileSync } from 'node:fs'
import { currencyOf } from '../../kernel/money/currency.ts'
import type { Money } from '../../kernel/money/money.ts'
import { pageAssets, type HostedPage } from '../hosted-page.ts'
import { html, type Html } from '../html.ts'

const assets = pageAssets({
  style: readFileSync(new URL('pay-page.css', import.meta.url), 'utf8'),
})

export type PayView = Readonly<{
  reference: string
  /** The holder of the account. */
  holder: string
  platformName: string
  serviceName: string
  currency: string
}>

export const PAYMENT_LINK_NOT_FOUND: HostedPage = {
  status: 404,
  title: 'This payment link leads nowhere',
  body: html`<p>It is incomplete, or it was never given out. Ask the sender for another.</p>`,
}

/** `12345678` of COP is `123,456.78 COP`. */
export function moneyText({ amount, currency }: Money): string {
  const { decimals } = currencyOf(currency)
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',')
  const rest = decimals > 0 ? `.${digits.slice(-decimals)}` : ''
  return `${whole}${rest} ${currency}`
}

/** A typed amount in smallest units; undefined where it is none. */
export function amountOf(typed: string, currency: string): bigint | undefined {
  const { decimals } = currencyOf(currency)
  const match = /^(\d{1,3}(?:,\d{3})*|\d+)(?:\.(\d+))?$/.exec(typed.trim())
  const [, whole = '', rest = ''] = match ?? []
  if (!match || rest.length > decimals) return undefined
  return BigInt(`${whole.replaceAll(',', '')}${rest.padEnd(decimals, '0')}`)
}

function facts({ holder, platformName, reference }: PayView): Html {
  return html`<dl>
    <dt>To</dt>
    <dd>${holder}</dd>
    <dt>At</dt>
    <dd>${platformName}</dd>
    <dt>Reference</dt>
    <dd><code>${reference}</code></dd>
  </dl>`
}

const footer = ({ serviceName }: PayView): Html =>
  html`<p class="small">A service of ${serviceName}. No real money moves in the sandbox.</p>`

const SANDBOX = html`<p class="badge plain">Sandbox</p>`

export type Asking = Readonly<{
  /** Identifies a payment whose form is sent twice. */
  paymentId: string
  /** The typed amount, and why it is refused. */
  refused?: Readonly<{ typed: string; because: string }>
}>

export function askingView(view: PayView, { paymentId, refused }: Asking): HostedPage {
  const { reference, currency } = view
  const wrong = refused
    ? html`<p class="wrong" id="wrong" role="alert">${refused.because}</p>`
    : html``
  const described = refused ? html`aria-invalid="true" aria-describedby="wrong"` : html``
  return {
    status: refused ? 400 : 200,
    title: `Pay in ${currencyOf(currency).name}`,
    assets,
    body: html`${SANDBOX}${facts(view)}
      <form method="post" action="${encodeURIComponent(reference)}">
        <input type="hidden" name="payment" value="${paymentId}" />
        <label for="amount">Amount</label>
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
        <button class="main">Pay</button>
      </form>
      ${footer(view)}`,
  }
}

export function paidView(view: PayView, money: Money): HostedPage {
  return {
    title: `You paid ${moneyText(money)}`,
    assets,
    body: html`<p class="badge good">Paid</p>
      ${facts(view)}
      <p>It has arrived. You can close this page.</p>
      ${footer(view)}`,
  }
}

export function closedView(view: PayView): HostedPage {
  return {
    title: 'This account takes no payments now',
    assets,
    body: html`<p class="badge bad">Not available</p>
      ${facts(view)}
      <p>Ask ${view.platformName} what to do.</p>
      ${footer(view)}`,
  }
}
