import type { Command } from './command.ts'
import { balanceReturnCommands } from './commands/balance-returns.ts'
import { cardCommands } from './commands/cards.ts'
import { customerCommands } from './commands/customers.ts'
import { dashboardCommands } from './commands/dashboard.ts'
import { depositCommands } from './commands/deposits.ts'
import { eventCommands } from './commands/events.ts'
import { externalAccountCommands } from './commands/external-accounts.ts'
import { keyCommands } from './commands/keys.ts'
import { lookUpCommands } from './commands/look-up.ts'
import { payeeCommands } from './commands/payees.ts'
import { ledgerCommands } from './commands/ledger.ts'
import { networkFeeCommands } from './commands/network-fees.ts'
import { paymentCommands } from './commands/payments.ts'
import { accountCommands } from './commands/accounts.ts'
import { platformCommands } from './commands/platforms.ts'
import { scaCommands } from './commands/sca.ts'
import { reviewCommands } from './commands/review.ts'
import { serviceCommands } from './commands/service.ts'
import { settlementCommands } from './commands/settlements.ts'
import { stablecoinCommands } from './commands/stablecoins.ts'
import { termsCommands } from './commands/terms.ts'
import { tokenCommands } from './commands/tokens.ts'
import { transactionCommands } from './commands/transactions.ts'
import { umaCommands } from './commands/uma.ts'

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
