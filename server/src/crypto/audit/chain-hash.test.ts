import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { CHAIN_START, chainHash, digestNote, newNoteSalt } from './chain-hash.ts'
import { canonicalJson } from '../encoding/canonical-json.ts'

const text = fc.string({ unit: 'binary' })
const entry = fc.record({
  platformId: text,
  seq: fc.nat(),
  id: text,
  at: text,
  actor: text,
  action: text,
  resource: fc.option(text, { nil: undefined }),
  noteDigest: fc.option(text, { nil: undefined }),
  requestId: text,
})

test('OPER-51 an entry is hashed as canonical JSON after the hash before it', () => {
  fc.assert(
    fc.property(entry, (one) => {
      const expected = createHash('sha256').update(CHAIN_START).update(canonicalJson(one)).digest()
      assert.deepEqual(chainHash(CHAIN_START, one), expected)
      assert.notDeepEqual(chainHash(expected, one), expected)
    }),
  )
})

test('OPER-51 a note is digested with a new random salt of 16 bytes', () => {
  const [salt, other] = [newNoteSalt(), newNoteSalt()]
  assert.equal(salt.length, 16)
  assert.notDeepEqual(salt, other)
  assert.notDeepEqual(digestNote(salt, 'note'), digestNote(other, 'note'))
})
