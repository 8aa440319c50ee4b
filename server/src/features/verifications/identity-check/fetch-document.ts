import { digestSecret } from '../../../crypto/secret-hash.ts'
import { formatId } from '../../../kernel/ids.ts'
import { audit } from '../../../infra/work/audit.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Work } from '../../../infra/work/work.ts'
import { isOpen } from '../../../orders/index.ts'
import { findFileLink, type FileLink } from './store.ts'

export const findProviderFile = (tx: Tx, token: string): Promise<FileLink | undefined> =>
  findFileLink(tx, digestSecret(token))

/**
 * The file of an address that a provider received; undefined once the address has expired or the order is final. Each
 * fetch writes an audit entry (PROV-91).
 */
export async function fetchProviderFile(
  work: Work,
  link: FileLink,
): Promise<Readonly<{ fileId: string; mediaType: string }> | undefined> {
  const { fileId, mediaType, documentId, orderId } = link
  const isUsable = work.now < link.expiresAt && isOpen(link.state)
  if (!isUsable || fileId === null || mediaType === null) return undefined
  audit(work, {
    action: 'provider-files fetch',
    resource: formatId('document', documentId),
    note: formatId('order', orderId),
  })
  return { fileId, mediaType }
}
