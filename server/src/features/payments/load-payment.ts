import { isCrypto } from '../../kernel/currency.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import { displayName, findCustomer } from '../customers/index.ts'
import {
  closeRefundAccount,
  createInternalAccounts,
  listAccountsOfOwners,
} from '../internal-accounts/index.ts'
import { endsOf, findSides, wantedSidesOf, type PayingSide } from '../payment-terms/index.ts'
import type { Payment } from './payment.ts'
import type { OutgoingTransaction } from '../transactions/index.ts'

export type RefundOption = Readonly<{ mayRefund?: boolean }>

/**
 * A stored payment with all that its next step needs. The caller holds its lock, and says where no step can give money
 * back: an account is made for coins that come back, not for those that are delivered.
 */
export async function loadPayment(
  work: Work,
  transaction: OutgoingTransaction,
  { mayRefund = true }: RefundOption = {},
): Promise<Payment> {
  const { tx, platform } = work
  const sides = await findSides(tx, wantedSidesOf(platform.id, transaction))
  const ends = endsOf(platform.id, transaction, sides)
  return {
    platformId: platform.id,
    transaction,
    ...ends,
    feeAccountId:
      (transaction.platformFees ?? 0n) > 0n
        ? await findOwnAccount(work, { customerId: null, currency: transaction.sent.currency })
        : undefined,
    refundAccountId: mayRefund ? await coinAccountOf(work, ends.paying) : undefined,
  }
}

type Owned = Readonly<{ customerId: Id<'customer'> | null; currency: string }>

async function findOwnAccount(
  { tx, platform }: Work,
  owned: Owned,
): Promise<Id<'internalAccount'> | undefined> {
  const [found] = await listAccountsOfOwners(tx, [{ platformId: platform.id, ...owned }])
  return found?.id
}

/** TXN-8: just-in-time coins go back to their owner's account of the coin, made where there is none. */
export async function coinAccountOf(
  work: Work,
  paying: PayingSide,
): Promise<Id<'internalAccount'> | undefined> {
  if (paying.kind !== 'realtime' || !isCrypto(paying.currency)) return undefined
  const { currency, payer } = paying
  const owned = { customerId: payer?.id ?? null, currency }
  const found = await findOwnAccount(work, owned)
  if (found) return found
  const customer = payer ? await findCustomer(work, payer.id) : undefined
  const holderName = customer ? displayName(customer) : work.platform.name
  const owner = { customerId: payer?.id, holderName, currencies: [currency] }
  await createInternalAccounts(work, [owner])
  const made = await findOwnAccount(work, owned)
  if (made && customer?.isDeleted)
    await closeRefundAccount(work, { customerId: customer.id, id: made })
  return made
}
