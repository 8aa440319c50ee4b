/**
 * Which uploaded files are kept. A file is written whole, under an id that nobody has had, before the transaction
 * begins; the row that the transaction writes here keeps it. So a row always has its file. A file without a row (of a
 * refused upload, or from a crash in between) is removed by the process that notices it, at the latest by the housekeeper.
 */
import { HOUR_MS, addMs } from '../../kernel/clock.ts'
import { sql } from '../db/statement/sql.ts'
import type { Tx } from '../db/tx.ts'
import type { Deps } from '../deps.ts'
import type { FileStore } from './files.ts'
import type { Work } from '../work/work.ts'

/** Longer than any request takes: a younger file may belong to a transaction that is still running. */
const SWEEP_AGE_MS = HOUR_MS
const SWEPT_AT_ONCE = 500

export type FileRow = Readonly<{ id: string; bytes: number; digest: Buffer }>

/** The file stays: this row is what keeps it. Written at once, for rows of this transaction that refer to it. */
export async function keepFile(
  { tx, platform, now }: Work,
  { id, bytes, digest }: FileRow,
): Promise<void> {
  await tx.run(
    sql`insert into stored_files (platform_id, id, bytes, digest, created_at)
        values (${platform.id}, ${id}, ${bytes}, ${digest}, ${now})`,
  )
}

/** Which of these files a row keeps. */
async function findKept(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.many<{ id: string }>(
    sql`select id from stored_files where id = any(${ids}::uuid[])`,
  )
  return new Set(rows.map(({ id }) => id))
}

async function eraseUnkept(files: FileStore, tx: Tx, ids: readonly string[]): Promise<number> {
  const kept = await findKept(tx, ids)
  const orphans = ids.filter((id) => !kept.has(id))
  for (const id of orphans) await files.erase(id)
  return orphans.length
}

/** Removes one file unless a row keeps it: used where the outcome of a commit is unknown. */
export const dropFile = ({ files, db }: Pick<Deps, 'files' | 'db'>, id: string): Promise<number> =>
  eraseUnkept(files, db.read, [id])

/** Removes what was left behind long enough ago, and answers how many files that were. */
export async function sweepFiles({
  files,
  db,
  clock,
}: Pick<Deps, 'files' | 'db' | 'clock'>): Promise<number> {
  let swept = 0
  let batch: string[] = []
  for await (const id of files.listBefore(addMs(clock.now(), -SWEEP_AGE_MS))) {
    batch.push(id)
    if (batch.length < SWEPT_AT_ONCE) continue
    swept += await eraseUnkept(files, db.read, batch)
    batch = []
  }
  return batch.length === 0 ? swept : swept + (await eraseUnkept(files, db.read, batch))
}
