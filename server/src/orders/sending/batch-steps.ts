import { describeActor } from '../../kernel/access/actor.ts'
import { isUnavailable } from '../../infra/db/connection/unavailable.ts'
import { gather } from '../../infra/gather.ts'
import type { Order } from '../order.ts'
import {
  withOrders,
  type ActorAt,
  type LockedOrder,
  type OrderDeps,
  type RunBatched,
} from '../with-order.ts'

type Step = Readonly<{ found: Order; body: (locked: LockedOrder) => Promise<unknown> }>
type Outcome = Readonly<{ result: unknown } | { error: unknown }>
type Group = { run: (step: Step) => Promise<Outcome>; underWay: number }

/**
 * Runs concurrent steps of one platform, provider and actor in one transaction. A lock wait on one platform's payment
 * or one provider therefore delays no other.
 */
export function createBatchRunner(orders: OrderDeps): RunBatched {
  const groups = new Map<string, Group>()
  return async <T>(found: Order, by: ActorAt, body: (locked: LockedOrder) => Promise<T>) => {
    const name = `${found.platformId} ${found.providerId} ${describeActor(by.actor)}`
    const group = groups.get(name) ?? {
      run: gather((steps: readonly Step[]) => runSteps(orders, by, steps)),
      underWay: 0,
    }
    groups.set(name, group)
    group.underWay += 1
    try {
      const outcome = await group.run({ found, body })
      if ('error' in outcome) throw outcome.error
      return outcome.result as T
    } finally {
      group.underWay -= 1
      if (group.underWay === 0) groups.delete(name)
    }
  }
}

/** Retries the steps of a failed batch one by one, so that one order cannot fail the others. */
async function runSteps(
  orders: OrderDeps,
  by: ActorAt,
  steps: readonly Step[],
): Promise<Outcome[]> {
  try {
    const found = steps.map((step) => step.found)
    const results = await withOrders(orders, found, by, (locked, index) =>
      (steps[index] as Step).body(locked),
    )
    return results.map((result) => ({ result }))
  } catch (error) {
    if (steps.length === 1 || isUnavailable(error)) return steps.map(() => ({ error }))
    const outcomes: Outcome[] = []
    for (const step of steps) outcomes.push(...(await runSteps(orders, by, [step])))
    return outcomes
  }
}
