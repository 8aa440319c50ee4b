import { type ApiError } from '../kernel/errors.ts'
import { toApiError } from './db/constraints.ts'
import { sql, type Sql } from './db/sql.ts'
import { mergeOutbox, newOutbox } from './outbox.ts'
import type { Work } from './work.ts'

type Aside = Readonly<{ work: Work; keep(): void }>

/** A Work whose writes, events and effects wait to be kept. */
function setAside(work: Work): Aside {
  const queued: Sql[] = []
  const effects: (() => void)[] = []
  const outbox = newOutbox()
  return {
    work: {
      ...work,
      tx: { ...work.tx, trail: (query) => void queued.push(query) },
      outbox,
      afterCommit: (effect) => void effects.push(effect),
    },
    keep() {
      queued.forEach((query) => work.tx.trail(query))
      effects.forEach((effect) => work.afterCommit(effect))
      mergeOutbox({ from: outbox, into: work.outbox })
    },
  }
}

/** Does it and undoes it: whatever would be refused is refused now, and nothing is left of the rest. */
export async function rehearse(work: Work, act: (work: Work) => Promise<unknown>): Promise<void> {
  await work.tx.run(sql`savepoint rehearsal`)
  await act(setAside(work).work)
  await work.tx.run(sql`rollback to savepoint rehearsal`)
}

/** Does it or, where it is refused, undoes it and answers the refusal. Bugs and outages are thrown as ever. */
export async function attempt<T>(
  work: Work,
  act: (work: Work) => Promise<T>,
): Promise<Readonly<{ ok: true; result: T } | { ok: false; error: ApiError }>> {
  await work.tx.run(sql`savepoint attempt`)
  const aside = setAside(work)
  try {
    const result = await act(aside.work)
    aside.keep()
    return { ok: true, result }
  } catch (error) {
    const refusal = toApiError(error)
    if (refusal.status >= 500) throw error
    await work.tx.run(sql`rollback to savepoint attempt`)
    return { ok: false, error: refusal }
  }
}
