import type { Share } from './turns.ts'

/**
 * Inspects an uploaded document before it is accepted. The built-in inspector judges whether a photo is readable; another
 * adapter may find more, with codes of its own (DOC-16).
 */
export type InspectedDocument = Readonly<{
  documentType: string
  mediaType: 'application/pdf' | 'image/jpeg' | 'image/png'
  /** The file name that the sender gave. */
  fileName: string
  /** The sender, for the order of turns. */
  share: Share
  /** Called at the document's turn, so that waiting documents are not in memory. */
  read(): Promise<Buffer>
}>

export type RejectionCode =
  | 'DOCUMENT_REJECTED'
  | 'LOW_QUALITY'
  | 'DATA_MISMATCH'
  | 'EXPIRED'
  | 'SUSPECTED_FRAUD'
  | 'INCOMPLETE'

export type Rejection = Readonly<{
  code: RejectionCode
  /** Shown to the platform: the fault, and how to fix it. */
  details: Readonly<{ reasons: readonly string[]; advice: readonly string[] }>
}>

export type DocumentInspector = Readonly<{
  /** Undefined for an acceptable document. */
  inspect(document: InspectedDocument): Promise<Rejection | undefined>
}>
