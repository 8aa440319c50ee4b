import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import {
  blurredPhoto,
  croppedPhoto,
  encryptedPdf,
  goodPhoto,
  goodPng,
  greyPhoto,
  hugePng,
  LARGE,
  pdf,
  smallPhoto,
  truncatedPdf,
  truncatedPhoto,
  type DocumentFile,
} from '../../../test/kit/onboarding/document-files.ts'
import { createBuiltInInspector } from './built-in-inspector.ts'
import type { DocumentInspector, InspectedDocument } from './document-inspector.ts'
import { createInspectionPool } from './inspection-pool.ts'
import { LIMITS, type Limits } from './inspection-worker.ts'
import { inspectorFor } from './inspector-for.ts'
import { usageOf } from './process-usage.ts'

const inspector = createBuiltInInspector()

const asked = (
  { bytes, type, name }: DocumentFile,
  documentType = 'PASSPORT',
): InspectedDocument => ({
  documentType,
  fileName: name,
  share: { platform: 'one', source: 'api' },
  mediaType: type as InspectedDocument['mediaType'],
  read: async () => bytes,
})

async function reasons(
  file: DocumentFile,
  { documentType, by = inspector }: { documentType?: string; by?: DocumentInspector } = {},
): Promise<readonly string[]> {
  const rejection = await by.inspect(asked(file, documentType))
  if (!rejection) return []
  assert.equal(rejection.code, 'DOCUMENT_REJECTED')
  assert.equal(rejection.details.advice.length, rejection.details.reasons.length)
  return rejection.details.reasons
}

async function png(change: (photo: Sharp) => Sharp): Promise<DocumentFile> {
  const { bytes } = await goodPng(LARGE)
  return { bytes: await change(sharp(bytes)).png().toBuffer(), type: 'image/png', name: 'x.png' }
}

const flat = (size: { width: number; height: number }) => async (): Promise<DocumentFile> => ({
  bytes: await sharp({ create: { ...size, channels: 3, background: '#888' } })
    .png()
    .toBuffer(),
  type: 'image/png',
  name: 'flat.png',
})

const NOTHING_TO_SEE = ['NOT_IN_COLOR', 'OUT_OF_FOCUS', 'CORNERS_NOT_VISIBLE']

const junk: DocumentFile = {
  bytes: Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(5_000, 1)]),
  type: 'image/jpeg',
  name: 'x.jpg',
}

const packed = (dictionary: string): DocumentFile => ({
  ...pdf(),
  bytes: Buffer.from(
    `%PDF-1.5\n7 0 obj\n<< /Type /XRef /W [1 2 1] ${dictionary}>>\nstream\nxx\nendstream\nendobj\nstartxref\n9\n%%EOF`,
  ),
})

const wrote: DocumentFile = {
  ...pdf(),
  bytes: Buffer.from(pdf().bytes.toString().replace('endobj', '(/Encrypt 9 0 R) endobj')),
}

/** Made to be looked at again and again: each of these words might begin the dictionary of the whole file. */
const laborious: DocumentFile = {
  ...pdf(),
  bytes: Buffer.from(`%PDF-1.5\n${'trailer /XRef '.repeat(700_000)}startxref\n9\n%%EOF`),
}

const CASES: readonly (readonly [string, () => DocumentFile | Promise<DocumentFile>, string[]])[] =
  [
    ['a sharp photo in color', () => goodPhoto(), []],
    ['a larger photo', () => goodPhoto(LARGE), []],
    ['a photo of 12 megapixels', () => goodPhoto({ width: 4_000, height: 3_000 }), []],
    ['a PNG', () => goodPng(), []],
    ['a PNG of 16 bits', () => png((photo) => photo.toColourspace('rgb16')), []],
    ['a PNG that lets the table shine through', () => png((photo) => photo.ensureAlpha(0.9)), []],
    ['a blurred photo', blurredPhoto, ['OUT_OF_FOCUS']],
    ['a photo in grey', greyPhoto, ['NOT_IN_COLOR']],
    ['a PNG in grey', () => png((photo) => photo.greyscale()), ['NOT_IN_COLOR']],
    ['a document that runs off a side', croppedPhoto, ['CORNERS_NOT_VISIBLE']],
    [
      'everything at once',
      () =>
        png((photo) =>
          photo.greyscale().blur(20).extract({ left: 300, top: 200, width: 600, height: 400 }),
        ),
      ['NOT_IN_COLOR', 'OUT_OF_FOCUS', 'CORNERS_NOT_VISIBLE'],
    ],
    [
      'a strip that is hardly wider than its edges',
      flat({ width: 250, height: 50_000 }),
      NOTHING_TO_SEE,
    ],
    [
      'a strip that is hardly higher than its edges',
      flat({ width: 50_000, height: 250 }),
      NOTHING_TO_SEE,
    ],
    ['too few pixels, which excludes the rest', smallPhoto, ['RESOLUTION_TOO_LOW']],
    ['half a photo', truncatedPhoto, ['UNREADABLE']],
    ['no photo at all', () => junk, ['UNREADABLE']],
    ['more than 50 megapixels', hugePng, ['UNREADABLE']],
    ['a PDF', () => pdf(), []],
    ['a PDF that speaks of encryption in its text', () => wrote, []],
    ['a PDF with a packed table', () => packed(''), []],
    ['ten megabytes of a PDF that begin a trailer everywhere', () => laborious, []],
    ['half a PDF', truncatedPdf, ['UNREADABLE']],
    ['an encrypted PDF', encryptedPdf, ['UNREADABLE']],
    ['an encrypted PDF with a packed table', () => packed('/Encrypt 4 0 R '), ['UNREADABLE']],
  ]

