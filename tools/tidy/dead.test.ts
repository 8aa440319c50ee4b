import { deadRules } from './dead.ts'
import { proveRules } from './prove-rules.ts'

const uses = (name: string, path: string): string => `import { ${name} } from '${path}'\n`
const exportsA = 'export const a = 1\n'

proveRules(deadRules, [
  {
    rule: 'dead-file',
    because: 'nobody imports it',
    files: { 'server/src/kernel/a.ts': exportsA },
    at: ['server/src/kernel/a.ts:1'],
  },
  {
    rule: 'dead-file',
    because: 'its own test does not keep it alive',
    files: {
      'server/src/kernel/a.ts': exportsA,
      'server/src/kernel/a.test.ts': uses('a', './a.ts'),
      'server/test/journeys/a.test.ts': uses('a', '../../src/kernel/a.ts'),
    },
    at: ['server/src/kernel/a.ts:1'],
  },
  {
    rule: 'dead-file',
    because: 'a piece of the test kit that no test uses',
    files: { 'server/test/kit/clock.ts': exportsA },
    at: ['server/test/kit/clock.ts:1'],
  },
  {
    rule: 'dead-file',
    because:
      'commands, tests, tools, load scripts, settings and migrations are started from outside',
    files: {
      'server/src/bin/server.ts': exportsA,
      'server/src/kernel/a.test.ts': exportsA,
      'server/migrations/0001-a.sql': '',
      'tools/check.ts': exportsA,
      'bench/run.ts': exportsA,
      'examples/first-payment.ts': exportsA,
      'eslint.config.js': 'export default []\n',
    },
    at: [],
  },
  {
    rule: 'dead-file',
    because: 'imports, re-exports, calls and addresses in strings are uses',
    files: {
      'server/src/bin/server.ts':
        uses('a', '../app/a.ts') +
        "export { b } from '../app/b.ts'\n" +
        "await import('../app/c.ts')\n" +
        "new Worker(new URL('../app/d.ts', import.meta.url))\n" +
        'const script = \'<script type="module" src="/assets/e.js"></script>\'\n',
      'server/src/app/a.ts': exportsA,
      'server/src/app/b.ts': exportsA,
      'server/src/app/c.ts': exportsA,
      'server/src/app/d.ts': exportsA,
      'server/src/pages/docs/e.js': exportsA,
      'server/src/pages/docs/index.html': '<script type="module" src="docs/f.js"></script>',
      'server/src/pages/docs/f.js': exportsA,
      'sdk/package.json': '{ "exports": "./src/index.ts" }',
      'sdk/src/index.ts': exportsA,
      'server/test/faults/child.ts': exportsA,
      'server/test/faults/kill.test.ts': "spawn('server/test/faults/child.ts')\n",
    },
    at: [],
  },
  {
    rule: 'dead-export',
    because: 'nobody takes the second one',
    files: {
      'server/src/kernel/a.ts': exportsA + 'export const b = a\n' + 'export function c() {}\n',
      'server/src/bin/server.ts': uses('a', '../kernel/a.ts'),
    },
    at: ['server/src/kernel/a.ts:2', 'server/src/kernel/a.ts:3'],
  },
  {
    rule: 'dead-export',
    because: 'a type is not even used at home; an index.ts offers what nobody takes',
    files: {
      'server/src/features/sca/index.ts': "export { a, b } from './a.ts'\n",
      'server/src/features/sca/a.ts': exportsA + 'export const b = 2\nexport type C = string\n',
      'server/src/features/quotes/price.ts': uses('a', '../sca/index.ts'),
    },
    at: ['server/src/features/sca/a.ts:3', 'server/src/features/sca/index.ts:1'],
  },
  {
    rule: 'dead-export',
    because: 'renamed, whole, by a test, or as the type of something exported: used',
    files: {
      'server/src/kernel/a.ts':
        exportsA + 'export type Options = {}\nexport const b = (o: Options) => o\n',
      'server/src/kernel/a.test.ts': uses('b', './a.ts'),
      'server/src/kernel/whole.ts': exportsA + 'export const b = 2\n',
      'server/src/bin/server.ts':
        uses('a as c', '../kernel/a.ts') + "import * as whole from '../kernel/whole.ts'\n",
      'sdk/src/index.ts': exportsA,
    },
    at: [],
  },
])
