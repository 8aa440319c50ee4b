/**
 * Strips a JPEG of comments, previews, metadata, color profiles and bytes after its end. The parts that decoding needs
 * stay as they are, complete or not.
 */
import type { BarePhoto } from './bare-photo.ts'

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const COM = 0xfe
/** JFIF and Adobe say how the colors are coded. */
const [APP0, APP14, APP15] = [0xe0, 0xee, 0xef]
/** A progressive photo has about ten; each may make the decoder pass over all its pixels. */
const SCANS_MAX = 100

/** TEM and the restart marks stand alone; all others have a length. */
const standsAlone = (marker: number): boolean => marker === 1 || (marker >= 0xd0 && marker <= SOI)

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

const isDropped = (marker: number): boolean =>
  marker === COM || (marker > APP0 && marker <= APP15 && marker !== APP14)

/** Works in place, so the caller must not use the bytes afterwards. Undefined where it is not built like a JPEG. */
export function bareJpeg(bytes: Buffer): BarePhoto | undefined {
  let size: Pick<BarePhoto, 'width' | 'height'> | undefined
  let scans = 0
  let to = 2
  const keep = (from: number, end: number): void => {
    bytes.copyWithin(to, from, end)
    to += end - from
  }
  const found = (): BarePhoto | undefined => size && { ...size, bytes: bytes.subarray(0, to) }
  for (let at = markerFrom(bytes, to); at < bytes.length;) {
    const marker = bytes[at + 1] ?? 0
    if (marker === EOI) {
      keep(at, at + 2)
      return found()
    }
    if (standsAlone(marker)) {
      keep(at, at + 2)
      at = markerFrom(bytes, at + 2)
      continue
    }
    if (at + 4 > bytes.length) break
    const length = bytes.readUInt16BE(at + 2)
    const end = at + 2 + length
    if (length < 2) return undefined
    if (isFrame(marker)) {
      if (size || length < 8 || end > bytes.length) return undefined
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    }
    if (marker === SOS && ++scans > SCANS_MAX) return undefined
    const next = marker === SOS ? afterScan(bytes, end) : markerFrom(bytes, end)
    if (!isDropped(marker)) keep(at, marker === SOS ? next : Math.min(end, bytes.length))
    at = next
  }
  return found()
}

/** Where the next marker begins; the end of the file where there is none. Fill bytes and stray ones are passed over. */
function markerFrom(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1]
    if (marker !== undefined && marker !== 0 && marker !== 0xff) return at
  }
  return bytes.length
}

/** Coded pixels hold 0xff only before 0, and before the marks at which decoding can begin again. */
function afterScan(bytes: Buffer, from: number): number {
  let at = markerFrom(bytes, from)
  while (at < bytes.length && standsAlone(bytes[at + 1] ?? 0) && bytes[at + 1] !== SOI) {
    at = markerFrom(bytes, at + 2)
  }
  return at
}
