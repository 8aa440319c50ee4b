/**
 * Files of a link that passed the inspection: the page asks before it sends, so the upload need not be inspected or
 * counted again. Refusals are not kept, since an overloaded service may have been the reason.
 */
import type { inspectUpload } from '../../../features/documents/index.ts'

type Asked = Parameters<typeof inspectUpload>[1]
export type Inspected = Awaited<ReturnType<typeof inspectUpload>>

const FILES_MAX = 1_000

const accepted = new Map<string, Inspected>()

const keyOf = (linkId: string, { file, documentType }: Asked): string =>
  JSON.stringify([linkId, file.digest, file.fileName, documentType])

export const findAccepted = (linkId: string, asked: Asked): Inspected | undefined =>
  accepted.get(keyOf(linkId, asked))

export function keepAccepted(linkId: string, asked: Asked, inspected: Inspected): void {
  if (inspected.rejection) return
  accepted.set(keyOf(linkId, asked), inspected)
  const [oldest] = accepted.keys()
  if (accepted.size > FILES_MAX && oldest !== undefined) accepted.delete(oldest)
}
