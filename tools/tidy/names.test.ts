import { nameRules } from './names.ts'
import { proveRules } from './project/prove-rules.ts'

proveRules(nameRules, [
  {
    rule: 'kebab-case',
    because: 'capitals and underscores, in files and folders',
    files: {
      'server/src/kernel/wireMoney.ts': '',
      'server/src/kernel/wire_money.ts': '',
      'docs/Guides/start.md': '',
    },
    at: [
      'docs/Guides/start.md:1',
      'server/src/kernel/wireMoney.ts:1',
      'server/src/kernel/wire_money.ts:1',
    ],
  },
  {
    rule: 'kebab-case',
    because: 'words by hyphens, endings by dots, names that are read in capitals everywhere',
    files: {
      'server/src/kernel/money/wire-money.test.ts': '',
      'server/migrations/0001-platforms.sql': '',
      'server/src/ledger/README.md': '',
      LICENSE: '',
      '.oxfmtrc.json': '',
      '.oxlintrc.json': '',
    },
    at: [],
  },
  {
    rule: 'bucket-name',
    because: 'a bucket says nothing about what is in it',
    files: { 'server/src/kernel/utils.ts': '', 'sdk/src/common/a.ts': '', 'tools/types.d.ts': '' },
    at: ['sdk/src/common/a.ts:1', 'server/src/kernel/utils.ts:1', 'tools/types.d.ts:1'],
  },
  {
    rule: 'bucket-name',
    because: 'the word as a part of a name may be right',
    files: { 'server/src/features/external-accounts/account-types/table.ts': '' },
    at: [],
  },
  {
    rule: 'root-folder',
    because: 'the front door stays tidy',
    files: { 'notes.md': '', 'scratch/a.ts': '' },
    at: ['notes.md:1', 'scratch/a.ts:1'],
  },
  {
    rule: 'root-folder',
    because: 'what belongs there',
    files: { 'README.md': '', 'package-lock.json': '', '.ci/run': '', 'server/package.json': '' },
    at: [],
  },
])
