import type { Command, LocalCommand } from './command.ts'
import { batchOf } from './proposals/batch-command.ts'
import { auditCommands } from './commands/service/audit.ts'
import { backupCommands } from './commands/service/backup.ts'
import { balanceReturnCommands } from './commands/money/balance-returns.ts'
import { agentCommands } from './commands/customers/agents.ts'
import { cardRecordCommands } from './commands/cards/cards.ts'
import { cardCommands } from './commands/cards/exceptions.ts'
import { customerCommands } from './commands/customers/customers.ts'
import { dashboardCommands } from './commands/service/dashboard.ts'
import { depositCommands } from './commands/money/deposits.ts'
import { eventCommands } from './commands/service/events.ts'
import { externalAccountCommands } from './commands/customers/external-accounts.ts'
import { figureCommands } from './commands/money/figures.ts'
import { keyCommands } from './commands/service/keys.ts'
import { lookUpCommands } from './commands/customers/look-up.ts'
import { payeeCommands } from './commands/customers/payees.ts'
import { ledgerCommands } from './commands/money/ledger.ts'
import { networkFeeCommands } from './commands/service/network-fees.ts'
import { paymentCommands } from './commands/money/payments.ts'
import { accountCommands } from './commands/customers/accounts.ts'
import { retentionCommands } from './commands/customers/retention.ts'
import { providerTest } from './commands/providers/provider-test.ts'
import { platformCommands } from './commands/service/platforms.ts'
import { exceptionCommands } from './commands/providers/exceptions.ts'
import { operatorCommands } from './commands/operators/operators.ts'
import { filterCommands } from './commands/operators/saved-filters.ts'
import { operatorTokenCommands } from './commands/operators/operator-tokens.ts'
import { orderCommands } from './commands/providers/orders.ts'
import { providerCommands } from './commands/providers/providers.ts'
import { scaCommands } from './commands/customers/sca.ts'
import { createDecisionCommands, proposalCommands } from './proposals/commands.ts'
import { quoteCommands } from './commands/money/quotes.ts'
import { requestCommands } from './commands/developers/requests.ts'
import { sandboxCommands } from './commands/developers/sandbox.ts'
import { webhookCommands } from './commands/developers/webhooks.ts'
import { reviewCommands } from './commands/customers/review.ts'
import { screeningCommands } from './commands/customers/screening.ts'
import { doctorCommands } from './commands/doctor/doctor.ts'
import { serviceCommands } from './commands/service/service.ts'
import { settlementCommands } from './commands/money/settlements.ts'
import { stablecoinCommands } from './commands/service/stablecoins.ts'
import { termsCommands } from './commands/service/terms.ts'
import { tokenCommands } from './commands/service/tokens.ts'
import { timelineCommands } from './commands/customers/timeline.ts'
import { transactionCommands } from './commands/money/transactions.ts'
import { umaCommands } from './commands/service/uma.ts'

/** What the others may need a second operator for is named in proposals. */
const proposable: readonly Command[] = [
  ...Object.values(operatorCommands),
  ...Object.values(operatorTokenCommands),
  ...Object.values(filterCommands),
  ...Object.values(platformCommands),
  ...Object.values(providerCommands),
  ...Object.values(orderCommands),
  ...Object.values(exceptionCommands),
  ...Object.values(accountCommands),
  ...Object.values(balanceReturnCommands),
  ...Object.values(tokenCommands),
  ...Object.values(termsCommands),
  ...Object.values(eventCommands),
  ...Object.values(requestCommands),
  ...Object.values(sandboxCommands),
  ...Object.values(webhookCommands),
  ...Object.values(externalAccountCommands),
  ...Object.values(payeeCommands),
  ...Object.values(paymentCommands),
  ...Object.values(networkFeeCommands),
  ...Object.values(transactionCommands),
  ...Object.values(settlementCommands),
  ...Object.values(depositCommands),
  ...Object.values(cardRecordCommands),
  ...Object.values(cardCommands),
  ...Object.values(agentCommands),
  ...Object.values(quoteCommands),
  ...Object.values(stablecoinCommands),
  ...Object.values(scaCommands),
  ...Object.values(reviewCommands),
  ...Object.values(screeningCommands),
  ...Object.values(customerCommands),
  ...Object.values(retentionCommands),
  ...Object.values(lookUpCommands),
  ...Object.values(timelineCommands),
  ...Object.values(umaCommands),
  ...Object.values(keyCommands),
  ...Object.values(dashboardCommands),
  ...Object.values(ledgerCommands),
  ...Object.values(auditCommands),
  ...Object.values(serviceCommands),
  ...Object.values(doctorCommands),
  ...Object.values(figureCommands),
]

/** A batch of one of them can be proposed too (OPER-63). */
const batches = proposable.filter(({ takesMany }) => takesMany).map(batchOf)

export const decisionCommands = createDecisionCommands((name) =>
  [...proposable, ...batches].find((command) => command.name === name),
)

/** Every subcommand of `florin` that works on the database. */
export const commands: readonly Command[] = [
  ...proposable,
  ...Object.values(proposalCommands),
  ...Object.values(decisionCommands),
]

export const localCommands: readonly LocalCommand[] = [
  ...Object.values(backupCommands),
  providerTest,
]
