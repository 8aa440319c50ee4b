import assert from 'node:assert/strict'
import { test } from 'node:test'

type Sample = (pattern: string, limits?: { minLength?: number }) => string | undefined

const { samplePattern }: { samplePattern: Sample } = await import(
  new URL('pattern-sample.js', import.meta.url).href
)

const MATCHED: [string, string][] = [
  ['^[0-9]{9}$', 'a fixed count'],
  ['^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$', 'an optional group'],
  ['^(?:USD|EUR)-\\d+$', 'alternatives, an escape, one or more'],
  ['^\\+[1-9]\\d{1,14}$', 'an escaped plus, a range of counts'],
  ['^Customer:[0-9a-f]{8}-[0-9a-f]{4}$', 'literals around classes'],
  ['^[^0-9@]+@[a-z.-]+$', 'a negated class, a dash that is meant'],
  ['^(?=.*[0-9])[0-9a-z]{6,}$', 'a look-ahead'],
  ['^\\p{L}+$', 'a letter of any script'],
  ['^.{1,80}$', 'anything'],
]

test('CORE-86 an example matches its pattern', () => {
  for (const [pattern, because] of MATCHED) {
    const sample = samplePattern(pattern)
    assert.ok(sample !== undefined, `${pattern}: ${because}`)
    assert.match(sample, new RegExp(pattern, 'u'), because)
  }
})

test('CORE-86 an example is as long as it must be', () => {
  assert.equal(samplePattern('^[a-z]*$', { minLength: 12 })?.length, 12)
  assert.equal(samplePattern('^[a-z]{2,40}$', { minLength: 12 })?.length, 12)
  assert.equal(samplePattern('^[a-z]{2}$', { minLength: 12 }), undefined)
})

test('CORE-86 a pattern that cannot be met gives no example', () => {
  for (const pattern of ['[', '^(?=b)a$', '^a(?!a)a$']) {
    assert.equal(samplePattern(pattern), undefined, pattern)
  }
})