for (const [what, file, expected] of CASES) {
  test(`DOC-10 ${what}: ${expected.join(', ') || 'taken'}`, async () => {
    assert.deepEqual(await reasons(await file()), expected)
  })
}

const named = (name: string, file: DocumentFile): DocumentFile => ({ ...file, name })

/** What, and what is found in sandbox and in production. */
const BY_ENVIRONMENT: readonly (readonly [string, DocumentFile, string[], string[]])[] = [
  ['too few pixels', await smallPhoto(), [], ['RESOLUTION_TOO_LOW']],
  ['half a PDF', truncatedPdf(), [], ['UNREADABLE']],
  ['an encrypted PDF', encryptedPdf(), ['UNREADABLE'], ['UNREADABLE']],
  ['half a photo', await truncatedPhoto(), ['UNREADABLE'], ['UNREADABLE']],
  ['a photo in grey', await greyPhoto(), ['NOT_IN_COLOR'], ['NOT_IN_COLOR']],
  ['a blurred photo', await blurredPhoto(), ['OUT_OF_FOCUS'], ['OUT_OF_FOCUS']],
  ['id-unreadable.jpg', await goodPhoto(), ['UNREADABLE'], []],
  ['id-low-quality.png', await goodPng(), ['RESOLUTION_TOO_LOW'], []],
  ['id-blurred.pdf', pdf(), ['OUT_OF_FOCUS'], []],
  ['ID-BLURRED-LOW-QUALITY.JPG', await goodPhoto(), ['RESOLUTION_TOO_LOW', 'OUT_OF_FOCUS'], []],
  ['a-blurred-unreadable.jpg', await blurredPhoto(), ['UNREADABLE'], ['OUT_OF_FOCUS']],
  [
    'grey-low-quality.jpg',
    await greyPhoto(),
    ['RESOLUTION_TOO_LOW', 'NOT_IN_COLOR'],
    ['NOT_IN_COLOR'],
  ],
  ['twice-blurred.jpg', await blurredPhoto(), ['OUT_OF_FOCUS'], ['OUT_OF_FOCUS']],
  ['blurred.jpg', await goodPhoto(), [], []],
]

for (const [what, file, sandbox, production] of BY_ENVIRONMENT) {
  const name = /\.(jpg|png|pdf)$/i.test(what) ? what : file.name
  test(`DOC-10 DOC-17 ${what}: in sandbox ${sandbox.join(', ') || 'taken'}, in production ${production.join(', ') || 'taken'}`, async () => {
    const found = (environment: 'SANDBOX' | 'PRODUCTION') =>
      reasons(named(name, file), { by: inspectorFor({ environment }) })
    assert.deepEqual([await found('SANDBOX'), await found('PRODUCTION')], [sandbox, production])
  })
}

test('DOC-10 a face may fill its photo', async () => {
  assert.deepEqual(await reasons(await croppedPhoto(), { documentType: 'SELFIE' }), [])
})

test('DOC-10 each finding comes with what to do about it', async () => {
  const rejection = await inspector.inspect(asked(await blurredPhoto()))
  assert.match(rejection?.details.advice[0] ?? '', /blurred; hold the camera still/)
})

test('DOC-10 several at once are all looked at', async () => {
  const files = [await goodPhoto(), await greyPhoto(), await goodPhoto(), await blurredPhoto()]
  const found = await Promise.all(files.map((file) => reasons(file)))
  assert.deepEqual(found, [[], ['NOT_IN_COLOR'], [], ['OUT_OF_FOCUS']])
})

const TIGHT: Readonly<Record<string, Partial<Limits>>> = {
  'in time': { wallMs: 1 },
  // Where the system does not say what a process uses, time alone limits it.
  ...(usageOf(process.pid) && {
    'by the processor': { cpuMs: 0 },
    'in memory': { memoryBytes: 1 },
  }),
}

for (const [what, tight] of Object.entries(TIGHT)) {
  test(`DOC-10 what cannot be opened ${what} is unreadable, and the next one is looked at all the same`, async () => {
    const limits = { ...LIMITS, ...tight }
    const hasty = createBuiltInInspector({ pool: createInspectionPool({ workers: 1, limits }) })
    const file = asked(await goodPhoto({ width: 3_000, height: 2_000 }))
    for (let n = 0; n < 2; n += 1) {
      const rejection = await hasty.inspect(file)
      assert.deepEqual(rejection?.details.reasons, ['UNREADABLE'])
    }
    assert.equal(await inspector.inspect(file), undefined)
  })
}
