import { randomInt } from 'node:crypto'
import { addMs } from '../kernel/clock.ts'
import { newId, type Id } from '../kernel/ids.ts'
import type { Money } from '../kernel/money/money.ts'
import type { RegisteredProvider } from '../kernel/ports.ts'
import type { Work } from '../infra/work/work.ts'
import { sealSecret, type OrderSecret } from './sending/secret.ts'
import type { OrderType } from './order.ts'
import { LEASE_MS } from './schedule.ts'

export type NewOrder = Readonly<{
  type: OrderType
  provider: Pick<RegisteredProvider, 'id'>
  transactionId?: Id<'transaction'>
  subject?: string
  request?: Readonly<Record<string, unknown>>
  secret?: OrderSecret | undefined
  money?: Money
  expectedAt?: Date | null
  isInstant?: boolean
  /** Whether the order waits until a screening releases it. */
  isHeld?: boolean
  /** Whether the request that places the order also sends it, after the commit. */
  isSentByRequest?: boolean
}>

/** Letters and digits that cannot be mistaken for one another. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const REFERENCE_LENGTH = 14

const newReference = (): string =>
  `FL${Array.from({ length: REFERENCE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`

const REFERENCE = new RegExp(`FL[${LETTERS}]{${REFERENCE_LENGTH}}(?![A-Z0-9])`, 'g')

/** Finds our order references in a text from outside, such as a bank's remittance line. */
export const referencesIn = (text: string): readonly string[] =>
  text.toUpperCase().match(REFERENCE) ?? []

/** Queues an order with the commit of this work, so that order and cause exist together or not at all (PROV-42). */
export function placeOrder(
  { platform, now, outbox }: Pick<Work, 'platform' | 'now' | 'outbox'>,
  { provider, ...order }: NewOrder,
): Id<'order'> {
  const id = newId('order')
  outbox.orders.push({
    platformId: platform.id,
    id,
    providerId: provider.id,
    type: order.type,
    transactionId: order.transactionId,
    subject: order.subject,
    request: order.request ?? {},
    sealedSecret: order.secret && sealSecret(id, order.secret),
    amount: order.money?.amount,
    currency: order.money?.currency,
    ownReference: newReference(),
    expectedAt: order.expectedAt ?? undefined,
    isInstant: order.isInstant ?? false,
    isHeld: order.isHeld ?? false,
    leasedUntil: order.isSentByRequest ? addMs(now, LEASE_MS - platform.clockOffsetMs) : undefined,
    createdAt: now,
  })
  return id
}
