/** Files that cost their reader far more than their sender. */
import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { goodPhoto, goodPng, LARGE, pdf, type DocumentFile } from './document-files.ts'

const MEGABYTE = 1024 * 1024
const SPACE = 0x20
const SIGNATURE_BYTES = 8
const HEADER_CHUNK_BYTES = 25

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

function chunk(type: string, data: Buffer): Buffer {
  const framed = Buffer.alloc(data.length + 12)
  framed.writeUInt32BE(data.length)
  framed.write(type, 4, 'latin1')
  data.copy(framed, 8)
  framed.writeUInt32BE(crc32(framed.subarray(4, -4)), framed.length - 4)
  return framed
}

/** A megabyte of one byte, packed so that it can follow itself. */
const packedMegabyte = (byte: number): Buffer =>
  deflateRawSync(Buffer.alloc(MEGABYTE, byte), { finishFlush: constants.Z_FULL_FLUSH })

const ADLER_MODULUS = 65_521n

/** The checksum of equal bytes, without going through them. */
function adlerOf(byte: number, length: number): Buffer {
  const [count, value] = [BigInt(length), BigInt(byte)]
  const low = (1n + count * value) % ADLER_MODULUS
  const high = (count + (value * count * (count + 1n)) / 2n) % ADLER_MODULUS
  const checksum = Buffer.alloc(4)
  checksum.writeUInt16BE(Number(high))
  checksum.writeUInt16BE(Number(low), 2)
  return checksum
}

/** As `deflateSync` would pack so many megabytes of one byte, without seconds of packing them. */
const packedBytes = (megabytes: number, byte = 0): Buffer =>
  Buffer.concat([
    Buffer.of(0x78, 0x9c),
    ...times(megabytes, packedMegabyte(byte)),
    Buffer.of(0x03, 0x00),
    adlerOf(byte, megabytes * MEGABYTE),
  ])

/** A good photo with further chunks behind its header. */
async function withChunks(chunks: readonly Buffer[]): Promise<DocumentFile> {
  const { bytes, ...rest } = await goodPng()
  const at = SIGNATURE_BYTES + HEADER_CHUNK_BYTES
  return { ...rest, bytes: Buffer.concat([bytes.subarray(0, at), ...chunks, bytes.subarray(at)]) }
}

/** 20 texts of 50 MB each, in a file of one megabyte. */
export const textBomb = (): Promise<DocumentFile> =>
  withChunks(times(20, chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), packedBytes(50)]))))

export const internationalTextBomb = (): Promise<DocumentFile> =>
  withChunks(
    times(20, chunk('iTXt', Buffer.concat([Buffer.from('a\0\x01\0\0\0'), packedBytes(50)]))),
  )

export const profileBomb = (): Promise<DocumentFile> =>
  withChunks([chunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), packedBytes(100)]))])

export const emptyDataBomb = (): Promise<DocumentFile> =>
  withChunks(times(800_000, chunk('IDAT', Buffer.alloc(0))))

/** Each byte of the pixels in a chunk of its own. */
export async function crumbledPng(): Promise<DocumentFile> {
  const { bytes, ...rest } = await goodPng(LARGE)
  const parts = [bytes.subarray(0, SIGNATURE_BYTES)]
  for (let at = SIGNATURE_BYTES; at < bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at)
    const isData = bytes.toString('latin1', at + 4, at + 8) === 'IDAT'
    if (!isData) parts.push(bytes.subarray(at, end))
    else
      for (const byte of bytes.subarray(at + 8, end - 4)) parts.push(chunk('IDAT', Buffer.of(byte)))
    at = end
  }
  return { ...rest, bytes: Buffer.concat(parts) }
}

type Header = Readonly<{ width: number; height: number; isInterlaced?: boolean }>

