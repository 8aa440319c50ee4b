import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as bombs from '../../../test/kit/onboarding/document-bombs.ts'
import {
  goodPhoto,
  goodPng,
  pdf,
  type DocumentFile,
} from '../../../test/kit/onboarding/document-files.ts'
import { builtInInspector, createBuiltInInspector } from './built-in-inspector.ts'
import type { InspectedDocument } from './document-inspector.ts'
import { createInspectionPool } from './inspection-pool.ts'
import { LIMITS } from './inspection-worker.ts'
import { sandboxInspector } from './sandbox-inspector.ts'

const asked = ({ bytes, type, name }: DocumentFile, platform = 'one'): InspectedDocument => ({
  documentType: 'PASSPORT',
  fileName: name,
  mediaType: type as InspectedDocument['mediaType'],
  share: { platform, source: 'api' },
  read: async () => bytes,
})

const reasonsOf = async (file: DocumentFile, by = builtInInspector): Promise<readonly string[]> =>
  (await by.inspect(asked(file)))?.details.reasons ?? []

const cut = ({ bytes, ...rest }: DocumentFile, length: number): DocumentFile => ({
  ...rest,
  bytes: bytes.subarray(0, length),
})

// The process is there before anything is measured.
assert.deepEqual(await reasonsOf(await goodPhoto()), [])

const UNREADABLE = ['UNREADABLE']
/** What is taken was within the limits of processor time and memory; what is ended by a limit takes at most this. */
const BOUND_MS = LIMITS.wallMs + 10_000

type Case = readonly [string, () => DocumentFile | Promise<DocumentFile>, readonly string[]]

const BOMBS: readonly Case[] = [
  ['texts of a gigabyte in a PNG', bombs.textBomb, []],
  ['international texts of a gigabyte', bombs.internationalTextBomb, []],
  ['a color profile of 100 MB', bombs.profileBomb, []],
  ['800,000 empty chunks', bombs.emptyDataBomb, []],
  ['a chunk for every byte', bombs.crumbledPng, []],
  ['ten gigapixels', () => bombs.statedPng({ width: 100_000, height: 100_000 }), UNREADABLE],
  ['no pixels', () => bombs.statedPng({ width: 0, height: 10 }), UNREADABLE],
  [
    '400 MB of pixels that come in no order',
    () => bombs.statedPng({ width: 8_000, height: 6_000, isInterlaced: true }),
    UNREADABLE,
  ],
  ['150 color profiles in a JPEG', bombs.profiledJpeg, []],
  ['a thousand passes over a JPEG', bombs.scanBomb, UNREADABLE],
  ['a PNG that is a PDF too', bombs.pngAndPdf, []],
  ['a JPEG that is an archive too', bombs.jpegAndZip, []],
  ['a PDF that holds a PNG', bombs.pdfAndPng, []],
  ['packed objects of 100 MB', bombs.objectBomb, UNREADABLE],
  ['a packed drawing of 100 MB, which is not unpacked', bombs.drawingBomb, []],
  ['half a million dictionaries in each other', bombs.deepPdf, []],
  ['a PNG without its end', async () => cut(await goodPng(), 8_000), UNREADABLE],
  ['the header of a PNG', async () => cut(await goodPng(), 33), UNREADABLE],
  ['the signature of a PNG', async () => cut(await goodPng(), 8), UNREADABLE],
  ['the first bytes of a JPEG', async () => cut(await goodPhoto(), 3), UNREADABLE],
  ['the headers of a JPEG', async () => cut(await goodPhoto(), 200), UNREADABLE],
  ['the first bytes of a PDF', () => cut(pdf(), 5), UNREADABLE],
]

const HASTY_WORKERS = 2
/** Less processor time than the service gives. How that ends a slow document, a test of uploads shows. */
const hasty = createBuiltInInspector({
  pool: createInspectionPool({ workers: HASTY_WORKERS, limits: { ...LIMITS, cpuMs: 300 } }),
})

for (const [what, make, expected, by] of [
  ...BOMBS,
  ['a million objects without end', bombs.endlessPdf, UNREADABLE, hasty] as const,
]) {
  test(`DOC-10 ${what}: ${expected.join() || 'taken'}, within a bound`, async () => {
    const file = await make()
    assert.ok(file.bytes.length <= 10 * 1024 * 1024, 'small enough to be sent')
    const since = performance.now()
    assert.deepEqual(await reasonsOf(file, by), expected)
    const tookMs = performance.now() - since
    assert.ok(tookMs < BOUND_MS, `took ${tookMs} ms`)
  })
}

test('DOC-10 a PNG whose header is damaged, comes twice or late is unreadable', async () => {
  const { bytes, ...rest } = await goodPng()
  const header = bytes.subarray(8, 33)
  const damaged = Buffer.from(bytes)
  damaged[20] = 1
  const twice = Buffer.concat([bytes.subarray(0, 33), header, bytes.subarray(33)])
  const none = Buffer.concat([bytes.subarray(0, 8), bytes.subarray(33)])
  for (const wrong of [damaged, twice, none]) {
    assert.deepEqual(await reasonsOf({ ...rest, bytes: wrong }), UNREADABLE)
  }
})

