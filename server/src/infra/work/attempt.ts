import type { ApiError } from '../../kernel/errors.ts'
import { toApiError } from '../db/statement/constraints.ts'
import { sql, type Sql } from '../db/statement/sql.ts'
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
      isAttempted: true,
      afterCommit: (effect) => void effects.push(effect),
    },
    keep() {
      queued.forEach((query) => work.tx.trail(query))
      effects.forEach((effect) => work.afterCommit(effect))
      mergeOutbox({ from: outbox, into: work.outbox })
    },
  }
}

/** The savepoint is not waited for: it travels with the first statement of the act. */
async function fromSavepoint<T>({ tx }: Work, act: () => Promise<T>): Promise<T> {
  const [, result] = await Promise.all([tx.run(sql`savepoint attempt`), act()])
  return result
}

async function undo(work: Work): Promise<void> {
  await work.tx.run(sql`rollback to savepoint attempt`)
  await leave(work)
}

/** Only inside of another: of one name just the latest savepoint can be rolled back to. */
async function leave({ tx, isAttempted }: Work): Promise<void> {
  if (isAttempted) await tx.run(sql`release savepoint attempt`)
}

const isRefusal = ({ status }: ApiError): boolean => status < 500

/** Acts or, where that is refused, undoes everything and answers the refusal. Bugs and outages are thrown. */
export async function attempt<T>(
  work: Work,
  act: (work: Work) => Promise<T>,
  isUndone: (error: ApiError) => boolean = isRefusal,
): Promise<Readonly<{ ok: true; result: T } | { ok: false; error: ApiError }>> {
  const aside = setAside(work)
  try {
    const result = await fromSavepoint(work, () => act(aside.work))
    await leave(work)
    aside.keep()
    return { ok: true, result }
  } catch (error) {
    const refusal = toApiError(error)
    if (!isUndone(refusal)) throw error
    await undo(work)
    return { ok: false, error: refusal }
  }
}

/** Acts and undoes it: what would be refused is refused now, and nothing is left of the rest. */
export async function rehearse(work: Work, act: (work: Work) => Promise<unknown>): Promise<void> {
  await fromSavepoint(work, () => act(setAside(work).work))
  await undo(work)
}
