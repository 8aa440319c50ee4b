import type { MediaType } from '../document.ts'

const JPEG = Buffer.from([0xff, 0xd8, 0xff])
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PDF = '%PDF-'
/** The header of a PDF may follow some other bytes. */
const PDF_WITHIN_BYTES = 1024

/** The media type by the first bytes; undefined where it is not supported (DOC-6). */
export function sniffMediaType(head: Buffer): MediaType | undefined {
  if (head.subarray(0, JPEG.length).equals(JPEG)) return 'image/jpeg'
  if (head.subarray(0, PNG.length).equals(PNG)) return 'image/png'
  return head.subarray(0, PDF_WITHIN_BYTES).includes(PDF) ? 'application/pdf' : undefined
}
