/**
 * Strips a PNG to what its pixels need. Texts, color profiles and metadata may be compressed a thousand to one, and a
 * decoder would unpack them all.
 */
import { crc32 } from 'node:zlib'
import type { BarePhoto } from './bare-photo.ts'

const SIGNATURE_BYTES = 8
const HEADER_BYTES = 13
/** Length, type and checksum. */
const FRAME_BYTES = 12

const KEPT: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
/** The fifth bit of the first letter: a decoder may do without it. */
const ANCILLARY = 0x20

/** Works in place, so the caller must not use the bytes afterwards. Undefined where it is not built like a PNG. */
export function barePng(bytes: Buffer): BarePhoto | undefined {
  let size: Pick<BarePhoto, 'width' | 'height'> | undefined
  let to = SIGNATURE_BYTES
  for (let at = SIGNATURE_BYTES; at + FRAME_BYTES <= bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const end = at + FRAME_BYTES + length
    if (end > bytes.length) return undefined
    const type = bytes.toString('latin1', at + 4, at + 8)
    const isKept = KEPT.has(type)
    if (!isKept && !((bytes[at + 4] ?? 0) & ANCILLARY)) return undefined
    if (isKept && crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) {
      return undefined
    }
    // The header comes first, and once.
    if ((type === 'IHDR') !== (size === undefined)) return undefined
    if (type === 'IHDR') {
      if (length !== HEADER_BYTES) return undefined
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) }
    }
    const isEmpty = type === 'IDAT' && length === 0
    if (isKept && !isEmpty) {
      bytes.copyWithin(to, at, end)
      to += end - at
    }
    // Bytes after the end are no part of the picture.
    if (type === 'IEND') return size && { ...size, bytes: bytes.subarray(0, to) }
    at = end
  }
  return undefined
}