const script = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'
const active: Readonly<Record<string, DocumentFile>> = {
  'a script': bombs.pdfWith(script),
  'a script in escapes': bombs.pdfWith('<< /S /J#61va#53cript /J#53 9 0 R >>'),
  'a script without its kind': bombs.pdfWith('<< /A << /JS 9 0 R >> >>'),
  'a script when it is opened': bombs.pdfWith(`<< /OpenAction ${script} >>`),
  'a program to launch': bombs.pdfWith('<< /S/Launch/F (cmd.exe) >>'),
  'an embedded file': bombs.pdfWith('<< /Type /EmbeddedFile >>\nstream\nx\nendstream'),
  'names of embedded files': bombs.pdfWith('<< /Names << /EmbeddedFiles 9 0 R >> >>'),
  'a file that is named': bombs.pdfWith('<< /Type /Filespec /EF << /F 9 0 R >> >>'),
  'a script inside a stream': bombs.pdfWith(`<< >>\nstream\n9 0 obj ${script}\nendstream`),
  'a packed script': bombs.packedObjects(`9 0 ${script}`),
  'a packed script of no stated kind': bombs.packedObjects(
    `9 0 ${script}`,
    '/N 1 /First 4 /Filter /FlateDecode',
  ),
  'a packed script behind a text like an object': bombs.packedObjects(
    `9 0 ${script}`,
    '/Type /Obj#53tm /First 4 /Filter /FlateDecode /X (>> endobj 7 0 obj <<)',
  ),
}

for (const [what, file] of Object.entries(active)) {
  test(`DOC-10 a PDF with ${what} is refused in both environments`, async () => {
    assert.deepEqual(await reasonsOf(file), UNREADABLE)
    assert.deepEqual(await reasonsOf(file, sandboxInspector), UNREADABLE)
  })
}

test('DOC-10 a PDF that only opens at a page, has packed objects or speaks of scripts is taken', async () => {
  const harmless = [
    bombs.pdfWith('<< /OpenAction [3 0 R /Fit] /Title (JavaScript, JS and EF) >>'),
    bombs.packedObjects('9 0 << /Type /Page /JSX 1 >>'),
    bombs.pdfWith('<< /Type /ObjStm /N 1 /First 4 >>\nstream\n9 0 << /A 1 >>\nendstream'),
  ]
  for (const file of harmless) assert.deepEqual(await reasonsOf(file), [])
})

test('DOC-10 packed objects that cannot be looked at are unreadable, in sandbox they are taken', async () => {
  const flate = '/Type /ObjStm /First 4 /Filter'
  const opaque = [
    bombs.packedObjects('9 0 <<>>', `${flate} [/ASCIIHexDecode /FlateDecode]`),
    bombs.packedObjects('9 0 <<>>', `${flate} 7 0 R`),
    bombs.packedObjects('9 0 <<>>', `${flate} /FlateDecode /DecodeParms << /Predictor 12 >>`),
    bombs.pdfWith(`<< ${flate} /FlateDecode >>\nstream\nnothing\nendstream`),
  ]
  for (const file of opaque) {
    assert.deepEqual(await reasonsOf(file), UNREADABLE)
    assert.deepEqual(await reasonsOf(file, sandboxInspector), [])
  }
})

test('DOC-10 five slow documents of one platform delay another’s photo by one turn at most', async () => {
  const { inspect } = hasty
  const turns: number[] = []
  let begun = 0
  const slow = bombs.endlessPdf()
  const photo = await goodPhoto()
  const all = Array.from({ length: 5 }, async () => {
    let since = 0
    const read = async (): Promise<Buffer> => {
      begun += 1
      since = performance.now()
      return slow.bytes
    }
    const rejection = await inspect({ ...asked(slow), read })
    turns.push(performance.now() - since)
    return rejection?.details.reasons
  })
  const since = performance.now()
  let waitedMs = Infinity
  let begunBefore = Infinity
  const read = async (): Promise<Buffer> => {
    waitedMs = performance.now() - since
    begunBefore = begun
    return photo.bytes
  }
  assert.equal(await inspect({ ...asked(photo, 'two'), read }), undefined)
  assert.ok(begunBefore <= HASTY_WORKERS + 1, `${begunBefore} went first`)
  assert.deepEqual(new Set((await Promise.all(all)).flat()), new Set(UNREADABLE))
  // A turn ends with the next process, which starts while its successor waits.
  assert.ok(
    waitedMs <= 2 * Math.max(...turns),
    `${waitedMs} ms, the longest turn ${Math.max(...turns)}`,
  )
})
