import { inGroups, type CardSecrets, type Provisioned } from '../../features/cards/index.ts'
import { html, type Html } from '../html.ts'
import type { PlainKey } from '../language/text-keys.ts'
import type { Locale } from '../language/locale.ts'

export type CardNumberView = Readonly<{
  status: 200 | 404 | 410
  title: string
  body: Html
  /** The origins that may frame the page, in the syntax of the policy. */
  frameAncestors: string
  canCopy?: boolean
}>

const copyButton = (text: string, id: string, label: string): Html =>
  html`<button type="button" data-of="${id}" data-label="${label}" aria-label="${text}: ${label}">
    ${text}
  </button>`

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** Number, expiry and security code, as text (CARD-36). */
export function cardNumberView(
  { say }: Locale,
  {
    secrets: { number, securityCode },
    expiry: { expMonth, expYear },
    brand,
    isTest,
    frameAncestors,
    canCopy,
  }: Readonly<{
    secrets: CardSecrets
    expiry: Pick<Provisioned, 'expMonth' | 'expYear'>
    brand: string
    isTest: boolean
    frameAncestors: string
    /** Whether the page has buttons that copy (OPER-199). */
    canCopy: boolean
  }>,
): CardNumberView {
  const factView = (id: string, label: string, value: string): Html =>
    html`<div class="${id}">
      <dt>${label}</dt>
      <dd id="${id}">${value}</dd>
      ${canCopy ? html`<dd>${copyButton(say('card.copy'), id, label)}</dd>` : ''}
    </div>`
  const name = say(isTest ? 'card.test' : 'card.name', { brand })
  return {
    status: 200,
    title: name,
    frameAncestors,
    canCopy,
    body: html`<main class="card">
      <h1>${name}</h1>
      <dl>
        ${factView('pan', say('card.number'), inGroups(number))}
        ${factView('exp', say('card.expires'), `${twoDigits(expMonth)}/${twoDigits(expYear % 100)}`)}
        ${factView('cvv', say('card.code'), securityCode)}
      </dl>
      ${
        canCopy
          ? html`<p
              role="status"
              data-done="${say('card.copied')}"
              data-failed="${say('card.notCopied')}"
            ></p>`
          : ''
      }
    </main>`,
  }
}

type Notice = Readonly<{ title: PlainKey; text: PlainKey; frameAncestors: string }>

const notice = (
  { say }: Locale,
  status: 404 | 410,
  { title, text, frameAncestors }: Notice,
): CardNumberView => ({
  status,
  title: say(title),
  frameAncestors,
  body: html`<main class="notice">
    <h1>${say(title)}</h1>
    <p>${say(text)}</p>
  </main>`,
})

export const linkNotFound = (locale: Locale): CardNumberView =>
  notice(locale, 404, {
    title: 'card.unknown',
    text: 'card.unknown.text',
    // Without a known platform there are no allowed origins.
    frameAncestors: "'none'",
  })

export const linkExpired = (locale: Locale, frameAncestors: string): CardNumberView =>
  notice(locale, 410, { title: 'link.expired', text: 'card.expired.text', frameAncestors })
