import { failNotFound, newUuid, type Id } from '../kernel/ids.ts'
import { invariant } from '../kernel/invariant.ts'
import type { Actor } from '../kernel/access/actor.ts'
import type { Deps } from '../infra/deps.ts'
import { findPlatform } from '../infra/platforms.ts'
import { inWork } from '../infra/work/in-work.ts'
import type { Work } from '../infra/work/work.ts'
import type { Metrics } from '../infra/logging/metrics.ts'
import type { OrderKind, OrderKinds } from './order-kind.ts'
import type { Order } from './order.ts'
import type { CountCall } from './sending/count-calls.ts'
import { lockOrder } from './store.ts'

/** An order that is locked together with its subject, in a Work of its platform. */
export type LockedOrder = Readonly<{ work: Work; kind: OrderKind; order: Order }>

export type OrderDeps = Readonly<{
  deps: Deps
  kinds: OrderKinds
  metrics?: Metrics
  /** Counts concurrent calls in one transaction; absent where a single call is made. */
  countCall?: CountCall
  /** Runs steps of several orders in one transaction; absent where a single order is sent. */
  runBatched?: RunBatched
}>

export type ActorAt = Readonly<{
  actor: Actor
  /** The platform's time, where a clock is being moved. */
  now?: Date | undefined
}>

/** Runs the body as `withOrder` does, for a body that only reads and queues writes. */
export type RunBatched = <T>(
  found: Order,
  by: ActorAt,
  body: (locked: LockedOrder) => Promise<T>,
) => Promise<T>

export function kindOf(kinds: OrderKinds, { type }: Pick<Order, 'type'>): OrderKind {
  const kind = kinds.get(type)
  invariant(kind, `There is a kind for orders of type ${type}.`)
  return kind
}

/** Opens one transaction in a platform, for work on its orders and exceptions. */
export async function inPlatformOf<T>(
  deps: Deps,
  platformId: Id<'platform'>,
  { actor, now }: ActorAt,
  body: (work: Work) => Promise<T>,
): Promise<T> {
  const platform = (await findPlatform(deps.db.read, platformId)) ?? failNotFound('platform')
  const workFor = { platform, actor, requestId: `order:${newUuid()}`, ...(now && { now }) }
  return inWork(deps, workFor, body)
}

/** Opens a transaction and locks the order's subject, then the order: payments are locked before their orders everywhere. */
export const withOrder = <T>(
  { deps, kinds }: OrderDeps,
  found: Order,
  by: ActorAt,
  body: (locked: LockedOrder) => Promise<T>,
): Promise<T> =>
  inPlatformOf(deps, found.platformId, by, async (work) =>
    body(await lockWithSubject(work, kinds, found)),
  )

/** Like `withOrder` for several orders of one platform in one transaction. A body may only read and queue writes. */
export const withOrders = <T>(
  { deps, kinds }: OrderDeps,
  found: readonly Order[],
  by: ActorAt,
  body: (locked: LockedOrder, index: number) => Promise<T>,
): Promise<T[]> =>
  inPlatformOf(deps, (found[0] as Order).platformId, by, (work) =>
    Promise.all(
      found.map(async (one, index) => body(await lockWithSubject(work, kinds, one), index)),
    ),
  )

async function lockWithSubject(work: Work, kinds: OrderKinds, found: Order): Promise<LockedOrder> {
  const kind = kindOf(kinds, found)
  await kind.lock(work, found)
  const order = (await lockOrder(work.tx, work.platform.id, found.id)) ?? failNotFound('order')
  return { work, kind, order }
}
