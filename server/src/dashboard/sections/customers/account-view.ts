/** An account outside, as the operator needs it who moves money: every line of it. */
import { html, type Html } from '../../../pages/html.ts'
import type { Row } from '../../ask.ts'
import { badge, inWords, textIn, valueIn } from '../../cells.ts'
import { linesOf } from '../record-lines.ts'

/** `USD_ACCOUNT` as people write it. */
const kindOf = (accountType: string): string =>
  inWords(accountType).replace(/^\w{3}(?= account)/i, (code) => code.toUpperCase())

/** Its kind first; the lines of its holder stand among the rest. */
export function accountView(title: string, account: unknown): Html {
  const info = (valueIn(account, 'accountInfo') ?? {}) as Row
  const { accountType, beneficiary, ...rest } = info
  const { beneficiaryType: _, ...holder } = (beneficiary ?? {}) as Row
  const kind = { name: 'kind', label: 'Kind', value: kindOf(String(accountType)) }
  const lines = [kind, ...linesOf({ ...rest, ...holder })]
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
