import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PLACES, platformShare } from './platform-share.ts'

/** Platforms whose endpoints hang come one after the other, each with more to send than it may. */
function placesTakenBy(hangingPlatforms: number): number {
  let taken = 0
  for (let platform = 0; platform < hangingPlatforms; platform += 1) {
    taken = Math.min(PLACES, taken + platformShare(taken))
  }
  return taken
}

test('HOOK-14 one platform never has more than a sixteenth of the places', () => {
  for (let taken = 0; taken <= PLACES; taken += 1) assert.ok(platformShare(taken) <= PLACES / 16)
})

test('HOOK-14 there is a place left beside eighty platforms that hang', () => {
  assert.ok(placesTakenBy(80) < PLACES)
})

test('HOOK-14 every platform has a share of at least one', () => {
  for (let taken = 0; taken < PLACES; taken += 1) assert.ok(platformShare(taken) >= 1)
})
