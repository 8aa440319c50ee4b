import type { Command } from './command.ts'
import { balanceReturnCommands } from './commands/money/balance-returns.ts'
import { cardCommands } from './commands/money/cards.ts'
import { customerCommands } from './commands/customers/customers.ts'
import { dashboardCommands } from './commands/service/dashboard.ts'
import { depositCommands } from './commands/money/deposits.ts'
import { eventCommands } from './commands/service/events.ts'
import { externalAccountCommands } from './commands/customers/external-accounts.ts'
import { keyCommands } from './commands/service/keys.ts'
import { lookUpCommands } from './commands/customers/look-up.ts'
import { payeeCommands } from './commands/customers/payees.ts'
import { ledgerCommands } from './commands/money/ledger.ts'
import { networkFeeCommands } from './commands/service/network-fees.ts'
import { paymentCommands } from './commands/money/payments.ts'
import { accountCommands } from './commands/customers/accounts.ts'
import { platformCommands } from './commands/service/platforms.ts'
import { scaCommands } from './commands/customers/sca.ts'
import { reviewCommands } from './commands/customers/review.ts'
import { serviceCommands } from './commands/service/service.ts'
import { settlementCommands } from './commands/money/settlements.ts'
import { stablecoinCommands } from './commands/service/stablecoins.ts'
import { termsCommands } from './commands/service/terms.ts'
import { tokenCommands } from './commands/service/tokens.ts'
import { transactionCommands } from './commands/money/transactions.ts'
import { umaCommands } from './commands/service/uma.ts'

/** Every subcommand of `florin`. */
export const commands: readonly Command[] = [
  ...platformCommands,
  ...accountCommands,
  ...balanceReturnCommands,
  ...tokenCommands,
  ...termsCommands,
  ...eventCommands,
  ...externalAccountCommands,
  ...payeeCommands,
  ...paymentCommands,
  ...networkFeeCommands,
  ...transactionCommands,
  ...settlementCommands,
  ...depositCommands,
  ...cardCommands,
  ...stablecoinCommands,
  ...scaCommands,
  ...reviewCommands,
  ...customerCommands,
  ...lookUpCommands,
  ...umaCommands,
  ...keyCommands,
  ...dashboardCommands,
  ...ledgerCommands,
  ...serviceCommands,
]
