/** An account outside, as the operator needs it who moves money: every line of it. */
import { html, type Html } from '../../../pages/html.ts'
import type { Row } from '../../ask.ts'
import { badge, inWords } from '../../cells/cells.ts'
import { linesOf } from '../record-lines.ts'
import { type Answer } from '../../../operator/command.ts'
import { type settlementCommands } from '../../../operator/commands/money/settlements.ts'

/** `USD_ACCOUNT` as people write it. */
const kindOf = (accountType: string): string =>
  inWords(accountType).replace(/^\w{3}(?= account)/i, (code) => code.toUpperCase())

type Account = NonNullable<Answer<typeof settlementCommands.show>['toAccount']>

/** Its kind first; the lines of its holder stand among the rest. */
export function accountView(title: string, { id, status, accountInfo }: Account): Html {
  const { accountType, beneficiary, ...rest } = accountInfo
  const { beneficiaryType: _, ...holder } = (beneficiary ?? {}) as Row
  const kind = { name: 'kind', label: 'Kind', value: kindOf(accountType) }
  const lines = [kind, ...linesOf({ ...rest, ...holder })]
  return html`<h2>${title} ${badge(status)}</h2>
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
        <dd><code>${id}</code></dd>
      </div>
    </dl>`
}
