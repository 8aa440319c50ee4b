import { proveRules } from '../project/prove-rules.ts'
import { specificationRules } from './specification.ts'

const chapter = 'docs/specification/10-things.md'
const source = 'server/src/kernel/a.ts'
const proof = 'server/src/kernel/a.test.ts'

const rule = (id: string): string => `| ${id} <a id="${id.toLowerCase()}"></a> | It is so. |\n`

proveRules(specificationRules, [
  {
    rule: 'rule-anchor',
    because: 'no anchor, the anchor of another rule, and a rule stated twice',
    files: {
      [chapter]: `| RULE-1 | It is so. |\n| RULE-2 <a id="rule-3"></a> | So. |\n${rule('RULE-4')}`,
      'docs/specification/11-more.md': rule('RULE-4'),
    },
    at: [`${chapter}:1`, `${chapter}:2`, 'docs/specification/11-more.md:1'],
  },
  {
    rule: 'rule-anchor',
    because: 'other pages, and rules that a sentence names',
    files: {
      [chapter]: `${rule('RULE-1')}- As RULE-1 says.\n`,
      'docs/guides/a.md': '| RULE-1 | Is meant. |\n',
    },
    at: [],
  },
  {
    rule: 'unknown-rule-id',
    because: 'in a comment, a title, a query, a page and another chapter',
    files: {
      [chapter]: `${rule('RULE-1')}As RULE-2 says.\n`,
      [source]: '/** It is so (RULE-2). */\nconst a = 1 // a typing error: RLUE-1\n',
      [proof]: "test('RULE-2 it is so', f)\n",
      'server/migrations/0001-a.sql': '-- RULE-2\n',
      'docs/guides/a.md': 'As RULE-2 says.\n',
    },
    at: [
      'docs/guides/a.md:1',
      `${chapter}:2`,
      'server/migrations/0001-a.sql:1',
      `${proof}:1`,
      `${source}:1`,
      `${source}:2`,
    ],
  },
  {
    rule: 'unknown-rule-id',
    because: 'rules that there are, standards, data of tests, and the examples of tools',
    files: {
      [chapter]: rule('RULE-1'),
      [source]: '/** It is so (RULE-1), by SHA-256 in UTF-8. */\n',
      [proof]: "const reference = 'TRACE-77'\n",
      'tools/a.ts': '// RULE-9\n',
    },
    at: [],
  },
  {
    rule: 'unproved-rule',
    because: 'a comment in a test and the source prove nothing',
    files: {
      [chapter]: rule('RULE-1'),
      [source]: '/** It is so (RULE-1). */\n',
      [proof]: "test('it is so', f) // RULE-1\n",
    },
    at: [`${chapter}:1`],
  },
  {
    rule: 'unproved-rule',
    because: 'a title, the row of a table of cases, and what is not built yet',
    files: {
      [chapter]: `Not built yet: RULE-3.\n${rule('RULE-1')}${rule('RULE-2')}${rule('RULE-3')}`,
      [proof]: "test('RULE-1 it is so', f)\nconst cases = [['RULE-2 so too', 1]]\n",
    },
    at: [],
  },
  {
    rule: 'built-rule',
    because: 'a test names what the chapter calls not built',
    files: {
      [chapter]: `Not built yet: RULE-1 to RULE-3.\n${rule('RULE-1')}${rule('RULE-2')}`,
      [proof]: "test('RULE-2 it is so', f)\n",
    },
    at: [`${chapter}:3`],
  },
  {
    rule: 'built-rule',
    because: 'the rest of the list, and rules that are built',
    files: {
      [chapter]: `Not built yet: RULE-1.\n${rule('RULE-1')}${rule('RULE-2')}`,
      [proof]: "test('RULE-2 it is so', f)\n",
    },
    at: [],
  },
])
