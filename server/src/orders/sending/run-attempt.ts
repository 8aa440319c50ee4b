import type { Actor } from '../../kernel/access/actor.ts'
import { fail } from '../../kernel/errors.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { formatId, newUuid, type Id } from '../../kernel/ids.ts'
import type { RegisteredProvider } from '../../kernel/ports.ts'
import {
  callProvider,
  type ProviderAnswer,
  type ProviderCall,
} from '../../providers/http/call-provider.ts'
import { resumeSpan } from '../../infra/logging/tracing/tracer.ts'
import type { Order, OrderType } from '../order.ts'
import { findOrder } from '../store.ts'
import { kindOf, withOrder, type OrderDeps, type RunBatched } from '../with-order.ts'
import { beginAttempt, type Attempt } from './attempt.ts'
import { claimLeased, releaseOrder, type Claimed } from './claim.ts'
import { createCallCounter } from './count-calls.ts'
import {
  changesOrderOnly,
  isValidAnswer,
  recordAsked,
  recordCancelled,
  recordSent,
} from './record.ts'

/** The actor of the sender's own transactions. */
const SENDER = { kind: 'system', name: 'orders' } as const

const TIMEOUTS_MS: Partial<Record<OrderType, number>> = {
  NAME_CHECK: 5 * SECOND_MS,
  SCREENING: 3 * SECOND_MS,
}

type When = Readonly<{
  /** The platform's time while a sandbox clock is moved. */
  now?: Date
  /** Addresses that timed out during this move of the clock, and are not called again (HOOK-30). */
  hungUrls?: Set<string> | undefined
}>

type Attempted = Readonly<{
  provider: RegisteredProvider
  claimed: Claimed
  when: When
  isRequested?: boolean
}>

/** Makes one attempt for a claimed order, in the trace that placed it. */
export function runAttempt(orders: OrderDeps, it: Attempted): Promise<string> {
  const { platformId, id, type } = it.claimed.order
  const start = () => ({
    name: `order ${type}`,
    attributes: { 'florin.order_id': formatId('order', id) },
  })
  return resumeSpan(orders.deps.tracer, { platformId, id }, start, () => makeAttempt(orders, it))
}

/** Commits the decision, calls the provider without a transaction, then records the answer. */
async function makeAttempt(
  orders: OrderDeps,
  { provider, claimed, when, isRequested }: Attempted,
): Promise<string> {
  const { deps } = orders
  const found = claimed.order
  const by = { actor: SENDER, now: when.now }
  const isCircuitOpen = claimed.circuit === 'OPEN' && !claimed.isProbe
  const runAlone: RunBatched = (order, by, body) => withOrder(orders, order, by, body)
  const { runBatched = runAlone } = orders
  // An order that was sent before may reach the end of its window now, which has further effects.
  const begin = found.state === 'QUEUED' && !when.now ? runBatched : runAlone
  const attempt = await begin(found, by, (locked) =>
    beginAttempt(locked, { provider, isCircuitOpen, ...(isRequested && { isRequested }) }),
  )
  if (attempt.what === 'nothing') {
    await deps.db.transaction(async (tx) => releaseOrder(tx, found))
    return 'nothing'
  }
  const answer = await call(orders, { provider, order: found, attempt, when })
  const answering = { actor: { kind: 'provider', name: provider.name } as const, now: when.now }
  const isBatchable =
    attempt.what === 'send' && changesOrderOnly(kindOf(orders.kinds, found), answer)
  const record = isBatchable && !when.now ? runBatched : runAlone
  await record(found, answering, async (locked) => {
    if (attempt.what === 'send') await recordSent(locked, answer)
    else if (attempt.what === 'ask') await recordAsked(locked, answer)
    else await recordCancelled(locked, answer)
    releaseOrder(locked.work.tx, found)
  })
  return isValidAnswer(attempt.what, answer, found) ? 'answered' : 'unknown'
}

type Calling = Readonly<{
  provider: RegisteredProvider
  order: Order
  attempt: Exclude<Attempt, { what: 'nothing' }>
  when: When
}>

/** Calls the provider and counts the call for its health, answered or not. */
async function call(
  { deps, kinds, metrics, countCall = createCallCounter(deps.db) }: OrderDeps,
  { provider, order, attempt, when: { hungUrls } }: Calling,
): Promise<ProviderAnswer> {
  const url = provider.url ?? ''
  if (hungUrls?.has(url))
    return { answered: false, error: 'It hung before, while the clock moved.' }
  const startedAt = deps.clock.now()
  const answer = await callProvider(deps, provider, callFor(order, attempt))
  const durationMs = deps.clock.now().getTime() - startedAt.getTime()
  const timeoutMs = TIMEOUTS_MS[order.type] ?? 10 * SECOND_MS
  if (!answer.answered && durationMs >= timeoutMs) hungUrls?.add(url)
  const isAnswered = isValidAnswer(attempt.what, answer, order)
  const { port } = kindOf(kinds, order)
  const outcome = isAnswered ? 'answered' : 'unknown'
  metrics?.providerCalls.inc({ provider: provider.name, port, outcome })
  metrics?.providerCallSeconds.observe({ provider: provider.name, port }, durationMs / SECOND_MS)
  await countCall({
    providerId: provider.id,
    port,
    isAnswered,
    durationMs,
    now: deps.clock.now(),
  })
  return answer
}

function callFor(order: Order, attempt: Calling['attempt']): ProviderCall {
  const id = formatId('order', order.id)
  const timeoutMs = TIMEOUTS_MS[order.type] ?? 10 * SECOND_MS
  switch (attempt.what) {
    case 'send':
      return { method: 'POST', path: '/orders', messageId: id, body: attempt.body, timeoutMs }
    case 'ask':
      return {
        method: 'GET',
        path: `/orders/${id}`,
        messageId: `ask:${newUuid()}`,
        timeoutMs,
      }
    case 'cancel':
      return {
        method: 'POST',
        path: `/orders/${id}/cancel`,
        messageId: `${id}/cancel`,
        body: JSON.stringify({ id }),
        timeoutMs: 5 * SECOND_MS,
      }
  }
}

/** Sends an order within the request that places or retries it: one attempt, with no transaction open during the call. */
export async function sendNow(orders: OrderDeps, id: Id<'order'>): Promise<void> {
  const { deps } = orders
  const order = await findOrder(deps.db.read, id)
  const provider = order && deps.providers.find(order.providerId)
  if (!provider) return
  const claimed = await claimLeased(deps.db, order)
  await runAttempt(orders, { provider, claimed, when: {}, isRequested: true })
}

/** Asks the provider for an order at once, for an operator. Fails: CONFLICT if it was never sent. */
export async function askOrder(orders: OrderDeps, order: Order, actor: Actor): Promise<void> {
  const provider = orders.deps.providers.find(order.providerId)
  if (order.attempts === 0 || !provider) return fail('CONFLICT', { reason: 'NEVER_SENT' })
  const answer = await call(orders, { provider, order, attempt: { what: 'ask' }, when: {} })
  await withOrder(orders, order, { actor }, (locked) => recordAsked(locked, answer))
}

/** Asks the provider to cancel an order, within a request. Undefined means no answer (PROV-50). */
export async function cancelOrder(
  orders: OrderDeps,
  order: Order,
  actor: Actor,
): Promise<Order | undefined> {
  const provider = orders.deps.providers.find(order.providerId)
  if (!provider) return undefined
  const answer = await call(orders, { provider, order, attempt: { what: 'cancel' }, when: {} })
  return withOrder(orders, order, { actor }, (locked) => recordCancelled(locked, answer))
}
