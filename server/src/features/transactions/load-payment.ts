import { isCrypto } from '../../kernel/currency.ts'
import { parseId, type Id } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { Work } from '../../infra/work.ts'
import { displayName, findCustomer } from '../customers/index.ts'
import {
  closeRefundAccount,
  createInternalAccounts,
  listAccountsOfOwners,
} from '../internal-accounts/index.ts'
import {
  findSides,
  type PayingSide,
  type ReceivingSide,
  type Sides,
  type UmaSide,
  type WantedSides,
} from './payment-sides.ts'
import type { Payment } from './payment.ts'
import type {
  OutgoingTransaction,
  TransactionDestination,
  TransactionSource,
} from './transaction.ts'

type PlatformId = Id<'platform'>
type Ends = Readonly<{ source: TransactionSource; destination: TransactionDestination }>

export type RefundOption = Readonly<{ mayRefund?: boolean }>

/** The accounts and customers that a stored payment names. */
export function wantedSidesOf(platformId: PlatformId, { source, destination }: Ends): WantedSides {
  const named = [source, destination].flatMap((side) =>
    'accountId' in side ? [side.accountId] : [],
  )
  const customer = source.sourceType === 'REALTIME_FUNDING' ? source.customerId : undefined
  const keysOf = <K extends 'internalAccount' | 'externalAccount' | 'customer'>(
    kind: K,
    texts: readonly string[],
  ) =>
    texts.flatMap((text) => {
      const id = parseId(kind, text)
      return id ? [{ platformId, id }] : []
    })
  return {
    internal: keysOf('internalAccount', named),
    external: keysOf('externalAccount', named),
    payers: keysOf('customer', customer === undefined ? [] : [customer]),
  }
}

function accountSide(
  platformId: PlatformId,
  accountId: string,
  sides: Sides,
): Exclude<ReceivingSide, UmaSide> {
  const internal = parseId('internalAccount', accountId)
  if (internal) {
    const account = sides.internal({ platformId, id: internal })
    invariant(account, 'An internal account is never gone.')
    return { kind: 'internal', account }
  }
  const external = parseId('externalAccount', accountId)
  const account = external && sides.external({ platformId, id: external })
  invariant(account, 'An external account stays for its history.')
  return { kind: 'external', account }
}

function receivingSide(
  platformId: PlatformId,
  destination: TransactionDestination,
  sides: Sides,
): ReceivingSide {
  if ('accountId' in destination) return accountSide(platformId, destination.accountId, sides)
  const { umaAddress, currency } = destination
  invariant(currency, 'A payment to a UMA address was priced in its currency.')
  return { kind: 'uma', umaAddress, currency }
}

/** Both ends of a stored payment, as they are now. */
export function endsOf(
  platformId: PlatformId,
  { source, destination }: Ends,
  sides: Sides,
): Readonly<{ paying: PayingSide; receiving: ReceivingSide }> {
  const receiving = receivingSide(platformId, destination, sides)
  if (source.sourceType === 'ACCOUNT') {
    return { paying: accountSide(platformId, source.accountId, sides), receiving }
  }
  invariant(source.sourceType === 'REALTIME_FUNDING', 'A payment out is funded from here.')
  const { currency, customerId } = source
  const id = customerId === undefined ? undefined : parseId('customer', customerId)
  const payer = (id && sides.payer({ platformId, id })) ?? null
  return { paying: { kind: 'realtime', currency, payer }, receiving }
}

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
