import { mapKeyOf } from '../../infra/db/statement/resource-key.ts'
import { formatId, type Id, parseId } from '../../kernel/ids.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { listPayers, type NamedPayer, type Payer } from '../customers/index.ts'
import { listSideAccounts, type SideAccount } from '../external-accounts/index.ts'
import { lockAccountsForShare, type AccountSnapshot } from '../internal-accounts/index.ts'
import type { TransactionDestination, TransactionSource } from '../transactions/index.ts'
import { invariant } from '../../kernel/invariant.ts'

/** The source of a payment. */
export type PayingSide =
  | Readonly<{ kind: 'internal'; account: AccountSnapshot }>
  /** The money is pulled. */
  | Readonly<{ kind: 'external'; account: SideAccount }>
  /** Just-in-time funds, of a customer or the platform. */
  | Readonly<{ kind: 'realtime'; currency: string; payer: Payer | null }>

/** The destination of a payment. */
export type ReceivingSide =
  | Readonly<{ kind: 'internal'; account: AccountSnapshot }>
  | Readonly<{ kind: 'external'; account: SideAccount }>
  /** The receiver behind a UMA address, here or elsewhere. */
  | UmaSide

export type BothSides = Readonly<{ paying: PayingSide; receiving: ReceivingSide }>

export type UmaSide = Readonly<{ kind: 'uma'; umaAddress: string; currency: string }>

export const currencyOfSide = (side: PayingSide | ReceivingSide): string =>
  'account' in side ? side.account.currency : side.currency

/** The customer who owns the side; null for the platform. */
export const ownerOfSide = (side: PayingSide): Payer | null =>
  side.kind === 'realtime' ? side.payer : side.account.payer

/** A customer's external account may only fund that customer; the platform's may fund anyone (QUOTE-26, XFER-9). */
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

const distinct = <T extends Named>(keys: readonly T[]): T[] => [
  ...new Map(keys.map((key) => [mapKeyOf(key), key])).values(),
]

async function findByKey<K extends Named, R extends Named>(
  keys: readonly K[],
  list: (keys: readonly K[]) => Promise<R[]>,
): Promise<ReadonlyMap<string, R>> {
  const rows = keys.length > 0 ? await list(distinct(keys)) : []
  return new Map(rows.map((row) => [mapKeyOf(row), row]))
}

/**
 * Accounts and customers of any platforms, in one round trip. They are locked in the order of a customer's deletion:
 * external accounts, internal accounts, and with `locksPayers` the customers.
 */
export async function findSides(
  tx: Tx,
  wanted: WantedSides,
  { locksPayers = false }: Readonly<{ locksPayers?: boolean }> = {},
): Promise<Sides> {
  const [external, internal, payers] = await Promise.all([
    findByKey(wanted.external, (keys) => listSideAccounts(tx, keys)),
    findByKey(wanted.internal, (keys) => lockAccountsForShare(tx, keys)),
    findByKey(wanted.payers, (keys) => listPayers(tx, keys, { isLocked: locksPayers })),
  ])
  return {
    internal: (key) => internal.get(mapKeyOf(key)),
    external: (key) => external.get(mapKeyOf(key)),
    payer: (key) => payers.get(mapKeyOf(key)),
  }
}

type PlatformId = Id<'platform'>
type StoredSides = Readonly<{ source: TransactionSource; destination: TransactionDestination }>

/** The accounts and customers that a stored payment names. */
export function wantedSidesOf(
  platformId: PlatformId,
  { source, destination }: StoredSides,
): WantedSides {
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

/** Both sides of a stored payment, with their current rows. */
export function bothSidesOf(
  platformId: PlatformId,
  { source, destination }: StoredSides,
  sides: Sides,
): BothSides {
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
