import { formatId, type Id } from '../../kernel/ids.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { listPayers, type NamedPayer, type Payer } from '../customers/index.ts'
import { listSideAccounts, type SideAccount } from '../external-accounts/index.ts'
import { lockAccountsForShare, type AccountSnapshot } from '../internal-accounts/index.ts'
import type { TransactionDestination, TransactionSource } from '../transactions/index.ts'

/** Where the money of a payment comes from. */
export type PayingSide =
  | Readonly<{ kind: 'internal'; account: AccountSnapshot }>
  /** Pulled from. */
  | Readonly<{ kind: 'external'; account: SideAccount }>
  /** Funded as it arrives, for a customer or the platform. */
  | Readonly<{ kind: 'realtime'; currency: string; payer: Payer | null }>

/** Where it goes. */
export type ReceivingSide =
  | Readonly<{ kind: 'internal'; account: AccountSnapshot }>
  | Readonly<{ kind: 'external'; account: SideAccount }>
  /** The receiver behind a UMA address, here or elsewhere. */
  | UmaSide

export type UmaSide = Readonly<{ kind: 'uma'; umaAddress: string; currency: string }>

export const currencyOfSide = (side: PayingSide | ReceivingSide): string =>
  'account' in side ? side.account.currency : side.currency

/** Whose the side is; null: the platform's. */
export const ownerOfSide = (side: PayingSide): Payer | null =>
  side.kind === 'realtime' ? side.payer : side.account.payer

/** QUOTE-26, XFER-9: a customer's external account is debited for that customer alone; the platform's for anybody. */
export const mayPull = (
  paying: PayingSide,
  { customerId }: Pick<AccountSnapshot, 'customerId'>,
): boolean =>
  paying.kind !== 'external' ||
  paying.account.customerId === null ||
  paying.account.customerId === customerId

type AccountSide = Exclude<ReceivingSide, UmaSide>

const accountIdOf = (side: AccountSide): string =>
  side.kind === 'internal'
    ? formatId('internalAccount', side.account.id)
    : formatId('externalAccount', side.account.id)

/** A side as a transaction shows its source. */
export function sourceOf(side: PayingSide): TransactionSource {
  if (side.kind !== 'realtime') {
    const { currency } = side.account
    return { sourceType: 'ACCOUNT', accountId: accountIdOf(side), currency }
  }
  const { currency, payer } = side
  return {
    sourceType: 'REALTIME_FUNDING',
    currency,
    ...(payer && { customerId: formatId('customer', payer.id) }),
  }
}

/** A side as a transaction shows its destination. */
export function destinationOf(side: ReceivingSide): TransactionDestination {
  if (side.kind === 'uma') {
    const { umaAddress, currency } = side
    return { destinationType: 'UMA_ADDRESS', umaAddress, currency }
  }
  const { currency } = side.account
  return { destinationType: 'ACCOUNT', accountId: accountIdOf(side), currency }
}

type Key<K extends 'internalAccount' | 'externalAccount' | 'customer'> = Readonly<{
  platformId: Id<'platform'>
  id: Id<K>
}>

export type WantedSides = Readonly<{
  internal: readonly Key<'internalAccount'>[]
  external: readonly Key<'externalAccount'>[]
  payers: readonly Key<'customer'>[]
}>

export type Sides = Readonly<{
  internal(key: Key<'internalAccount'>): AccountSnapshot | undefined
  external(key: Key<'externalAccount'>): SideAccount | undefined
  payer(key: Key<'customer'>): NamedPayer | undefined
}>

type Named = Readonly<{ platformId: string; id: string }>

const nameOf = ({ platformId, id }: Named): string => `${platformId} ${id}`

const distinct = <T extends Named>(keys: readonly T[]): T[] => [
  ...new Map(keys.map((key) => [nameOf(key), key])).values(),
]

async function found<K extends Named, R extends Named>(
  keys: readonly K[],
  list: (keys: readonly K[]) => Promise<R[]>,
): Promise<ReadonlyMap<string, R>> {
  const rows = keys.length > 0 ? await list(distinct(keys)) : []
  return new Map(rows.map((row) => [nameOf(row), row]))
}

/**
 * Accounts and customers of any platforms, in one round trip. What is not there is not found. They are locked in the
 * order in which deleting a customer locks them: the customer where `holdsPayers`, external accounts, internal ones.
 */
export async function findSides(
  tx: Tx,
  wanted: WantedSides,
  { holdsPayers = false }: Readonly<{ holdsPayers?: boolean }> = {},
): Promise<Sides> {
  const [payers, external, internal] = await Promise.all([
    found(wanted.payers, (keys) => listPayers(tx, keys, { isHeld: holdsPayers })),
    found(wanted.external, (keys) => listSideAccounts(tx, keys)),
    found(wanted.internal, (keys) => lockAccountsForShare(tx, keys)),
  ])
  return {
    internal: (key) => internal.get(nameOf(key)),
    external: (key) => external.get(nameOf(key)),
    payer: (key) => payers.get(nameOf(key)),
  }
}
