import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX, decodeCursor, encodeCursor, toPage } from './page.ts'
import type { CursorMac, CursorScope } from './page.ts'

const mac: CursorMac = (text) => createHmac('sha256', 'key').update(text).digest('base64url')

const scope: CursorScope = {
  list: 'tokens',
  platformId: '0199a1b2-c3d4-7e5f-8a6b-0123456789ab',
  filters: { name: 'ci', createdAfter: undefined },
}
const position = ['2025-10-13T12:00:00.000Z', '0199a1b2-c3d4-7e5f-8a6b-0123456789ac']

describe('cursors', () => {
  test('CORE-50 give back the position they were made from', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 4 }), (key) => {
        assert.deepEqual(decodeCursor(encodeCursor(key, scope, mac), scope, mac), key)
      }),
    )
    assert.match(encodeCursor(position, scope, mac), /^[A-Za-z0-9_.-]+$/)
  })

  const SCOPES = [
    { changed: { list: 'customers' }, opens: false, why: 'another list' },
    { changed: { platformId: 'other' }, opens: false, why: 'another platform' },
    { changed: { filters: {} }, opens: false, why: 'a filter less' },
    { changed: { filters: { name: 'CI' } }, opens: false, why: 'another value' },
    { changed: { filters: { name: 'ci', type: 'x' } }, opens: false, why: 'a filter more' },
    { changed: { filters: { name: 'ci' } }, opens: true, why: 'an absent filter is no filter' },
    {
      changed: { filters: { createdAfter: undefined, name: 'ci' } },
      opens: true,
      why: 'the order of filters means nothing',
    },
  ]
  for (const { changed, opens, why } of SCOPES) {
    test(`CORE-50 a cursor ${opens ? 'opens' : 'does not open'}: ${why}`, () => {
      const opened = decodeCursor(encodeCursor(position, scope, mac), { ...scope, ...changed }, mac)
      assert.deepEqual(opened, opens ? position : undefined)
    })
  }

  test('CORE-50 any altered character closes it', () => {
    const cursor = encodeCursor(position, scope, mac)
    for (let index = 0; index < cursor.length; index += 1) {
      const other = cursor[index] === 'A' ? 'B' : 'A'
      const altered = cursor.slice(0, index) + other + cursor.slice(index + 1)
      assert.equal(decodeCursor(altered, scope, mac), undefined, `at ${index}`)
    }
  })

  for (const cursor of ['', '.', 'abc', 'W10.', `${encodeCursor(position, scope, mac)}x`]) {
    test(`CORE-50 ${JSON.stringify(cursor.slice(0, 12))} is no cursor`, () => {
      assert.equal(decodeCursor(cursor, scope, mac), undefined)
    })
  }
})

describe('pages', () => {
  const ROWS = [
    { rows: [], limit: 2, data: [], next: undefined, why: 'nothing' },
    { rows: [1], limit: 2, data: [10], next: undefined, why: 'fewer than a page' },
    { rows: [1, 2], limit: 2, data: [10, 20], next: undefined, why: 'exactly a page' },
    {
      rows: [1, 2, 3],
      limit: 2,
      data: [10, 20],
      next: 'after 2',
      why: 'one row beyond shows more',
    },
    { rows: [1, 2], limit: 1, data: [10], next: 'after 1', why: 'the smallest page' },
  ]
  for (const { rows, limit, data, next, why } of ROWS) {
    test(`CORE-50 ${rows.length} rows for a limit of ${limit}: ${why}`, () => {
      const page = toPage<number, number>({
        rows,
        limit,
        toItem: (row) => row * 10,
        toCursor: (row) => `after ${row}`,
      })
      const hasMore = next !== undefined
      assert.deepEqual(page, { data, hasMore, ...(hasMore && { nextCursor: next }) })
    })
  }

  test('CORE-50 the limits are 1 to 100, 20 by default', () => {
    assert.deepEqual([PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX], [20, 100])
  })
})
