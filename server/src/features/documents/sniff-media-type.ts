import type { MediaType } from './document.ts'

const JPEG = Buffer.from([0xff, 0xd8, 0xff])
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PDF = '%PDF-'
/** A PDF may begin a little later than its file. */
const PDF_WITHIN_BYTES = 1024

/** What a file is by its first bytes, whatever it is called; undefined where it is none of ours (DOC-6). */
export function sniffMediaType(head: Buffer): MediaType | undefined {
  if (head.subarray(0, JPEG.length).equals(JPEG)) return 'image/jpeg'
  if (head.subarray(0, PNG.length).equals(PNG)) return 'image/png'
  return head.subarray(0, PDF_WITHIN_BYTES).includes(PDF) ? 'application/pdf' : undefined
}
