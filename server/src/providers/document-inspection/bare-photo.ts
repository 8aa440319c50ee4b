import type { InspectedDocument } from './document-inspector.ts'
import { bareJpeg } from './bare-jpeg.ts'
import { barePng } from './bare-png.ts'

/** A photo with nothing in it but what decoding needs, and the size that its header states. */
export type BarePhoto = Readonly<{ width: number; height: number; bytes: Buffer }>

/** Works in place. Undefined where the file is not built like a photo of its kind. */
export const barePhoto = (
  bytes: Buffer,
  mediaType: Exclude<InspectedDocument['mediaType'], 'application/pdf'>,
): BarePhoto | undefined => (mediaType === 'image/png' ? barePng(bytes) : bareJpeg(bytes))
