import { directionRules } from './direction.ts'
import { proveRules, type RuleCase } from './project/prove-rules.ts'

const uses = (path: string): string => `import { a } from '${path}'\n`
const empty = 'export const a = 1\n'

const direction: RuleCase[] = [
  {
    rule: 'import-direction',
    because: 'the kernel knows nothing above it',
    files: {
      'server/src/kernel/money.ts': uses('../infra/log.ts'),
      'server/src/infra/log.ts': empty,
    },
    at: ['server/src/kernel/money.ts:1'],
  },
  {
    rule: 'import-direction',
    because: 'a type, a re-export and a call count as well',
    files: {
      'server/src/infra/work.ts':
        "import type { a } from '../features/quotes/index.ts'\n" +
        "export { a } from '../app/deps.ts'\n" +
        "export const load = () => import('../bin/server.ts')\n" +
        "export type Late = import('../app/deps.ts').Late\n",
    },
    at: [1, 2, 3, 4].map((line) => `server/src/infra/work.ts:${line}`),
  },
  {
    rule: 'import-direction',
    because: 'ledger and webhooks are neighbours',
    files: {
      'server/src/ledger/post.ts': uses('../webhooks/emit.ts'),
      'server/src/webhooks/emit.ts': uses('../ledger/chart.ts'),
    },
    at: ['server/src/ledger/post.ts:1', 'server/src/webhooks/emit.ts:1'],
  },
  {
    rule: 'import-direction',
    because: 'only the composition root knows the sandbox',
    files: {
      'server/src/bin/server.ts': uses('../sandbox/clock.ts'),
      'server/src/pages/terms.ts': uses('../sandbox/clock.ts'),
      'server/src/app/operations.ts': uses('../sandbox/clock.ts'),
    },
    at: ['server/src/bin/server.ts:1', 'server/src/pages/terms.ts:1'],
  },
  {
    rule: 'import-direction',
    because: 'the service does not lean on its tests or tools',
    files: {
      'server/src/app/deps.ts':
        uses('../../test/kit/florin.ts') + uses('../../../tools/tidy/tiers.ts'),
    },
    at: ['server/src/app/deps.ts:1', 'server/src/app/deps.ts:2'],
  },
  {
    rule: 'import-direction',
    because: 'clients know the service by its interface only',
    files: { 'sdk/src/client.ts': uses('../../server/src/kernel/errors.ts') },
    at: ['sdk/src/client.ts:1'],
  },
  {
    rule: 'import-direction',
    because: 'downwards, sideways in the own layer, packages and data are fine',
    files: {
      'server/src/bin/server.ts': uses('../app/deps.ts') + uses('../infra/log.ts'),
      'server/src/infra/work.ts': uses('../crypto/seal.ts') + uses('./log.ts') + uses('pino'),
      'server/src/infra/version.ts': "import a from '../../package.json' with { type: 'json' }\n",
    },
    at: [],
  },
  {
    rule: 'import-direction',
    because: 'tests may reach for anything',
    files: {
      'server/src/kernel/money.test.ts': uses('../../test/kit/florin.ts') + uses('../app/deps.ts'),
      'server/test/kit/florin.ts': uses('../../src/app/deps.ts'),
    },
    at: [],
  },
]

const tiers: RuleCase[] = [
  {
    rule: 'feature-tier',
    because: 'a lower tier does not import a higher one',
    files: { 'server/src/features/customers/find.ts': uses('../quotes/index.ts') },
    at: ['server/src/features/customers/find.ts:1'],
  },
  {
    rule: 'feature-tier',
    because: 'features of one tier do not import each other',
    files: { 'server/src/features/cards/find.ts': uses('../uma/index.ts') },
    at: ['server/src/features/cards/find.ts:1'],
  },
  {
    rule: 'feature-tier',
    because: 'a higher tier may, and a feature its own files',
    files: { 'server/src/features/quotes/find.ts': uses('../customers/index.ts') + uses('./a.ts') },
    at: [],
  },
  {
    rule: 'feature-door',
    because: 'the store of another feature is its own affair',
    files: { 'server/src/features/quotes/find.ts': '\n' + uses('../customers/store.ts') },
    at: ['server/src/features/quotes/find.ts:2'],
  },
  {
    rule: 'feature-door',
    because: 'an index.ts deeper inside is no door either',
    files: { 'server/src/features/quotes/find.ts': uses('../external-accounts/formats/index.ts') },
    at: ['server/src/features/quotes/find.ts:1'],
  },
  {
    rule: 'feature-door',
    because: 'the index is the door, and the composition root takes routes directly',
    files: {
      'server/src/features/quotes/find.ts': uses('../customers/index.ts') + uses('./store.ts'),
      'server/src/app/operations.ts': uses('../features/quotes/routes.ts'),
    },
    at: [],
  },
  {
    rule: 'unknown-place',
    because: 'a layer or feature without a place in the order escapes every check',
    files: {
      'server/src/services/a.ts': empty,
      'server/src/features/loans/a.ts': empty,
      'server/src/features/a.ts': empty,
      'server/src/a.ts': empty,
    },
    at: [
      'server/src/a.ts:1',
      'server/src/features/a.ts:1',
      'server/src/features/loans/a.ts:1',
      'server/src/services/a.ts:1',
    ],
  },
  {
    rule: 'unknown-place',
    because: 'known ones are fine, and so is a README anywhere',
    files: { 'server/src/features/quotes/a.ts': empty, 'server/src/README.md': 'Read me.' },
    at: [],
  },
]

const cycles: RuleCase[] = [
  {
    rule: 'import-cycle',
    because: 'two files need each other, though only for types',
    files: {
      'server/src/infra/a.ts': empty + "import type { B } from './b.ts'\n",
      'server/src/infra/b.ts': "import type { A } from './a.ts'\n",
    },
    at: ['server/src/infra/a.ts:2'],
  },
  {
    rule: 'import-cycle',
    because: 'a knot is one finding, whatever its size; a file that imports itself is one too',
    files: {
      'tools/a.ts': uses('./b.ts'),
      'tools/b.ts': uses('./c.ts'),
      'tools/c.ts': uses('./a.ts') + uses('./b.ts'),
      'tools/d.ts': uses('./d.ts'),
    },
    at: ['tools/a.ts:1', 'tools/d.ts:1'],
  },
  {
    rule: 'import-cycle',
    because: 'two ways to one file are no cycle',
    files: {
      'tools/a.ts': uses('./b.ts') + uses('./c.ts'),
      'tools/b.ts': uses('./d.ts'),
      'tools/c.ts': uses('./d.ts'),
      'tools/d.ts': empty,
    },
    at: [],
  },
]

proveRules(directionRules, [...direction, ...tiers, ...cycles])
