import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PLACES, roomFor } from './platform-share.ts'

/** Platforms whose endpoints hang, each with more to send than it may, `atOnce` of them newly found at each look. */
function placesTakenBy(hangingPlatforms: number, atOnce: number): number {
  const running = Array.from({ length: hangingPlatforms }, () => 0)
  const taken = (): number => running.reduce((sum, count) => sum + count, 0)
  for (let known = atOnce; known < hangingPlatforms + atOnce; known += atOnce) {
    for (let before = -1; before < taken();) {
      before = taken()
      const room = roomFor(before)
      let free = room?.free ?? 0
      for (const [platform, count] of running.slice(0, known).entries()) {
        const more = Math.min(free, Math.max(0, (room?.share ?? 0) - count))
        running[platform] = count + more
        free -= more
      }
    }
  }
  return taken()
}

test('HOOK-14 one platform never has more than a sixteenth of the places', () => {
  for (let taken = 0; taken < PLACES; taken += 1) {
    assert.ok((roomFor(taken)?.share ?? 0) <= PLACES / 16)
  }
})

for (const atOnce of [1, 7, 80]) {
  test(`HOOK-14 there is a place left beside eighty platforms that hang, ${atOnce} found at once`, () => {
    const taken = placesTakenBy(80, atOnce)
    assert.ok(taken > PLACES / 2 && taken < PLACES, `${taken}`)
  })
}

test('HOOK-14 while there is a place every platform has a share of at least one', () => {
  for (let taken = 0; taken < PLACES; taken += 1) {
    const room = roomFor(taken)
    assert.ok(room && room.share >= 1 && room.free >= 1 && taken + room.free <= PLACES)
  }
  assert.equal(roomFor(PLACES), undefined)
})
