import type { Id } from '../kernel/ids.ts'
import { invariant } from '../kernel/invariant.ts'

/**
 * The chart of accounts. An account is a name inside one platform's book; with a currency it is one balance. Only the
 * constructors below make names, so every name has a rule.
 *
 *   IA:<id>:available   what an account's owner may spend now          never below zero
 *   IA:<id>:held        what is promised elsewhere but not yet gone     never below zero
 *   TRANSIT:<id>        taken from a payer, not delivered or refunded   never below zero
 *   SUSPENSE:…          unallocated money, for the operator             never below zero
 *   RECEIVABLE:platform what a platform owes us after a returned fee    never above zero
 *   LOSS:providers      what the service bore for contradictions        never above zero
 *   CARD_RESERVE:<id>   pulled for a card transaction, not yet cleared  never below zero
 *   CARD_SHORTFALL:<id> borne for a card transaction, not yet recovered never above zero
 *   REVENUE:fees        service fees earned                             sum of entries
 *   FX                  currency position and rounding                  sum of entries
 *   WORLD:<rail>        the outside                                     sum of entries
 *   CARD_NETWORK        the outside that cards are settled with         sum of entries
 *
 * The last four are touched by every payment. They have no balance row to fight over: their balance is the sum
 * of their entries.
 */
export type LedgerAccount = string & { readonly __kind: 'ledgerAccount' }

/** Which sign a stored balance may take; `summed` accounts have no stored balance at all. */
export type BalanceRule = 'not-negative' | 'not-positive' | 'summed'

/** By the part of the name before the first colon. */
const RULES = {
  IA: 'not-negative',
  TRANSIT: 'not-negative',
  SUSPENSE: 'not-negative',
  RECEIVABLE: 'not-positive',
  LOSS: 'not-positive',
  CARD_RESERVE: 'not-negative',
  CARD_SHORTFALL: 'not-positive',
  REVENUE: 'summed',
  FX: 'summed',
  WORLD: 'summed',
  CARD_NETWORK: 'summed',
} as const satisfies Record<string, BalanceRule>

type AccountKind = keyof typeof RULES

const account = (name: AccountKind | `${AccountKind}:${string}`): LedgerAccount =>
  name as LedgerAccount

export const availableOf = (id: Id<'internalAccount'>) => account(`IA:${id}:available`)
export const heldOf = (id: Id<'internalAccount'>) => account(`IA:${id}:held`)
export const transitOf = (id: Id<'transaction'>) => account(`TRANSIT:${id}`)
export const cardReserveOf = (id: Id<'cardTransaction'>) => account(`CARD_RESERVE:${id}`)
export const cardShortfallOf = (id: Id<'cardTransaction'>) => account(`CARD_SHORTFALL:${id}`)
export const worldOf = (railOrNetwork: string) => account(`WORLD:${railOrNetwork}`)
/** The rail of money to and from UMA addresses. */
export const UMA_RAIL = 'UMA'
export const SUSPENSE_REFUND_FAILED = account('SUSPENSE:refund_failed')
export const SUSPENSE_UNATTRIBUTED = account('SUSPENSE:unattributed')
export const RECEIVABLE_PLATFORM = account('RECEIVABLE:platform')
export const LOSS_PROVIDERS = account('LOSS:providers')
export const REVENUE_FEES = account('REVENUE:fees')
export const FX = account('FX')
export const CARD_NETWORK = account('CARD_NETWORK')

function kindOf(name: string): string {
  const colon = name.indexOf(':')
  return colon === -1 ? name : name.slice(0, colon)
}

/** A name from the database; an unknown kind is a bug, because its balance would have no rule. */
export function parseLedgerAccount(name: string): LedgerAccount {
  invariant(Object.hasOwn(RULES, kindOf(name)), `The chart of accounts has no ${name}.`)
  return name as LedgerAccount
}

export const balanceRuleOf = (name: LedgerAccount): BalanceRule =>
  RULES[kindOf(name) as AccountKind]

const OF_ONE_TRANSACTION: readonly string[] = ['TRANSIT', 'CARD_RESERVE', 'CARD_SHORTFALL']

/** Accounts that serve one transaction: no other transaction touches them, and they end at zero. */
export const isOfOneTransaction = (name: LedgerAccount): boolean =>
  OF_ONE_TRANSACTION.includes(kindOf(name))

export const STORED_PREFIXES: readonly string[] = Object.entries(RULES).flatMap(([kind, rule]) =>
  rule === 'summed' ? [] : [`${kind}:`],
)
/** A regular expression of PostgreSQL for the names of accounts with a stored balance. */
export const STORED_ACCOUNTS = `^(${STORED_PREFIXES.join('|')})`

/** The internal account and sub-balance behind an `IA:` account. */
export function internalAccountOf(
  name: LedgerAccount,
): { id: Id<'internalAccount'>; part: 'available' | 'held' } | undefined {
  const match = /^IA:([0-9a-f-]{36}):(available|held)$/.exec(name)
  if (!match) return undefined
  return { id: match[1] as Id<'internalAccount'>, part: match[2] as 'available' | 'held' }
}
