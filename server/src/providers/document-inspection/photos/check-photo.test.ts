import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPhoto, type PhotoFinding } from './check-photo.ts'
import type { Photo } from './shrink-photo.ts'

const SIZE = 200

type Color = readonly [number, number, number]

/** A photo painted pixel by pixel. */
function paint(color: (x: number, y: number) => Color): Photo {
  const rgb = new Uint8Array(SIZE * SIZE * 3)
  for (let y = 0; y < SIZE; y += 1) {
    for (let x = 0; x < SIZE; x += 1) rgb.set(color(x, y), (y * SIZE + x) * 3)
  }
  return { width: SIZE, height: SIZE, rgb }
}

const TABLE: Color = [60, 60, 60]
const inside = (x: number, y: number, margin: number): boolean =>
  Math.min(x, y, SIZE - 1 - x, SIZE - 1 - y) >= margin

/** A checkered sheet: as sharp as it gets. `spread` is how far its two reds are from grey. */
const sheet =
  (margin: number, spread = 100) =>
  (x: number, y: number): Color => {
    if (!inside(x, y, margin)) return TABLE
    return (x + y) % 2 ? [200, 200 - spread, 200 - spread] : [140, 140 - spread, 140 - spread]
  }

/** How much of the photo a colored square in its middle covers. */
const spot = (share: number) => {
  const side = Math.sqrt(share) * SIZE
  return (x: number, y: number): Color => {
    const isIn = Math.abs(x - SIZE / 2) < side / 2 && Math.abs(y - SIZE / 2) < side / 2
    const [grey] = sheet(20, 0)(x, y)
    return isIn ? [grey, 0, 0] : [grey, grey, grey]
  }
}

const offSide = (share: number) => (x: number, y: number) =>
  x < 30 && y < SIZE * share ? sheet(0)(x, y) : sheet(30)(x, y)

const CASES: readonly (readonly [string, (x: number, y: number) => Color, PhotoFinding[]])[] = [
  ['a sheet on a table', sheet(20), []],
  ['a spread of 30 is color', sheet(20, 30), []],
  ['a spread of 29 is none', sheet(20, 29), ['NOT_IN_COLOR']],
  ['4 % of color are enough', spot(0.04), []],
  ['2 % of color are not', spot(0.02), ['NOT_IN_COLOR']],
  ['the sheet fills the photo', sheet(0), ['CORNERS_NOT_VISIBLE']],
  ['a fifth of one side is foreground', offSide(0.2), []],
  ['a third of one side is foreground', offSide(0.33), ['CORNERS_NOT_VISIBLE']],
  ['a sheet of a ninth of the photo', sheet(66), []],
  ['a sheet of a twentieth', sheet(78), ['CORNERS_NOT_VISIBLE']],
  ['one color', () => [200, 20, 20], ['OUT_OF_FOCUS', 'CORNERS_NOT_VISIBLE']],
]

for (const [what, color, expected] of CASES) {
  test(`DOC-10 ${what}: ${expected.join(', ') || 'fine'}`, () => {
    assert.deepEqual(checkPhoto(paint(color), { isFace: false }), expected)
  })
}

test('DOC-10 a face needs no corners', () => {
  assert.deepEqual(checkPhoto(paint(sheet(0)), { isFace: true }), [])
})
