import { seal, sealedHeader, unseal, UnsealError } from '../../crypto/seal.ts'
import type { Keyring } from '../../crypto/keyring.ts'
import type { Deps } from '../../infra/deps.ts'
import {
  countByKey,
  listStale,
  replaceSealed,
  type FreshValue,
  type StaleValue,
} from './reseal-store.ts'
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts'

export type Resealed = Readonly<{ what: string; resealed: number; unopened: number }>

/**
 * Seals what older keys protect again under the newest (CORE-90), and what is in plain where it is to be sealed (OPER-78), a batch at a time, each in a transaction of its own:
 * the service goes on beside it, and a run that was stopped is taken up by the next. What does not open stays as it is
 * and is counted.
 */
export async function resealAll(deps: Deps, batchSize: number): Promise<Resealed[]> {
  const done: Resealed[] = []
  for (const column of SEALED_COLUMNS) done.push(await resealColumn(deps, column, batchSize))
  return [...done, await resealFiles(deps)]
}

async function resealColumn(
  { db, keyring }: Deps,
  column: SealedColumn,
  limit: number,
): Promise<Resealed> {
  const header = sealedHeader(keyring.newestKeyId)
  let after: readonly string[] | undefined
  let resealed = 0
  let unopened = 0
  for (;;) {
    // Counted when it is committed: the transaction may be retried.
    const batch = await db.transaction(async (tx) => {
      const found = await listStale(tx, column, { header, after, limit })
      const opened = found.flatMap((stale) => {
        const fresh = sealAgain(keyring, column, stale)
        return fresh ? [{ stale, fresh }] : []
      })
      const replaced = await Promise.all(opened.map((one) => replaceSealed(tx, column, one)))
      return {
        found,
        resealed: replaced.filter(Boolean).length,
        unopened: found.length - opened.length,
      }
    })
    resealed += batch.resealed
    unopened += batch.unopened
    after = batch.found.at(-1)?.key
    if (batch.found.length < limit) break
  }
  return { what: `${column.table}.${column.column}`, resealed, unopened }
}

function sealAgain(
  keyring: Keyring,
  { purpose, beside }: SealedColumn,
  { sealed, plain, context, read }: StaleValue,
): FreshValue | undefined {
  try {
    const opened = sealed
      ? sealed.map((value) => unseal(keyring, purpose, value, context))
      : [Buffer.from(plain ?? '')]
    const [first] = opened
    return {
      sealed: opened.map((value) => seal(keyring, purpose, value, context)),
      beside: (first && beside?.make(keyring, first, read)) ?? [],
    }
  } catch (error) {
    if (error instanceof UnsealError) return undefined
    throw error
  }
}

async function resealFiles({ files, clock }: Deps): Promise<Resealed> {
  let resealed = 0
  let unopened = 0
  for await (const id of files.listBefore(clock.now())) {
    const outcome = await files.reseal(id)
    if (outcome === 'RESEALED') resealed += 1
    if (outcome === 'UNOPENED') unopened += 1
  }
  return { what: 'files', resealed, unopened }
}

/** How many values, in the database and in files, each key protects. */
export async function countSealedByKey({ db, files, clock }: Deps): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const add = (keyId: string, count: number): void =>
    void counts.set(keyId, (counts.get(keyId) ?? 0) + count)
  for (const column of SEALED_COLUMNS) {
    const found = await db.transaction((tx) => countByKey(tx, column), { isLong: true })
    for (const { keyId, count } of found) add(keyId, count)
  }
  for await (const id of files.listBefore(clock.now())) {
    const keyId = await files.keyIdOf(id)
    if (keyId !== undefined) add(keyId, 1)
  }
  return counts
}
