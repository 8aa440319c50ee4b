import { failNotFound, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import { ERRORS_MAX, type BulkImport, type RowError } from './bulk-import.ts'
import { findImportRow, listErrors } from './store.ts'

/** An import of the platform with its errors (BULK-11). Fails: BULK_UPLOAD_JOB_NOT_FOUND. */
export async function mustFindImport(
  { tx, platform }: Pick<Work, 'tx' | 'platform'>,
  id: Id<'job'>,
): Promise<Readonly<{ found: BulkImport; errors: readonly RowError[] }>> {
  const found = (await findImportRow(tx, platform.id, id)) ?? failNotFound('job')
  const errors = await listErrors(tx, platform.id, { importId: id, max: ERRORS_MAX })
  return { found, errors }
}
