import { invariant } from '../../../kernel/invariant.ts'
import type { Platform } from '../../../kernel/platform.ts'
import type { FileStore } from '../../../infra/files/files.ts'
import type { Upload } from '../../../infra/http/input/upload.ts'
import type { Rejection } from '../../../providers/document-inspection/document-inspector.ts'
import { inspectorFor } from '../../../providers/document-inspection/inspector-for.ts'
import type { MediaType } from '../document.ts'
import type { DocumentType } from '../document-types.ts'
import { sniffMediaType } from './sniff-media-type.ts'

/** The result of an inspection, which takes too long for a transaction and so runs before it. */
export type Inspected = Readonly<{ mediaType: MediaType; rejection: Rejection | undefined }>

type Inspecting = Readonly<{
  files: FileStore
  platform: Pick<Platform, 'id' | 'environment'>
  /** The KYC link of the upload; inspections of one link run one after the other. */
  linkId?: string
}>

/** Inspects a file that passed checkDocument. The transaction decides later whether to refuse it (CORE-32). */
export async function inspectUpload(
  { files, platform, linkId }: Inspecting,
  { file, documentType }: Readonly<{ file: Upload; documentType: DocumentType }>,
): Promise<Inspected> {
  const mediaType = sniffMediaType(file.head())
  invariant(mediaType, 'only a file of a known type is looked at')
  const read = async () => Buffer.concat(await Array.fromAsync(files.read(file.id)))
  const share = { platform: platform.id, source: linkId ?? 'api' }
  const asked = { documentType, mediaType, fileName: file.fileName, share, read }
  const rejection = await inspectorFor(platform).inspect(asked)
  return { mediaType, rejection }
}
