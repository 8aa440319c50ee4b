import type { ApiError } from '../../kernel/errors.ts'
import { toApiError } from '../db/statement/constraints.ts'
import { sql, type Sql } from '../db/statement/sql.ts'
import { mergeOutbox, newOutbox } from './outbox.ts'
import type { Work } from './work.ts'

type Attempt = Readonly<{ work: Work; keep(): void }>

/** A Work that collects queued writes, events and effects until `keep` hands them to the outer one. */
function newAttempt(work: Work): Attempt {
  const queued: Sql[] = []
  const effects: (() => void)[] = []
  const outbox = newOutbox()
  return {
    work: {
      ...work,
      tx: { ...work.tx, queueWrite: (query) => void queued.push(query) },
      outbox,
      isAttempted: true,
      afterCommit: (effect) => void effects.push(effect),
    },
    keep() {
      queued.forEach((query) => work.tx.queueWrite(query))
      effects.forEach((effect) => work.afterCommit(effect))
      mergeOutbox({ from: outbox, into: work.outbox })
    },
  }
}

/** The savepoint is not awaited, so that it is sent together with the first statement of the act. */
async function fromSavepoint<T>({ tx }: Work, act: () => Promise<T>): Promise<T> {
  const [, result] = await Promise.all([tx.run(sql`savepoint attempt`), act()])
  return result
}

async function undo(work: Work): Promise<void> {
  await work.tx.run(sql`rollback to savepoint attempt`)
  await releaseNested(work)
}

/** Releases the savepoint of an attempt inside another one, which could not roll back to its own otherwise. */
async function releaseNested({ tx, isAttempted }: Work): Promise<void> {
  if (isAttempted) await tx.run(sql`release savepoint attempt`)
}

const isRefusal = ({ status }: ApiError): boolean => status < 500

/** Runs `act`; if it is refused, rolls it back and returns the refusal. Bugs and outages are thrown. */
export async function attempt<T>(
  work: Work,
  act: (work: Work) => Promise<T>,
  isUndone: (error: ApiError) => boolean = isRefusal,
): Promise<Readonly<{ ok: true; result: T } | { ok: false; error: ApiError }>> {
  const attempt = newAttempt(work)
  try {
    const result = await fromSavepoint(work, () => act(attempt.work))
    await releaseNested(work)
    attempt.keep()
    return { ok: true, result }
  } catch (error) {
    const refusal = toApiError(error)
    if (!isUndone(refusal)) throw error
    await undo(work)
    return { ok: false, error: refusal }
  }
}

/** Runs `act` and rolls it back, in order to refuse now what would be refused later. */
export async function rehearse(work: Work, act: (work: Work) => Promise<unknown>): Promise<void> {
  await fromSavepoint(work, () => act(newAttempt(work).work))
  await undo(work)
}
