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
])
