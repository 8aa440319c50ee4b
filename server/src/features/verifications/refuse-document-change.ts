import { fail } from '../../kernel/errors.ts'
import { formatId } from '../../kernel/ids.ts'
import type { InternalEvents } from '../../infra/internal-events.ts'
import type { Work } from '../../infra/work.ts'
import { findLatestVerification, findVerificationWith } from './store.ts'

/**
 * DOC-12: what is under review, or was decided upon, is not taken away, whichever verification it was submitted with.
 * Once the platform is asked for more, it may give something better. Fails: CONFLICT.
 */
export async function refuseDocumentChange(
  { tx, platform }: Work,
  { customerId, documentId }: InternalEvents['documents.changing'],
): Promise<void> {
  const latest = await findLatestVerification(tx, platform.id, customerId)
  if (!latest || latest.status === 'RESOLVE_ERRORS') return
  const id = await findVerificationWith(tx, platform.id, { customerId, documentId })
  if (id) fail('CONFLICT', { verificationId: formatId('verification', id) })
}
