import type { Id } from '../kernel/ids.ts'

/**
 * The chart of accounts. An account is a name inside one platform's book; with a currency it is one balance.
 *
 *   IA:<id>:available   what an account's owner may spend now          never below zero
 *   IA:<id>:held        what is promised elsewhere but not yet gone     never below zero
 *   TRANSIT:<id>        taken from a payer, not delivered or refunded   never below zero
 *   SUSPENSE:…          money without a home, for the operator          never below zero
 *   RECEIVABLE:platform what a platform owes us after a returned fee    never above zero
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
export type LedgerAccount = string

export const availableOf = (id: Id<'internalAccount'>): LedgerAccount => `IA:${id}:available`
export const heldOf = (id: Id<'internalAccount'>): LedgerAccount => `IA:${id}:held`
export const transitOf = (id: Id<'transaction'>): LedgerAccount => `TRANSIT:${id}`
export const cardReserveOf = (id: Id<'cardTransaction'>): LedgerAccount => `CARD_RESERVE:${id}`
export const cardShortfallOf = (id: Id<'cardTransaction'>): LedgerAccount => `CARD_SHORTFALL:${id}`
export const worldOf = (railOrNetwork: string): LedgerAccount => `WORLD:${railOrNetwork}`
export const SUSPENSE_REFUND_FAILED: LedgerAccount = 'SUSPENSE:refund_failed'
export const SUSPENSE_UNATTRIBUTED: LedgerAccount = 'SUSPENSE:unattributed'
export const RECEIVABLE_PLATFORM: LedgerAccount = 'RECEIVABLE:platform'
export const REVENUE_FEES: LedgerAccount = 'REVENUE:fees'
export const FX: LedgerAccount = 'FX'
export const CARD_NETWORK: LedgerAccount = 'CARD_NETWORK'

/** Which sign a stored balance may take; `summed` accounts have no stored balance at all. */
export type BalanceRule = 'not-negative' | 'not-positive' | 'summed'

const RULES: readonly (readonly [prefix: string, rule: BalanceRule])[] = [
  ['IA:', 'not-negative'],
  ['TRANSIT:', 'not-negative'],
  ['SUSPENSE:', 'not-negative'],
  ['RECEIVABLE:', 'not-positive'],
  ['CARD_RESERVE:', 'not-negative'],
  ['CARD_SHORTFALL:', 'not-positive'],
]

/** Accounts that serve one transaction: nobody else touches them, and they end at zero. */
export const isOfOneTransaction = (account: LedgerAccount): boolean =>
  OF_ONE_TRANSACTION.some((prefix) => account.startsWith(prefix))

const OF_ONE_TRANSACTION: readonly string[] = ['TRANSIT:', 'CARD_RESERVE:', 'CARD_SHORTFALL:']

/** How the accounts that have a stored balance begin. */
export const STORED_PREFIXES: readonly string[] = RULES.map(([prefix]) => prefix)

export function balanceRuleOf(account: LedgerAccount): BalanceRule {
  return RULES.find(([prefix]) => account.startsWith(prefix))?.[1] ?? 'summed'
}

/** The internal account and sub-balance an `IA:` account stands for. */
export function internalAccountOf(
  account: LedgerAccount,
): { id: Id<'internalAccount'>; part: 'available' | 'held' } | undefined {
  const match = /^IA:([0-9a-f-]{36}):(available|held)$/.exec(account)
  if (!match) return undefined
  return { id: match[1] as Id<'internalAccount'>, part: match[2] as 'available' | 'held' }
}
