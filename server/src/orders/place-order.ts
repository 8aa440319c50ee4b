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
  /** It waits for a screening, and is released by it. */
  isHeld?: boolean
  /** The request that places it sends it too, once it is committed. */
  isSentByRequest?: boolean
}>

/** Written so that nothing reads as another letter. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const REFERENCE_LENGTH = 14

const newReference = (): string =>
  `FL${Array.from({ length: REFERENCE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`

const REFERENCE = new RegExp(`FL[${LETTERS}]{${REFERENCE_LENGTH}}(?![A-Z0-9])`, 'g')

/** The references of orders in a text that came from outside. */
export const referencesIn = (text: string): readonly string[] =>
  text.toUpperCase().match(REFERENCE) ?? []

/** Queues an order for the commit of this work: it is due with the change that makes it due (PROV-42). */
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
