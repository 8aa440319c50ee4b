/** A platform's logo: what is accepted, and what is kept of it (OPER-195). Pure. */
import { createHash } from 'node:crypto'
import { bareJpeg } from '../../providers/document-inspection/photos/bare-jpeg.ts'
import { barePng } from '../../providers/document-inspection/photos/bare-png.ts'

const BYTES_MAX = 100 * 1024
const SIDE_MAX = 2000

/** The length of so many bytes in base64. */
export const LOGO_BASE64_MAX = 136_536

/** Which logo a platform has; its bytes are stored by themselves. */
export type LogoName = Readonly<{ digest: string; mediaType: 'image/png' | 'image/jpeg' }>

export type Logo = LogoName & Readonly<{ bytes: Buffer }>

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const JPEG = Buffer.from([0xff, 0xd8, 0xff])

/** The picture without its metadata. Undefined where it is none, too large in bytes or pixels, or damaged. */
export function logoOf(base64: string): Logo | undefined {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > BYTES_MAX || bytes.toString('base64') !== base64) return undefined
  const mediaType = mediaTypeOf(bytes)
  if (!mediaType) return undefined
  const photo = mediaType === 'image/png' ? barePng(bytes) : bareJpeg(bytes)
  if (!photo || !isSized(photo.width) || !isSized(photo.height)) return undefined
  const digest = createHash('sha256').update(photo.bytes).digest('base64url')
  return { digest, mediaType, bytes: Buffer.from(photo.bytes) }
}

const isSized = (side: number): boolean => side > 0 && side <= SIDE_MAX

function mediaTypeOf(bytes: Buffer): Logo['mediaType'] | undefined {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'image/png'
  return bytes.subarray(0, JPEG.length).equals(JPEG) ? 'image/jpeg' : undefined
}
