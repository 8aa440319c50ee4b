import { fail } from '../../kernel/errors.ts'
import { formatId } from '../../kernel/ids.ts'
import type { InternalEvents } from '../../infra/internal-events.ts'
import type { Work } from '../../infra/work.ts'
import { findLatestVerification, isInSnapshot } from './store.ts'

/**
 * DOC-12: what is under review, or was decided upon, is not taken away. Once the platform is asked for more, it may
 * give something better. Fails: CONFLICT.
 */
export async function refuseDocumentChange(
  { tx, platform }: Work,
  { customerId, documentId }: InternalEvents['documents.changing'],
): Promise<void> {
  const latest = await findLatestVerification(tx, platform.id, customerId)
  if (!latest?.snapshotId || latest.status === 'RESOLVE_ERRORS') return
  const { snapshotId, id } = latest
  if (await isInSnapshot(tx, platform.id, { snapshotId, documentId })) {
    fail('CONFLICT', { verificationId: formatId('verification', id) })
  }
}
