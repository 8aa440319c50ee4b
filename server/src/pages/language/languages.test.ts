import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preferredLanguage, type Language } from './languages.ts'

const HEADERS: readonly (readonly [
  header: string | undefined,
  expected: Language,
  because: string,
])[] = [
  [undefined, 'en', 'nothing is wanted'],
  ['', 'en', 'nothing is wanted'],
  ['*', 'en', 'anything will do'],
  ['de', 'de', 'German alone'],
  ['de-AT,en;q=0.8', 'de', 'of any country'],
  ['DE-at', 'de', 'in any case'],
  ['en;q=0.5, pl;q=0.9', 'pl', 'the greater weight'],
  ['fr, es', 'fr', 'the first of equals'],
  ['sv, pt-BR;q=0.7', 'pt', 'Swedish is not spoken'],
  ['it;q=0, nl;q=0.1', 'nl', 'zero means none'],
  ['de;q=2, fr;q=0.3', 'fr', 'no weight'],
  ['de;level=1;q=0.4, it;q=0.3', 'de', 'other parameters'],
  ['constructor, __proto__', 'en', 'no languages'],
  [`${'sv,'.repeat(5000)}de`, 'en', 'a header without end is not read to its end'],
]

for (const [header, expected, because] of HEADERS) {
  test(`OPER-190 ${String(header).slice(0, 40)} is answered in ${expected}: ${because}`, () => {
    assert.equal(preferredLanguage(header), expected)
  })
}
