import type { Id } from '../../kernel/ids.ts'
import { given, type Columns } from '../../infra/db/statement/given.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { BulkImport, FailedRow, RowError } from './bulk-import.ts'

type PlatformId = Id<'platform'>

const COLUMNS = sql`id, file_id, status, columns, next_byte, total, successful, failed, created_at, completed_at`

export function insertImport(tx: Tx, platformId: PlatformId, one: BulkImport): void {
  tx.queueWrite(
    sql`insert into bulk_imports (platform_id, id, file_id, status, created_at)
        values (${platformId}, ${one.id}, ${one.fileId}, ${one.status}, ${one.createdAt})`,
  )
}

export const findImportRow = (
  tx: Tx,
  platformId: PlatformId,
  id: Id<'job'>,
): Promise<BulkImport | undefined> =>
  tx.find<BulkImport>(
    sql`select ${COLUMNS} from bulk_imports where platform_id = ${platformId} and id = ${id}`,
  )

export const lockImport = (tx: Tx, platformId: PlatformId, id: Id<'job'>): Promise<BulkImport> =>
  tx.one<BulkImport>(
    sql`select ${COLUMNS} from bulk_imports where platform_id = ${platformId} and id = ${id} for no key update`,
  )

/** Saves the fields that change; the row is locked. */
export function saveImport(tx: Tx, platformId: PlatformId, one: BulkImport): void {
  tx.queueWrite(
    sql`update bulk_imports set status = ${one.status}, columns = ${one.columns}::text[], next_byte = ${one.nextByte},
          total = ${one.total}, successful = ${one.successful}, failed = ${one.failed},
          completed_at = ${one.completedAt}
        where platform_id = ${platformId} and id = ${one.id}`,
  )
}

type Of = Readonly<{ importId: Id<'job'>; max: number }>

const FAILED_ROW: Columns<FailedRow> = {
  row: ['integer', ({ row }) => row],
  entry: ['jsonb', ({ entry }) => sql.json(entry)],
}

/** Keeps the first `max` errors of an import. */
export async function insertErrors(
  tx: Tx,
  platformId: PlatformId,
  { importId, max, errors }: Of & Readonly<{ errors: readonly FailedRow[] }>,
): Promise<void> {
  await tx.run(
    sql`insert into bulk_import_errors (platform_id, import_id, row, entry)
        select ${platformId}, ${importId}, row, entry
        from ${given('e', FAILED_ROW, errors)}
        order by row
        limit greatest(0, ${max} - (select count(*) from bulk_import_errors
          where platform_id = ${platformId} and import_id = ${importId}))`,
  )
}

/** Errors in the order of the file. */
export async function listErrors(
  tx: Tx,
  platformId: PlatformId,
  { importId, max }: Of,
): Promise<readonly RowError[]> {
  const rows = await tx.many<{ entry: RowError }>(
    sql`select entry from bulk_import_errors where platform_id = ${platformId} and import_id = ${importId}
        order by row limit ${max}`,
  )
  return rows.map(({ entry }) => entry)
}
