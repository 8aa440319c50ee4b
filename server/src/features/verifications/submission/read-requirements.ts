import { formatId } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import type { Customer } from '../../customers/index.ts'
import { findErrors, findLacking, isSameEntry } from './find-errors.ts'
import { isUnderReview } from '../status/machine.ts'
import { documentsIn, readPacket, type Packet } from './packet.ts'
import { findOpenVerification } from '../store.ts'
import { isFinal } from './submit-verification.ts'
import type { ErrorEntry, Verification } from '../verification.ts'

/**
 * What a submission would lack, were it made now, or what the latest one was sent back for and nobody has seen to;
 * nothing once there is nothing more to submit (KYC-28). Refuses nothing.
 */
export async function readRequirements(
  work: Pick<Work, 'tx' | 'platform' | 'keyring' | 'now'>,
  customer: Customer,
): Promise<readonly ErrorEntry[]> {
  const { tx, platform } = work
  if (isFinal(customer)) return []
  const open = await findOpenVerification(tx, platform.id, customer.id)
  if (open && isUnderReview(open.status)) return []
  const packet = await readPacket(work, customer)
  const reviewerEntries = open?.reviewerEntries ?? []
  const { errors } = findLacking(work, packet, reviewerEntries)
  if (errors.length > 0 || !open) return errors
  const again = findErrors(work, packet, reviewerEntries).errors
  return again.filter((entry) => isUnattended(packet, open, entry))
}

const isUnattended = (packet: Packet, open: Verification, entry: ErrorEntry): boolean =>
  open.errors.some((asked) => isSameEntry(asked, entry)) &&
  !documentsIn(packet).some(
    ({ id, uploadedAt }) =>
      formatId('document', id) === entry.resourceId && uploadedAt > open.submittedAt,
  )
