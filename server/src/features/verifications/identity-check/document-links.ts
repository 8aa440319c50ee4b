import { digestSecret, newSecret } from '../../../crypto/secret-hash.ts'
import { addMs, DAY_MS, toWireTime } from '../../../kernel/clock.ts'
import { failNotFound, formatId, parseId } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { findOrder, isOpen, type Order } from '../../../orders/index.ts'
import type { Inbound } from '../../providers/index.ts'
import { insertFileLinks, listSubmittedFiles, type SubmittedFile } from './store.ts'

const LIFETIME_MS = DAY_MS

export type DocumentLink = Readonly<{ id: string; url: string; urlExpiresAt: Date }>

/** Creates addresses for the documents of an order; only their digests are stored (PROV-91). */
export function createDocumentLinks(
  { tx, platform, settings, now }: Work,
  order: Order,
  files: readonly SubmittedFile[],
): readonly DocumentLink[] {
  const expiresAt = addMs(now, LIFETIME_MS)
  const tokens = files.map(() => newSecret())
  insertFileLinks(tx, {
    platformId: platform.id,
    orderId: order.id,
    files,
    tokenDigests: tokens.map(digestSecret),
    expiresAt,
  })
  return files.map(({ documentId }, index) => ({
    id: formatId('document', documentId),
    url: `${settings.publicUrl}/provider-files/${tokens[index]}`,
    urlExpiresAt: expiresAt,
  }))
}

/** `POST …/document-links`: creates new addresses for an open order. Fails: REFERENCE_NOT_FOUND. */
export async function renewDocumentLinks(
  { deps, provider, inPlatform }: Inbound,
  { orderId }: Readonly<{ orderId: string }>,
): Promise<unknown> {
  const id = parseId('order', orderId)
  const order = id && (await findOrder(deps.db.read, id))
  const isOwn = order?.providerId === provider.id && order.type === 'IDENTITY_CHECK'
  if (!isOwn || order.state === 'QUEUED' || !isOpen(order.state)) return failNotFound('order')
  return inPlatform(order.platformId, async (work) => {
    const files = await listSubmittedFiles(work, String(order.request['snapshotId']))
    const documents = createDocumentLinks(work, order, files).map((link) => ({
      ...link,
      urlExpiresAt: toWireTime(link.urlExpiresAt),
    }))
    return { documents }
  })
}
