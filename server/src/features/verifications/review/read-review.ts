import { failNotFound, parseId } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { ownersOf, type BeneficialOwner } from '../../beneficial-owners/index.ts'
import { findCustomer, type Customer } from '../../customers/index.ts'
import { documentsOf, type Document } from '../../documents/index.ts'
import { listDecisions, type IdentityDecision } from '../identity-check/store.ts'
import { mustFindVerification } from '../find-verification.ts'
import { listOpenFlags, type ReviewFlag } from '../flags/store.ts'
import { openSnapshot, type OpenSnapshot } from '../submission/snapshot.ts'
import { findLatestSnapshotId, findLatestVerification } from '../store.ts'
import type { Verification } from '../verification.ts'

export type ReviewFile = Readonly<{
  customer: Customer
  owners: readonly BeneficialOwner[]
  documents: readonly Document[]
  verification: Verification | undefined
  snapshot: OpenSnapshot | undefined
  /** The providers' decisions about the verification. */
  decisions: readonly IdentityDecision[]
  /** Open findings of screenings and alerts. */
  flags: readonly ReviewFlag[]
}>

/**
 * Everything about a review, at present and as last submitted. `id` as in lockReview.
 * Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND.
 */
export async function readReview(work: Work, id: string): Promise<ReviewFile> {
  const { tx, platform } = work
  const verificationId = parseId('verification', id)
  const named = verificationId && (await mustFindVerification(work, verificationId))
  const customerId = named?.customerId ?? parseId('customer', id) ?? failNotFound('verification')
  const customer = (await findCustomer(work, customerId)) ?? failNotFound('customer')
  const [owners, documents, latest, flags] = await Promise.all([
    ownersOf(work, customerId),
    documentsOf(work, customerId),
    findLatestVerification(tx, platform.id, customerId),
    listOpenFlags(work, customerId),
  ])
  const verification = named ?? latest
  const snapshotId =
    verification?.snapshotId ?? (await findLatestSnapshotId(tx, platform.id, customerId))
  const snapshot = snapshotId === undefined ? undefined : await openSnapshot(work, snapshotId)
  const decisions = verification ? await listDecisions(work, verification.id) : []
  return { customer, owners, documents, verification, snapshot, decisions, flags }
}
