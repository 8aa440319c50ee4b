import { proveRules } from '../project/prove-rules.ts'
import { wordRules } from './words.ts'

// Put together here, so that the rules do not find their own test.
const [person, action, again, refund] = ['Who' + 'ever', 'de' + 'eds', 'an' + 'ew', 'give' + 'Back']
const noun = 'to' + 'ld'

proveRules(wordRules, [
  {
    rule: 'private-word',
    because: 'private words in comments, texts and names, in any case',
    files: {
      'server/src/infra/a.ts': `/** ${person} calls. */\nexport const ${refund}LateFunds = 1\n`,
      'docs/guides/a.md': `Audited\n${action} begin ${again}.\n`,
    },
    at: ['docs/guides/a.md:2', 'server/src/infra/a.ts:1', 'server/src/infra/a.ts:2'],
  },
  {
    rule: 'private-word',
    because: 'longer words, and migrations that ran',
    files: {
      'server/src/infra/a.ts': `// At least one, indeed: a scenery and a bestseller.\n`,
      'server/migrations/0001-a.sql': `-- ${person} comes.\n`,
    },
    at: [],
  },
  {
    rule: 'private-name',
    because: 'a participle in place of a noun',
    files: { 'server/src/infra/a.ts': `const ${noun} = 1\n` },
    at: ['server/src/infra/a.ts:1'],
  },
  {
    rule: 'private-name',
    because: 'the same word in a sentence',
    files: { 'server/src/infra/a.ts': `/** The platform is ${noun}. */\nconst a = '${noun}'\n` },
    at: [],
  },
])
