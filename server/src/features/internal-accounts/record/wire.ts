import { toWireTime } from '../../../kernel/clock.ts'
import { formatId } from '../../../kernel/ids.ts'
import { moneyToWire, type WireMoney } from '../../../kernel/money/wire-money.ts'
import type { PaymentInstructions } from '../funding/instructions.ts'
import type {
  Balances,
  InternalAccount,
  InternalAccountStatus,
  InternalAccountType,
} from './internal-account.ts'

export type WireInternalAccount = {
  id: string
  customerId?: string
  type: InternalAccountType
  status: InternalAccountStatus
  balance: WireMoney
  totalBalance: WireMoney
  fundingPaymentInstructions: PaymentInstructions[]
  privateEnabled?: boolean
  createdAt: string
  updatedAt: string
}

export function toWire(
  account: InternalAccount,
  { available, held }: Balances,
): WireInternalAccount {
  const { customerId, currency, privateEnabled } = account
  return {
    id: formatId('internalAccount', account.id),
    ...(customerId !== null && { customerId: formatId('customer', customerId) }),
    type: account.type,
    status: account.status,
    balance: moneyToWire({ amount: available, currency }),
    totalBalance: moneyToWire({ amount: available + held, currency }),
    fundingPaymentInstructions: [...account.fundingInstructions],
    ...(privateEnabled !== null && { privateEnabled }),
    createdAt: toWireTime(account.createdAt),
    updatedAt: toWireTime(account.updatedAt),
  }
}
