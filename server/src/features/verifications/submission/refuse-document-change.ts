import { fail } from '../../../kernel/errors.ts'
import { formatId, type Id } from '../../../kernel/ids.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { findBeneficialOwner, isOutside } from '../../beneficial-owners/index.ts'
import { mustFindDocument } from '../../documents/index.ts'
import { findLatestVerification, findVerificationWith } from '../store.ts'
import type { Verification } from '../verification.ts'

/**
 * Documents under review or decided on cannot be changed (DOC-12), unless better ones are requested.
 * Fails: CONFLICT.
 */
export async function refuseDocumentChange(
  work: Work,
  { customerId, documentId }: InternalEvents['documents.changing'],
): Promise<void> {
  const { tx, platform } = work
  const latest = await findLatestVerification(tx, platform.id, customerId)
  if (!latest || (await isRequested(work, latest, documentId))) return
  const id = await findVerificationWith(tx, platform.id, { customerId, documentId })
  if (id) fail('CONFLICT', { verificationId: formatId('verification', id) })
}

/** An owner review permits changes of its owners' documents, and of those that it names. */
async function isRequested(
  work: Work,
  { status, isOwnerReview, errors }: Verification,
  documentId: Id<'document'>,
): Promise<boolean> {
  if (status !== 'RESOLVE_ERRORS') return false
  const wireId = formatId('document', documentId)
  if (!isOwnerReview || errors.some(({ resourceId }) => resourceId === wireId)) return true
  const { holder } = await mustFindDocument(work, documentId)
  if (holder.kind !== 'beneficialOwner') return false
  const owner = await findBeneficialOwner(work, holder.id)
  return owner !== undefined && isOutside(owner)
}
