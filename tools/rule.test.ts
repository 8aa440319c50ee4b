import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { citationsOf, ruleIdOf } from './specification/rule-citations.ts'

const texts = new Map([
  [
    'server/src/a.test.ts',
    "test('RULE-3 RULE-12 a thing is so', f)\n" +
      "  ['RULE-3 a row of a table', 1],\n" +
      '// RULE-30 is another one\n',
  ],
  ['server/src/a.ts', '/** RULE-3: why it is so. */\nconst a = 1 // and again, RULE-31\n'],
  ['server/migrations/0001-a.sql', '-- RULE-3 in the database\ncreate table a (b text);\n'],
  ['docs/reference/openapi.json', 'RULE-3\n'],
  ['docs/specification/10-rules.md', '| RULE-3 <a id="rule-3"></a> | It is so. |\n'],
  ['tools/a.test.ts', "test('RULE-99 made up', f)\n"],
])

test('a rule leads to the titles of its tests and to the lines of the source that name it', () => {
  assert.deepEqual(citationsOf('RULE-3', texts), {
    tests: [
      { file: 'server/src/a.test.ts', line: 1, text: 'RULE-3 RULE-12 a thing is so' },
      { file: 'server/src/a.test.ts', line: 2, text: 'RULE-3 a row of a table' },
    ],
    sources: [
      { file: 'server/src/a.ts', line: 1, text: 'RULE-3: why it is so.' },
      { file: 'server/migrations/0001-a.sql', line: 1, text: 'RULE-3 in the database' },
    ],
  })
})

test('a number that begins alike is another rule', () => {
  assert.deepEqual(citationsOf('RULE-1', texts), { tests: [], sources: [] })
  assert.equal(citationsOf('RULE-31', texts).sources[0]?.line, 2)
})

test('an id may be typed in small letters; what has no number is none', () => {
  assert.equal(ruleIdOf('core-32'), 'CORE-32')
  for (const given of ['', 'CORE', 'CORE-', '32', 'CORE-32b'])
    assert.equal(ruleIdOf(given), undefined)
})

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [fileURLToPath(new URL('rule.ts', import.meta.url)), ...args], {
    encoding: 'utf8',
  })

test('the command prints the sentence, then tests and source, each with its place', () => {
  const { status, stdout } = run('CORE-32')
  assert.equal(status, 0)
  assert.match(
    stdout,
    /^CORE-32\n\n {2}Order of checks: .+\n {4}docs\/specification\/00-core\.md:\d+\n\n/,
  )
  assert.match(stdout, /^Proved by\n\n[^]*^ {2}CORE-32 .+\n {4}server\/\S+\.test\.ts:\d+$/m)
  assert.match(stdout, /^Kept in\n\n[^]*^ {4}server\/src\/infra\/http\/perform\.ts:\d+$/m)
})

const UNKNOWN = [
  { given: ['CORE-999'], says: /^No rule CORE-999\. There are CORE-1, CORE-2, CORE-3,/ },
  { given: ['NONE-1'], says: /^No rule NONE-1\.\nThere are rules of ACT, AGENT,/ },
  { given: ['quotes'], says: /^No rule quotes\.\nThere are rules of ACT, AGENT,/ },
  { given: [], says: /^Which rule\? For example: npm run rule -- CORE-32\nThere are rules of ACT/ },
]

for (const { given, says } of UNKNOWN) {
  test(`asked for ${given[0] ?? 'nothing'}, it says what there is`, () => {
    const { status, stdout, stderr } = run(...given)
    assert.equal(status, 1)
    assert.equal(stdout, '')
    assert.match(stderr, says)
  })
}
