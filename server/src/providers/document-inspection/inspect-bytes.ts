import sharp from 'sharp'
import { bareJpeg } from './photos/bare-jpeg.ts'
import type { BarePhoto } from './photos/bare-photo.ts'
import { barePng } from './photos/bare-png.ts'
import { checkPhoto, PHOTO_LIMITS, type PhotoFinding } from './photos/check-photo.ts'
import type { InspectedDocument } from './document-inspector.ts'
import { isEncryptedPdf, isWholePdf } from './is-readable-pdf.ts'
import { contentOf } from './pdf-content.ts'
import { shrinkPhoto, type Photo } from './photos/shrink-photo.ts'

/** The message to the inspection process. */
export type DocumentBytes = Pick<InspectedDocument, 'documentType' | 'mediaType'> &
  Readonly<{
    bytes: Uint8Array
    /** False: neither the size of a photo nor how a PDF ends is judged (chapter 11, 7.7, in sandbox). */
    isStrict: boolean
  }>

export type Finding = 'UNREADABLE' | 'RESOLUTION_TOO_LOW' | PhotoFinding

// One photo at a time and none cached, so that the next one has the same limits.
sharp.concurrency(1)
sharp.cache(false)

/** All findings of a document, none where it is acceptable. Runs in a process of its own. */
export async function inspectBytes({
  documentType,
  mediaType,
  bytes,
  isStrict,
}: DocumentBytes): Promise<Finding[]> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (mediaType === 'application/pdf') return isReadablePdf(file, isStrict) ? [] : ['UNREADABLE']
  const bare = mediaType === 'image/png' ? barePng(file) : bareJpeg(file)
  const photo = bare && (await decode(bare))
  if (!photo) return ['UNREADABLE']
  if (isStrict && isTooSmall(photo)) return ['RESOLUTION_TOO_LOW']
  const measured = shrinkPhoto(photo, PHOTO_LIMITS.measuredLongSide)
  return checkPhoto(measured, { isFace: documentType === 'SELFIE' })
}

/** Scripts and embedded files are refused everywhere; opaque content only where the end of the file is judged. */
function isReadablePdf(pdf: Buffer, isStrict: boolean): boolean {
  if (isEncryptedPdf(pdf) || (isStrict && !isWholePdf(pdf))) return false
  const content = contentOf(pdf)
  return content === 'plain' || (content === 'opaque' && !isStrict)
}

const isTooSmall = ({ width, height }: Photo): boolean =>
  Math.max(width, height) < PHOTO_LIMITS.longSideMin ||
  Math.min(width, height) < PHOTO_LIMITS.shortSideMin

/** Undefined where it does not decode to its end. The size is judged before decoding. */
async function decode({ bytes, ...size }: BarePhoto): Promise<Photo | undefined> {
  if (size.width * size.height > PHOTO_LIMITS.pixelsMax) return undefined
  try {
    const { data, info } = await sharp(bytes, {
      limitInputPixels: PHOTO_LIMITS.pixelsMax,
      failOn: 'error',
      sequentialRead: true,
    })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    const { width, height, channels } = info
    return { width, height, rgb: asRgb(data, channels) }
  } catch {
    return undefined
  }
}

/** A photo in shades of grey comes with one value for each pixel. */
function asRgb(data: Buffer, channels: number): Uint8Array {
  if (channels === 3) return data
  const rgb = new Uint8Array((data.length / channels) * 3)
  for (let from = 0, to = 0; from < data.length; from += channels, to += 3) {
    rgb.fill(data[from] ?? 0, to, to + 3)
  }
  return rgb
}
