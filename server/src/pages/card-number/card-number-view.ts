import { inGroups, type CardSecrets, type Provisioned } from '../../features/cards/index.ts'
import { html, type Html } from '../html.ts'

export type CardNumberView = Readonly<{
  status: 200 | 404 | 410
  title: string
  body: Html
  /** The origins that may frame the page, in the syntax of the policy. */
  frameAncestors: string
}>

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** Number, expiry and security code, as text (CARD-36). */
export function cardNumberView({
  secrets: { number, securityCode },
  expiry: { expMonth, expYear },
  brand,
  isTest,
  frameAncestors,
}: {
  secrets: CardSecrets
  expiry: Pick<Provisioned, 'expMonth' | 'expYear'>
  brand: string
  isTest: boolean
  frameAncestors: string
}): CardNumberView {
  const name = isTest ? `${brand} test card` : `${brand} card`
  return {
    status: 200,
    title: name,
    frameAncestors,
    body: html`<main class="card">
      <h1>${name}</h1>
      <dl>
        <div class="number">
          <dt>Card number</dt>
          <dd id="pan">${inGroups(number)}</dd>
        </div>
        <div>
          <dt>Expires</dt>
          <dd id="exp">${twoDigits(expMonth)}/${twoDigits(expYear % 100)}</dd>
        </div>
        <div>
          <dt>Security code</dt>
          <dd id="cvv">${securityCode}</dd>
        </div>
      </dl>
    </main>`,
  }
}

const notice = (
  status: 404 | 410,
  { title, text, frameAncestors }: { title: string; text: string; frameAncestors: string },
): CardNumberView => ({
  status,
  title,
  frameAncestors,
  body: html`<main class="notice">
    <h1>${title}</h1>
    <p>${text}</p>
  </main>`,
})

export const LINK_NOT_FOUND = notice(404, {
  title: 'There is nothing here',
  text: 'This link leads to no card. Check it for errors.',
  // Without a known platform there are no allowed origins.
  frameAncestors: "'none'",
})

export const linkExpired = (frameAncestors: string): CardNumberView =>
  notice(410, {
    title: 'This link has expired',
    text: 'Card details are shown for a few minutes only. Go back and ask for them again.',
    frameAncestors,
  })
