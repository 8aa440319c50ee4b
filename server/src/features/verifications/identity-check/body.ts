import { toWireTime } from '../../../kernel/clock.ts'
import { formatId, mustParseId } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Order } from '../../../orders/index.ts'
import { verificationMode, type CustomerRecord } from '../../customers/index.ts'
import { mustFindVerification } from '../find-verification.ts'
import { openSnapshot, type SnapshotContent } from '../submission/snapshot.ts'
import { createDocumentLinks } from './document-links.ts'
import { listSubmittedFiles } from './store.ts'

/** Reads the data as it was submitted, whatever has changed since (PROV-90, VER-9). */
export async function readSubmission(work: Work, { request }: Order): Promise<SnapshotContent> {
  const snapshot = await openSnapshot(work, String(request['snapshotId']))
  invariant(snapshot, 'A check is about a submission.')
  return snapshot.content
}

export async function identityCheckBody(work: Work, order: Order): Promise<CustomerRecord> {
  const { platform } = work
  const id = mustParseId('verification', order.subject ?? '')
  const [{ customerId }, submitted] = await Promise.all([
    mustFindVerification(work, id),
    readSubmission(work, order),
  ])
  const { previousOrderId } = order.request
  return {
    verificationId: formatId('verification', id),
    customerType: submitted.customer['customerType'],
    mode: verificationMode(platform),
    customer: { id: formatId('customer', customerId), ...submitted.customer },
    owners: submitted.beneficialOwners,
    documents: await documentsOf(work, order, submitted.documents),
    ...(previousOrderId !== undefined && { previousOrderId }),
  }
}

/** Adds the address of each file. A file that was replaced while the order waited is left out. */
async function documentsOf(
  work: Work,
  order: Order,
  submitted: readonly CustomerRecord[],
): Promise<readonly CustomerRecord[]> {
  const files = await listSubmittedFiles(work, String(order.request['snapshotId']))
  const links = createDocumentLinks(work, order, files)
  return submitted.flatMap((document) => {
    const link = links.find(({ id }) => id === document['id'])
    const file = files.find(({ documentId }) => formatId('document', documentId) === document['id'])
    if (!link || !file || file.digest.toString('hex') !== document['digest']) return []
    const { id, documentHolder: holder, digest: sha256, fileName: _, ...rest } = document
    const { url, urlExpiresAt } = link
    const { mediaType: mimeType, bytes: size } = file
    const expires = toWireTime(urlExpiresAt)
    return [{ id, holder, ...rest, mimeType, size, sha256, url, urlExpiresAt: expires }]
  })
}
