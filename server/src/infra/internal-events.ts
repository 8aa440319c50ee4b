import type { Id } from '../kernel/ids.ts'

/**
 * Internal events, so that a lower layer can say what happened without knowing who cares. The list of who cares is
 * app/reactions.ts. Reactions run in the same transaction and may refuse.
 */
export type InternalEvents = {
  /** Amounts of these internal accounts change with this transaction; what they are after it. */
  'balances.changed': { balances: readonly AccountBalance[] }
  /** The platform's list of currencies gained these codes. */
  'platform.currenciesAdded': { currencies: readonly string[] }
  /** One of the platform's API tokens is no longer valid. */
  'token.deleted': { tokenId: Id<'token'> }
}

export type AccountBalance = Readonly<{
  accountId: Id<'internalAccount'>
  currency: string
  available: bigint
  held: bigint
}>

export type InternalEvent = keyof InternalEvents
