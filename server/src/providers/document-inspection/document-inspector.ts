import type { Share } from './turns.ts'

/**
 * Looks at an uploaded document before it is taken. The built-in inspector judges whether a photo can be read at all;
 * one that is plugged in here may know more, and has codes of its own for it (DOC-16).
 */
export type InspectedDocument = Readonly<{
  documentType: string
  mediaType: 'application/pdf' | 'image/jpeg' | 'image/png'
  /** As the sender calls it. */
  fileName: string
  /** Whose turn it takes. */
  share: Share
  /** Called when its turn has come, so that those that wait are not all in memory. */
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
  /** Told to the platform: what is wrong, and what to do about it. */
  details: Readonly<{ reasons: readonly string[]; advice: readonly string[] }>
}>

export type DocumentInspector = Readonly<{
  /** Undefined where nothing is wrong with it. */
  inspect(document: InspectedDocument): Promise<Rejection | undefined>
}>
