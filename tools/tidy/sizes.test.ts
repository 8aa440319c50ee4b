import assert from 'node:assert/strict'
import { test } from 'node:test'
import { projectOf } from './project/project.ts'
import { proveRules } from './project/prove-rules.ts'
import { sizeDistribution, sizeRules } from './sizes.ts'

const lines = (count: number): string => 'a()\n'.repeat(count)
/** A function of `count` lines, its first and last included. */
const functionOf = (count: number): string => `function f() {\n${lines(count - 2)}}\n`

const filesIn = (folder: string, count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${folder}/a${n}.ts`, 'a()\n']))

const PAYMENTS = 'server/src/features/payments'
/** Types count as values do. */
const givingOut = (count: number): string =>
  Array.from(
    { length: count },
    (_, n) => `export { ${n % 2 ? 'type ' : ''}a${n} } from './a0.ts'\n`,
  ).join('')

proveRules(sizeRules, [
  {
    rule: 'crowded-folder',
    because: 'files and sub-folders are entries alike',
    files: { ...filesIn('server/src/kernel', 20), 'server/src/kernel/money/rate.ts': 'a()\n' },
    at: ['server/src/kernel:1'],
  },
  {
    rule: 'crowded-folder',
    because: 'twenty are few enough; generated files and lists are looked up by name',
    files: {
      ...filesIn('server/src/kernel', 20),
      ...filesIn('sdk/src/generated/resources', 30),
      ...Object.fromEntries(
        Array.from({ length: 30 }, (_, n) => [`server/src/features/f${n}/index.ts`, 'a()\n']),
      ),
    },
    at: [],
  },
  {
    rule: 'crowded-folder',
    because: 'a reader scans pages and pictures too',
    files: { ...filesIn('server/src/kernel', 20), 'server/src/kernel/README.md': '# Kernel\n' },
    at: ['server/src/kernel:1'],
  },
  {
    rule: 'room-of-feature',
    because: 'a feature with parts, and each part, says what it holds; parts are small',
    files: {
      'server/src/features/cards/index.ts': 'a()\n',
      'server/src/features/cards/record/card.ts': 'a()\n',
      ...filesIn('server/src/features/cards/issuance', 16),
      'server/src/features/cards/issuance/README.md': 'a\n'.repeat(21),
    },
    at: [
      'server/src/features/cards:1',
      'server/src/features/cards/issuance:1',
      'server/src/features/cards/issuance/README.md:21',
      'server/src/features/cards/record:1',
    ],
  },
  {
    rule: 'room-of-feature',
    because: 'a feature without parts is in the list of ARCHITECTURE.md',
    files: {
      ...filesIn('server/src/features/events', 18),
      'server/src/features/cards/README.md': '# Cards\n',
      'server/src/features/cards/record/README.md': '# Record\n',
      ...filesIn('server/src/features/cards/record', 15),
    },
    at: [],
  },
  {
    rule: 'wide-engine',
    because: 'one name and one file too many; tests do not count',
    files: {
      ...filesIn(PAYMENTS, 20),
      [`${PAYMENTS}/a.test.ts`]: 'a()\n',
      [`${PAYMENTS}/index.ts`]: givingOut(41),
    },
    at: [`${PAYMENTS}/index.ts:1`, `${PAYMENTS}/index.ts:1`],
  },
  {
    rule: 'wide-engine',
    because: 'twenty files and forty names; the record of a movement gives out its vocabulary',
    files: {
      ...filesIn(PAYMENTS, 19),
      [`${PAYMENTS}/index.ts`]: givingOut(40),
      'server/src/features/transactions/index.ts': givingOut(90),
    },
    at: [],
  },
  {
    rule: 'file-length',
    because: 'one line too many',
    files: {
      'server/src/kernel/a.ts': lines(401),
      'server/src/kernel/a.test.ts': lines(601),
      'server/test/kit/a.ts': lines(601),
    },
    at: [
      'server/src/kernel/a.test.ts:601',
      'server/src/kernel/a.ts:401',
      'server/test/kit/a.ts:601',
    ],
  },
  {
    rule: 'file-length',
    because: 'the mark is a header, not a remark further down',
    files: { 'server/src/kernel/a.ts': `a()\n// data table\n${lines(400)}` },
    at: ['server/src/kernel/a.ts:401'],
  },
  {
    rule: 'file-length',
    because: 'up to the limit, tables that say so, generated files, prose',
    files: {
      'server/src/kernel/a.ts': lines(400),
      'server/src/kernel/a.test.ts': lines(600),
      'server/src/kernel/text/country-codes.ts': `// data table\n${lines(500)}`,
      'sdk/src/generated/operations.ts': lines(5_000),
      'README.md': lines(1_000),
    },
    at: [],
  },
  {
    rule: 'function-length',
    because: 'one line too many, in every form a function takes',
    files: {
      'tools/a.ts': functionOf(71),
      'tools/b.ts': `\nconst f = () => {\n${lines(69)}}\n`,
      'tools/c.ts': `const a = {\nf() {\n${lines(69)}} }\n`,
      'tools/d.test.ts': `test('a', () => {\n${lines(69)}})\n`,
    },
    at: ['tools/a.ts:1', 'tools/b.ts:2', 'tools/c.ts:2', 'tools/d.test.ts:1'],
  },
  {
    rule: 'function-length',
    because: 'up to the limit; a heading over many tests is not a function; a type has no body',
    files: {
      'tools/a.ts': functionOf(70),
      'tools/a.test.ts': `describe('a', () => {\n${lines(100)}})\n`,
      'tools/b.ts': `type F = (\n${'a: 1,\n'.repeat(100)}) => void\n`,
    },
    at: [],
  },
  {
    rule: 'data-table',
    because: 'a table does not decide',
    files: {
      'server/src/kernel/a.ts': '// data table\nconst a = 1\nfunction f() { if (a) return 1 }\n',
    },
    at: ['server/src/kernel/a.ts:3'],
  },
  {
    rule: 'data-table',
    because: 'a look-up beside the rows is fine, and other files decide as they like',
    files: {
      'server/src/kernel/a.ts': '// data table: ISO 3166\nconst a = {}\nconst f = (k) => a[k]\n',
      'server/src/kernel/b.ts': 'if (a) b()\n',
    },
    at: [],
  },
])

test('the size distribution counts files, tests and functions apart', () => {
  const files = {
    'tools/a.ts': functionOf(10),
    'tools/b.ts': lines(30),
    'tools/a.test.ts': lines(7),
  }
  const printed = sizeDistribution(projectOf(new Map(Object.entries(files))))
  assert.deepEqual(
    printed.map((line) => line.split(/\s+/).join(' ')),
    [
      'files 2 lines p50 10 p90 30 max 30',
      'tests 1 lines p50 7 p90 7 max 7',
      'functions 1 lines p50 10 p90 10 max 10',
    ],
  )
})
