/** An account outside, as the operator needs it who moves money: every line of it. */
import { html, type Html } from '../../pages/html.ts'
import type { Row } from '../ask.ts'
import { badge, textIn, valueIn } from '../cells.ts'
import { linesOf } from './review-file.ts'

/** Its kind and its holder first, the holder's own lines among the rest. */
export function accountView(title: string, account: unknown): Html {
  const info = (valueIn(account, 'accountInfo') ?? {}) as Row
  const { accountType, beneficiary, ...rest } = info
  const lines = linesOf({ accountType, ...(beneficiary as Row | undefined), ...rest })
  return html`<h2>${title} ${badge(textIn(account, 'status'))}</h2>
    <dl class="facts">
      ${lines.map(
        ({ label, value }) =>
          html`<div>
            <dt>${label}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
      <div>
        <dt>Account id</dt>
        <dd><code>${textIn(account, 'id')}</code></dd>
      </div>
    </dl>`
}
