import { formatId } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { advance } from '../../../kernel/machine.ts'
import type { Work } from '../../../infra/work/work.ts'
import { emit, emitJson } from '../../../webhooks/emit.ts'
import type { EventType } from '../../../webhooks/event-types.ts'
import {
  incoming,
  outgoing,
  refund,
  type IncomingEvent,
  type IncomingStatus,
  type OutgoingEvent,
  type OutgoingStatus,
  type RefundEvent,
  type RefundStatus,
} from './machine.ts'
import type {
  IncomingTransaction,
  OutgoingTransaction,
  Refund,
  Transaction,
} from './transaction.ts'
import { outgoingToJson } from '../wire/json.ts'
import { incomingToWire, toWire } from '../wire/wire.ts'

/** What emitting an event needs; a Work is one. */
export type EventContext = Pick<Work, 'platform' | 'now' | 'outbox' | 'ports'>

const OUTGOING_EVENTS: Readonly<Record<OutgoingStatus, EventType | undefined>> = {
  PENDING: 'OUTGOING_PAYMENT.PENDING',
  PENDING_AUTHORIZATION: 'OUTGOING_PAYMENT.PENDING_AUTHORIZATION',
  PROCESSING: 'OUTGOING_PAYMENT.PROCESSING',
  COMPLETED: 'OUTGOING_PAYMENT.COMPLETED',
  FAILED: 'OUTGOING_PAYMENT.FAILED',
  EXPIRED: 'OUTGOING_PAYMENT.EXPIRED',
  // The platform itself has rejected it, so there is no event.
  REJECTED: undefined,
}

const INCOMING_EVENTS: Readonly<Partial<Record<IncomingStatus, EventType>>> = {
  COMPLETED: 'INCOMING_PAYMENT.COMPLETED',
  FAILED: 'INCOMING_PAYMENT.FAILED',
  REJECTED: 'INCOMING_PAYMENT.FAILED',
}

const REFUND_EVENTS: Readonly<
  Record<Transaction['type'], Readonly<Record<RefundStatus, EventType>>>
> = {
  OUTGOING: {
    PENDING: 'OUTGOING_PAYMENT.REFUND_PENDING',
    COMPLETED: 'OUTGOING_PAYMENT.REFUND_COMPLETED',
    FAILED: 'OUTGOING_PAYMENT.REFUND_FAILED',
  },
  INCOMING: {
    PENDING: 'INCOMING_PAYMENT.REFUND_PENDING',
    COMPLETED: 'INCOMING_PAYMENT.REFUND_COMPLETED',
    FAILED: 'INCOMING_PAYMENT.REFUND_FAILED',
  },
}

/** A payment between internal accounts has no rail. */
const railOf = ({ paymentRail }: Transaction): string => paymentRail ?? 'NONE'

/** Emits the event of a payment's current status. */
export function emitOutgoing(eventContext: EventContext, transaction: OutgoingTransaction): void {
  const type = OUTGOING_EVENTS[transaction.status]
  if (!type) return
  const { status, sent } = transaction
  const { amount, currency } = sent
  const resourceId = formatId('transaction', transaction.id)
  const json = outgoingToJson(eventContext.platform.id, transaction)
  const payment = { type: 'OUTGOING', rail: railOf(transaction), status, amount, currency } as const
  emitJson(eventContext, type, { resourceId, json }, { payment })
}

/** Moves a payment out, clears its pending reason and emits its event (TXN-1). Fails with the machine's refusal. */
export function moveOutgoing(
  eventContext: EventContext,
  transaction: OutgoingTransaction,
  event: OutgoingEvent,
  changes: Partial<OutgoingTransaction> = {},
): OutgoingTransaction {
  const status = advance(outgoing, transaction.status, event)
  const { now: updatedAt } = eventContext
  const moved = { ...transaction, pendingReason: null, ...changes, status, updatedAt }
  // The PENDING event was emitted when the quote was created.
  if (event !== 'awaitFunds') emitOutgoing(eventContext, moved)
  return moved
}

export function emitIncoming(eventContext: EventContext, transaction: IncomingTransaction): void {
  const type = INCOMING_EVENTS[transaction.status]
  if (!type) return
  const { status, received } = transaction
  emit(eventContext, type, incomingToWire(eventContext.platform.id, transaction), {
    payment: { type: 'INCOMING', rail: railOf(transaction), status, ...received },
  })
}

/** Moves a payment in and emits its event (TXN-1). Fails with the machine's refusal. */
export function moveIncoming(
  eventContext: EventContext,
  transaction: IncomingTransaction,
  event: IncomingEvent,
  changes: Partial<IncomingTransaction> = {},
): IncomingTransaction {
  const status = advance(incoming, transaction.status, event)
  const moved = { ...transaction, ...changes, status, updatedAt: eventContext.now }
  emitIncoming(eventContext, moved)
  return moved
}

function withRefund<T extends Transaction>(
  eventContext: EventContext,
  transaction: T,
  changed: Refund,
): T {
  const moved: T = { ...transaction, refund: changed, updatedAt: eventContext.now }
  emit(
    eventContext,
    REFUND_EVENTS[moved.type][changed.status],
    toWire(eventContext.platform.id, moved),
  )
  return moved
}

/** Starts the refund. A transaction has at most one, so its id makes the reference unique (TXN-6). */
export function startRefund<T extends Transaction>(
  eventContext: EventContext,
  transaction: T,
  reason: Refund['reason'],
): T {
  return withRefund(eventContext, transaction, {
    reference: `RF${transaction.id.replaceAll('-', '').toUpperCase()}`,
    status: refund.initial,
    reason,
    initiatedAt: eventContext.now,
    settledAt: null,
  })
}

/** Moves the refund and emits its event; the transaction's own status stays. */
export function moveRefund<T extends Transaction>(
  eventContext: EventContext,
  transaction: T,
  event: RefundEvent,
): T {
  invariant(transaction.refund, 'A refund that ends was started.')
  const status = advance(refund, transaction.refund.status, event)
  const settledAt = status === 'COMPLETED' ? eventContext.now : null
  return withRefund(eventContext, transaction, { ...transaction.refund, status, settledAt })
}

/** Ends a payment that the platform rejected, or did not decide on, before it started; emits no event. */
export function closeUnstarted(
  transaction: Transaction,
  event: 'reject' | 'expire',
  now: Date,
): Transaction {
  return transaction.type === 'INCOMING'
    ? { ...transaction, status: advance(incoming, transaction.status, event), updatedAt: now }
    : { ...transaction, status: advance(outgoing, transaction.status, event), updatedAt: now }
}