/** 16 bits a channel, with transparency; all its pixels are zeros, and only some of them are there. */
export function statedPng({ width, height, isInterlaced = false }: Header): DocumentFile {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 16, 6, 0, 0, Number(isInterlaced)])
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const rest = [['IHDR', header] as const, ['IDAT', packedBytes(400)] as const]
  const chunks = rest.map(([type, data]) => chunk(type, data))
  const bytes = Buffer.concat([signature, ...chunks, chunk('IEND', Buffer.alloc(0))])
  return { bytes, type: 'image/png', name: 'stated.png' }
}

const SOI_BYTES = 2

/** Ten megabytes of what says that it is a color profile. */
export async function profiledJpeg(): Promise<DocumentFile> {
  const { bytes, ...rest } = await goodPhoto()
  const profile = Buffer.alloc(65_535, 'ICC_PROFILE\0')
  profile.set([0xff, 0xe2, 0xff, 0xfd])
  const start = bytes.subarray(0, SOI_BYTES)
  return {
    ...rest,
    bytes: Buffer.concat([start, ...times(150, profile), bytes.subarray(SOI_BYTES)]),
  }
}

/** The last pass over the pixels, a thousand times. */
export async function scanBomb(): Promise<DocumentFile> {
  const { bytes, ...rest } = await goodPhoto(LARGE)
  const photo = await sharp(bytes).jpeg({ progressive: true }).toBuffer()
  const last = photo.lastIndexOf(Buffer.from([0xff, 0xda]))
  const scan = photo.subarray(last, -2)
  const repeated = Buffer.concat(times(1_000, scan.subarray(0, 2_000)))
  return { ...rest, bytes: Buffer.concat([photo.subarray(0, -2), repeated, photo.subarray(-2)]) }
}

const joined = (first: DocumentFile, ...further: readonly Uint8Array[]): DocumentFile => ({
  ...first,
  bytes: Buffer.concat([first.bytes, ...further]),
})

/** A picture to one reader, a PDF with a script to another. */
export const pngAndPdf = async (): Promise<DocumentFile> =>
  joined(await goodPng(), pdfWith('<< /S /JavaScript /JS (x) >>').bytes)

export const jpegAndZip = async (): Promise<DocumentFile> =>
  joined(await goodPhoto(), Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(MEGABYTE))

export const pdfAndPng = async (): Promise<DocumentFile> => {
  const { bytes } = await goodPng()
  return pdfWith('<< /Length 9 >>\nstream\n', bytes, '\nendstream')
}

const END = '\nendobj\ntrailer\n<< /Size 9 /Root 1 0 R >>\nstartxref\n0\n%%EOF\n'

/** A PDF with one more object. */
export function pdfWith(...object: readonly (string | Uint8Array)[]): DocumentFile {
  const parts = object.map((part) =>
    typeof part === 'string' ? Buffer.from(part, 'latin1') : part,
  )
  const { bytes, ...rest } = pdf()
  const body = bytes.subarray(0, bytes.indexOf('trailer'))
  return {
    ...rest,
    bytes: Buffer.concat([body, Buffer.from('8 0 obj\n'), ...parts, Buffer.from(END)]),
  }
}

const OBJECT_STREAM = '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode'

/** Objects that are packed, described as a stream of objects unless the dictionary says otherwise. */
export const packedObjects = (objects: string, dictionary?: string): DocumentFile =>
  packedAs(deflateSync(objects), dictionary)

const packedAs = (packed: Buffer, dictionary = OBJECT_STREAM): DocumentFile =>
  pdfWith(`<< ${dictionary} >>\nstream\n`, packed, '\nendstream')

/** A hundred megabytes in 100 kB; as objects, or as the drawing of a page. */
export const objectBomb = (): DocumentFile => packedAs(packedBytes(100, SPACE))
export const drawingBomb = (): DocumentFile =>
  packedAs(packedBytes(100, SPACE), '/Filter /FlateDecode')

export const deepPdf = (): DocumentFile =>
  pdfWith('<< /A '.repeat(500_000), '1', ' >>'.repeat(500_000))

/** Each of its objects seems to reach to the end of the file: hours for a reader that follows them all. */
export const endlessPdf = (): DocumentFile => pdfWith('obj<< '.repeat(1_500_000))
