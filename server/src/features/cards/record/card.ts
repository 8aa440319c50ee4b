import type { Id } from '../../../kernel/ids.ts'
import type { LiveCardState } from './machine.ts'

export const CARD_STATE_REASONS = [
  'ISSUER_REJECTED',
  'CLOSED_BY_PLATFORM',
  'CLOSED_BY_SERVICE',
] as const
export type CardStateReason = (typeof CARD_STATE_REASONS)[number]

export const CARD_BRANDS = ['VISA', 'MASTERCARD'] as const
export type CardBrand = (typeof CARD_BRANDS)[number]

/** The fields that the issuer sets when it provisions the card; they never change. */
export type Provisioned = Readonly<{
  brand: CardBrand
  last4: string
  expMonth: number
  expYear: number
  processorRef: string
  issuerRef: string
}>

export type Card = Readonly<{
  id: Id<'card'>
  /** The outside provider that issued the card and holds its number; null for the built-in issuer. */
  providerId: Id<'provider'> | null
  customerId: Id<'customer'>
  platformCardId: string
  state: LiveCardState
  stateReason: CardStateReason | null
  /** Rises by one with every move after the activation. */
  stateVersion: number
  currency: string
  /** Null means no limit. */
  maxSpendPerTransaction: bigint | null
  provisioned: Provisioned | null
  /** At least one, in order; only the first is spent from (AUTHZ-20). */
  fundingAccountIds: readonly Id<'internalAccount'>[]
  createdAt: Date
  updatedAt: Date
}>

const YEARS_VALID = 4

/** A card expires four years after its activation, at the end of that month (CARD-10). */
export function expiryOf(activatedAt: Date): Readonly<{ expMonth: number; expYear: number }> {
  return {
    expMonth: activatedAt.getUTCMonth() + 1,
    expYear: activatedAt.getUTCFullYear() + YEARS_VALID,
  }
}

type Expiry = Pick<Provisioned, 'expMonth' | 'expYear'>

/** The first moment after the last month of the card, UTC (AUTHZ-4). */
export const expiresAt = ({ expMonth, expYear }: Expiry): Date =>
  new Date(Date.UTC(expYear, expMonth))

const isExpired = (expiry: Expiry, now: Date): boolean => now >= expiresAt(expiry)

/** A usable card is closed from its expiry on, whether or not the job that records it has run (CARD-13). */
export function cardAt<C extends Card>(card: C, now: Date): C {
  const { provisioned } = card
  if (!isRevealable(card) || !provisioned || !isExpired(provisioned, now)) return card
  const updatedAt = expiresAt(provisioned)
  return { ...card, state: 'CLOSED', stateReason: 'CLOSED_BY_SERVICE', updatedAt }
}

/** A closed card does not change, so a card last changed before its expiry closed for another reason (AUTHZ-1). */
export const isClosedByExpiry = ({
  state,
  provisioned,
  updatedAt,
}: Pick<Card, 'state' | 'provisioned' | 'updatedAt'>): boolean =>
  state === 'CLOSED' && provisioned !== null && isExpired(provisioned, updatedAt)

export const isRevealable = ({ state }: Pick<Card, 'state'>): boolean =>
  state === 'ACTIVE' || state === 'FROZEN'

/** The currencies that a card may spend (CARD-5). */
export const CARD_CURRENCIES: readonly string[] = ['USD', 'EUR', 'USDC', 'USDB']
export const FUNDING_SOURCES_MAX = 10
