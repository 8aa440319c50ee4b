import { formatId } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Customer } from '../../customers/index.ts'
import { findErrors, findMissing, isSameEntry } from './find-errors.ts'
import { isUnderReview } from '../status/machine.ts'
import { documentsIn, readPacket, type Packet } from './packet.ts'
import { findOpenVerification } from '../store.ts'
import { isFinal } from './submit-verification.ts'
import type { ErrorEntry, Verification } from '../verification.ts'

/**
 * The errors that a submission would have now, or the unresolved ones of the latest; none while it is under review or
 * decided (KYC-28). Refuses nothing.
 */
export async function readRequirements(
  work: Pick<Work, 'tx' | 'platform' | 'ports' | 'keyring' | 'now'>,
  customer: Customer,
): Promise<readonly ErrorEntry[]> {
  const { tx, platform } = work
  if (isFinal(customer)) return []
  const open = await findOpenVerification(tx, platform.id, customer.id)
  if (open && isUnderReview(open.status)) return []
  const packet = await readPacket(work, customer)
  const reviewerEntries = open?.reviewerEntries ?? []
  const { errors } = findMissing(work, packet, reviewerEntries)
  if (errors.length > 0 || !open) return errors
  const again = findErrors(work, packet, reviewerEntries).errors
  return again.filter((entry) => isStillRequested(packet, open, entry))
}

const isStillRequested = (packet: Packet, open: Verification, entry: ErrorEntry): boolean =>
  open.errors.some((requested) => isSameEntry(requested, entry)) &&
  !documentsIn(packet).some(
    ({ id, uploadedAt }) =>
      formatId('document', id) === entry.resourceId && uploadedAt > open.submittedAt,
  )
