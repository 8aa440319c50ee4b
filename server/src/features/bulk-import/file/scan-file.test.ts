// Runs alone: it measures for how long other requests have to wait.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longestStop } from '../../../../test/kit/processes/longest-stop.ts'
import { readRows } from './read-rows.ts'
import { scanFile } from './scan-file.ts'

const HEADER = 'umaAddress,platformCustomerId,customerType'

/** In pieces of a few bytes, so that characters, quotes and line ends are cut apart. */
async function* pieces(content: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

const storeOf = (content: Buffer, size: number) => ({
  read: (_id: string, { from = 0 } = {}) => pieces(content.subarray(from), size),
})

const scan = (content: string | Buffer, size = 3) => scanFile(pieces(Buffer.from(content), size))

const UNUSABLE: readonly (readonly [content: string | Buffer, finding: object, because: string])[] =
  [
    ['', { reason: 'no_rows' }, 'nothing at all'],
    ['\r\n\r\n', { reason: 'no_rows' }, 'empty lines alone'],
    [HEADER, { reason: 'no_rows' }, 'a header alone'],
    [`${HEADER}\r\n\r\n`, { reason: 'no_rows' }, 'a header and empty lines'],
    [
      'umaAddress,platformCustomerId\na,b\n',
      { reason: 'missing_required_column', column: 'customerType' },
      'a column is missing',
    ],
    [
      'umaaddress,platformCustomerId,customerType\na,b,c\n',
      { reason: 'missing_required_column', column: 'umaAddress' },
      'names are exact',
    ],
    [`${HEADER}\na,"b,c\n`, { reason: 'malformed' }, 'a quote is never closed'],
    [`${HEADER}\na,"b"x,c\n`, { reason: 'malformed' }, 'text behind a closing quote'],
    [`${HEADER}\na,b"x,c\n`, { reason: 'malformed' }, 'a quote inside a bare cell'],
    [
      Buffer.concat([Buffer.from(`${HEADER}\na,b,`), Buffer.from([0xe9, 0x0a])]),
      { reason: 'not_utf8' },
      'Latin-1',
    ],
    [
      Buffer.concat([Buffer.from(`${HEADER}\na,b,`), Buffer.from([0xc3])]),
      { reason: 'not_utf8' },
      'a character is cut off by the end',
    ],
  ]

for (const [content, finding, because] of UNUSABLE) {
  test(`BULK-3 a file is unusable: ${because}`, async () => {
    await assert.rejects(scan(content), finding)
  })
}

test('BULK-3 a file is unusable: more rows than one import takes', async () => {
  const content = Buffer.from(`${HEADER}\n${'a,b,c\n'.repeat(3)}`)
  const { rows } = await scanFile(pieces(content, 3), { rowsMax: 3 })
  assert.equal(rows, 3)
  await assert.rejects(scanFile(pieces(content, 3), { rowsMax: 2 }), { reason: 'too_many_rows' })
})

test('BULK-3 the scan of many short rows leaves the event loop to others', async () => {
  const content = Buffer.from(`${HEADER}\n${'a\n'.repeat(20_000)}`)
  const stop = await longestStop(50, async () => {
    assert.equal((await scanFile(pieces(content, 64 * 1024))).rows, 20_000)
  })
  assert.ok(stop < 50, `the loop stood still for ${stop} ms`)
})

const ROWS = ['a1,b1,c1', '"a,2","b\r\n2","c""2"', 'a3', '"é",😀,c4', 'a5,b5,c5,d5']
const CELLS = [
  ['a1', 'b1', 'c1'],
  ['a,2', 'b\r\n2', 'c"2'],
  ['a3'],
  ['é', '😀', 'c4'],
  ['a5', 'b5', 'c5', 'd5'],
]

for (const [name, content] of [
  ['CRLF', [HEADER, ...ROWS, ''].join('\r\n')],
  ['LF', [HEADER, ...ROWS, ''].join('\n')],
  ['no line end at the end', [HEADER, ...ROWS].join('\n')],
  ['a byte-order mark', `\ufeff${[HEADER, ...ROWS].join('\r\n')}`],
  ['empty lines in between', ['', HEADER, '', ...ROWS, '', ''].join('\r\n')],
] as const) {
  test(`BULK-1 the rows of a file are found again from where they begin: ${name}`, async () => {
    const bytes = Buffer.from(content)
    for (const size of [1, 7, 10_000]) {
      const { columns, firstByte, rows } = await scanFile(pieces(bytes, size))
      assert.deepEqual(columns, HEADER.split(','))
      assert.equal(rows, ROWS.length)
      const files = storeOf(bytes, size)
      const read = await readRows(files, { fileId: 'x', nextByte: firstByte })
      assert.deepEqual(read.rows, CELLS)
      const rest = await readRows(files, { fileId: 'x', nextByte: read.nextByte })
      assert.deepEqual(rest.rows, [])
    }
  })
}

test('BULK-8 batch after batch every row is read once', async () => {
  const rows = Array.from({ length: 1234 }, (_, n) => `"a ${n}",${'b'.repeat(n % 7)},"c\n${n}"`)
  const bytes = Buffer.from([HEADER, ...rows].join('\n'))
  const files = storeOf(bytes, 100)
  let { firstByte: nextByte } = await scanFile(pieces(bytes, 100))
  const seen: (string | undefined)[] = []
  for (;;) {
    const read = await readRows(files, { fileId: 'x', nextByte })
    if (read.rows.length === 0) break
    seen.push(...read.rows.map(([first]) => first))
    nextByte = read.nextByte
  }
  assert.deepEqual(
    seen,
    rows.map((_, n) => `a ${n}`),
  )
})
