import { proveRules } from './project/prove-rules.ts'
import { testRules } from './tests.ts'

const path = 'server/src/kernel/a.test.ts'

proveRules(testRules, [
  {
    rule: 'test-switched-off',
    because: 'in every way the runner offers',
    files: {
      [path]: [
        "test.only('a', () => {})",
        "describe.skip('a', () => {})",
        "it.todo('a')",
        "test('a', { skip: true }, () => {})",
        "test('a', { todo: 'later' }, () => {})",
        "test('a', (t) => t.skip())",
      ].join('\n'),
    },
    at: [1, 2, 3, 4, 5, 6].map((line) => `${path}:${line}`),
  },
  {
    rule: 'test-switched-off',
    because: 'the same words about something else',
    files: {
      [path]:
        "rows.skip(2)\nconst a = { only: 1 }\ntest('only', { timeout: 5 }, () => list({ skip: 1 }))\n",
      'server/src/kernel/a.ts': 'test.only()\n',
    },
    at: [],
  },
  {
    rule: 'test-title',
    because: 'ids, a number of the chapter, or too few words',
    files: {
      [path]: [
        "test('CUST-1 CUST-2', () => {})",
        "test('CUST-1 two words', () => {})",
        "test('section 4: a card is closed', () => {})",
        "test('CUST-1 scenarios 7 and 8: a card is closed', () => {})",
        "it('LIGHT (scenario 5)', () => {})",
        'test(`scenario ${number} is played`, () => {})',
      ].join('\n'),
    },
    at: [1, 2, 3, 4, 5, 6].map((line) => `${path}:${line}`),
  },
  {
    rule: 'test-title',
    because: 'sentences, and what is no title of a test',
    files: {
      [path]: [
        "test('CUST-1 CUST-2 a card is closed (scenario 7)', () => {})",
        'test(`${what}: ${why}`, () => {})',
        'test(`CUST-1 ${what}`, () => {})',
        "test('a section 4 card closes', () => {})",
        'test(title, () => {})',
        "describe('closing', () => {})",
        "pattern.test('a')",
      ].join('\n'),
    },
    at: [],
  },
])
