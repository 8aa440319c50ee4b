import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areaOf, chaptersIn, misanchoredLines } from './specification.ts'

const page = [
  '# 10 Things: how they are',
  '',
  'Not built yet: PLAN-1 to PLAN-3, PLAN-9.',
  '',
  '| id | rule |',
  '|-|-|',
  '| RULE-3 <a id="rule-3"></a> | Takes `a\\|b`. |',
  '',
  '| id | asked when | then |',
  '|-|-|-|',
  '| PLAN-2 <a id="plan-2"></a> | a payout | it waits |',
  '',
  '- **PLAN-4** <a id="plan-4"></a> It is so.',
  '- **PLAN-9** <a id="plan-9"></a> It will be so.',
].join('\n')

const texts = new Map([
  ['docs/specification/10-things.md', page],
  ['docs/specification/README.md', '| RULE-7 <a id="rule-7"></a> | An index. |'],
  ['docs/guides/a.md', '| RULE-8 <a id="rule-8"></a> | A guide. |'],
])

test('a chapter has a title, and its rules in order with their sentences', () => {
  const [chapter, ...others] = chaptersIn(texts)
  assert.equal(others.length, 0)
  assert.equal(chapter?.title, '10 Things: how they are')
  assert.deepEqual(
    chapter.rules.map(({ id, line, text }) => ({ id, line, text })),
    [
      { id: 'RULE-3', line: 7, text: 'Takes `a|b`.' },
      { id: 'PLAN-2', line: 11, text: 'asked when: a payout\nthen: it waits' },
      { id: 'PLAN-4', line: 13, text: 'It is so.' },
      { id: 'PLAN-9', line: 14, text: 'It will be so.' },
    ],
  )
})

test('the head of a chapter says which rules are not built yet, one by one or from … to', () => {
  const planned = chaptersIn(texts).flatMap(({ rules }) => rules.filter(({ isBuilt }) => !isBuilt))
  assert.deepEqual(
    planned.map(({ id }) => id),
    ['PLAN-2', 'PLAN-9'],
  )
})

test('the area of a rule is what stands before its number', () => {
  assert.equal(areaOf('QUOTE-9'), 'QUOTE')
})

test('a rule without the anchor of its own id is found; a sentence that names one is not', () => {
  const text = [
    '| RULE-1 | It is so. |',
    '| RULE-2 <a id="rule-3"></a> | It is so. |',
    '- **RULE-4** It is so.',
    '| RULE-5 <a id="rule-5"></a> | As RULE-6 says. |',
    'RULE-7 holds.',
  ].join('\n')
  assert.deepEqual(
    misanchoredLines(text).map(({ id }) => id),
    ['RULE-1', 'RULE-2', 'RULE-4'],
  )
})
