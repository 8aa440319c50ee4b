import { proveRules, type RuleCase } from './project/prove-rules.ts'
import { ambientRules, environmentRules, languageRules, moneyRules } from './syntax.ts'

/** The rule fires on each of the lines, or on none of them. */
const each = (
  verdict: 'fires' | 'silent',
  { rule, path, because }: { rule: string; path: string; because: string },
  ...lines: string[]
): RuleCase => ({
  rule,
  because,
  files: { [path]: lines.join('\n') },
  at: verdict === 'silent' ? [] : lines.map((_, index) => `${path}:${index + 1}`),
})

const kernel = 'server/src/kernel/a.ts'
const feature = 'server/src/features/quotes/a.ts'

proveRules(languageRules, [
  each(
    'fires',
    { rule: 'no-any', path: kernel, because: 'wherever a type stands' },
    'const a: any = 1',
    'const b = a as any',
    'type C = Record<string, any>',
    'function f(...x: any[]) {}',
  ),
  each(
    'silent',
    { rule: 'no-any', path: kernel, because: 'the word is not the type' },
    'const any = 1',
    "const b = 'any'",
    'type C = { any: unknown } // any',
  ),
  each(
    'fires',
    { rule: 'no-enum', path: kernel, because: 'of either kind' },
    'enum A { B }',
    'const enum C { D }',
  ),
  each(
    'silent',
    { rule: 'no-enum', path: kernel, because: 'a keyword of JSON Schema' },
    'const schema = { enum: [1] }',
  ),
  each(
    'fires',
    { rule: 'no-export-star', path: kernel, because: 'bare or under a name' },
    "export * from './b.ts'",
    "export * as b from './b.ts'",
  ),
  each(
    'silent',
    { rule: 'no-export-star', path: kernel, because: 'one by one' },
    "export { b } from './b.ts'",
    "import * as c from './c.ts'",
  ),
  each(
    'silent',
    { rule: 'no-export-star', path: 'sdk/src/index.ts', because: 'types that are generated' },
    "export type * from './generated/schemas.ts'",
  ),
  each(
    'fires',
    { rule: 'no-export-star', path: 'sdk/src/index.ts', because: 'code, or types of our own' },
    "export * from './generated/schemas.ts'",
    "export type * from './caller.ts'",
  ),
  each(
    'fires',
    { rule: 'no-default-export', path: kernel, because: 'in every form' },
    'export default 1',
    'export default function f() {}',
    'const a = 1; export { a as default }',
  ),
  each(
    'silent',
    { rule: 'no-default-export', path: kernel, because: 'default is also a case and a key' },
    'switch (a) { default: b() }',
    'const c = { default: 1 }',
    'export const d = 1',
  ),
  each(
    'silent',
    { rule: 'no-default-export', path: 'knip.config.js', because: 'their tools want it so' },
    'export default []',
  ),
  each(
    'silent',
    { rule: 'no-default-export', path: 'server/src/a.d.ts', because: 'others export it so' },
    "declare module 'a' { export = b }",
  ),
  each(
    'fires',
    { rule: 'no-class', path: kernel, because: 'state belongs in records' },
    'class A {}',
    'const B = class {}',
    'class C extends Service {}',
  ),
  each(
    'silent',
    { rule: 'no-class', path: 'server/src/kernel/a.test.ts', because: 'tests may' },
    'class A {}',
  ),
  each(
    'silent',
    { rule: 'no-class', path: kernel, because: 'errors are classes' },
    'class A extends Error {}',
    'class B extends ApiError {}',
  ),
])

proveRules(ambientRules, [
  each(
    'fires',
    { rule: 'process-env', path: kernel, because: 'in every form' },
    'process.env.PORT',
    "process['env']",
    "import { env } from 'node:process'",
    'const { env: e } = process',
  ),
  each(
    'silent',
    { rule: 'process-env', path: kernel, because: 'another env' },
    'settings.env',
    'process.pid',
    "import { pid } from 'node:process'",
    'const { env } = options',
  ),
  ...[
    'server/src/infra/settings/settings.ts',
    'server/src/infra/a.test.ts',
    'tools/a.ts',
    'bench/a.ts',
  ].map((path) =>
    each('silent', { rule: 'process-env', path, because: `allowed in ${path}` }, 'process.env'),
  ),
  each(
    'fires',
    { rule: 'node-env', path: kernel, because: 'read, compared or named' },
    "if (settings.NODE_ENV === 'test') a()",
    "const name = 'NODE_ENV'",
  ),
  each(
    'silent',
    { rule: 'node-env', path: 'server/src/infra/settings/settings.ts', because: 'settings decide' },
    'const production = env.NODE_ENV',
  ),
  each(
    'fires',
    { rule: 'one-clock', path: kernel, because: 'each way to ask the machine' },
    'Date.now()',
    'const now = Date.now',
    'new Date()',
    'new Date',
    'Date()',
  ),
  each(
    'silent',
    { rule: 'one-clock', path: kernel, because: 'dates of given instants' },
    'new Date(0)',
    'new Date(text)',
    'Date.UTC(2025, 0)',
    'clock.now()',
    "const a = 'Date.now()'",
  ),
  ...[
    'server/src/kernel/clock.ts',
    'server/src/kernel/a.test.ts',
    'tools/a.ts',
    'server/src/pages/a.js',
  ].map((path) =>
    each('silent', { rule: 'one-clock', path, because: `allowed in ${path}` }, 'Date.now()'),
  ),
  each(
    'fires',
    { rule: 'stopwatch', path: feature, because: 'features measure nothing' },
    'performance.now()',
    'process.hrtime.bigint()',
  ),
  each(
    'silent',
    { rule: 'stopwatch', path: 'server/src/infra/jobs/run.ts', because: 'infra does' },
    'performance.now()',
  ),
  ...[kernel, 'tools/a.ts', 'server/test/kit/a.ts'].map((path) =>
    each('fires', { rule: 'math-random', path, because: `even in ${path}` }, 'Math.random()'),
  ),
  each(
    'silent',
    { rule: 'math-random', path: kernel, because: 'other functions' },
    'Math.max(1, 2)',
  ),
  ...[kernel, 'server/test/kit/a.ts', 'server/src/operator/a.test.ts', 'sdk/src/a.ts'].map((path) =>
    each('fires', { rule: 'no-console', path, because: `in ${path}` }, 'console.log(1)'),
  ),
  ...['server/src/bin/a.ts', 'server/src/operator/a.ts', 'tools/a.ts', 'bench/a.ts'].map((path) =>
    each(
      'silent',
      { rule: 'no-console', path, because: `commands print: ${path}` },
      'console.log(1)',
    ),
  ),
])

proveRules(moneyRules, [
  ...[feature, 'server/src/ledger/post.ts'].map((path) =>
    each(
      'fires',
      { rule: 'float-arithmetic', path, because: `in ${path}` },
      'Math.round(a)',
      'Number(a)',
      'list.map(Number)',
      'parseFloat(a)',
      'Number.parseFloat(a)',
      'a.toFixed(2)',
      'const b = +a',
    ),
  ),
  each(
    'silent',
    { rule: 'float-arithmetic', path: feature, because: 'bigint, checks and signs' },
    'a * 2n',
    'Number.isSafeInteger(a)',
    'const b = -1',
    'const c = +1',
    'const d: Number = a',
    "'Math.'",
  ),
  ...[kernel, 'server/src/features/quotes/a.test.ts'].map((path) =>
    each('silent', { rule: 'float-arithmetic', path, because: `not in ${path}` }, 'Number(a)'),
  ),
  each(
    'fires',
    { rule: 'plain-error', path: feature, because: 'nobody could answer it' },
    "throw new Error('a')",
    "throw new TypeError('a')",
  ),
  each(
    'silent',
    { rule: 'plain-error', path: feature, because: 'errors with a code, errors passed on' },
    "throw new ApiError('CODE')",
    'throw error',
    "fail('CODE')",
  ),
  each(
    'silent',
    { rule: 'plain-error', path: 'server/src/infra/a.ts', because: 'below, bugs may be plain' },
    "throw new Error('a')",
  ),
])

proveRules(environmentRules, [
  ...[
    feature,
    'server/src/pages/a.ts',
    'server/src/ledger/a.ts',
    'server/src/infra/http/a.ts',
    'server/src/operator/commands/a.ts',
  ].map((path) =>
    each(
      'fires',
      { rule: 'environment-compared', path, because: `PROV-10 in code, types and SQL of ${path}` },
      "if (platform.environment === 'SANDBOX') a()",
      'const isReal = environment !== "PRODUCTION"',
      "type Both = 'PRODUCTION' | undefined",
      "sql`select id from platforms where environment = 'PRODUCTION'`",
      "sql`select ${a} from platforms where environment = 'SANDBOX'`",
      'const delay = { SANDBOX: 0 }[environment]',
      'const house = HOUSES.PRODUCTION',
    ),
  ),
  each(
    'silent',
    {
      rule: 'environment-compared',
      path: feature,
      because: 'PROV-10 traits, kinds and other words',
    },
    'if (traitsOf(platform).hasMagicValues) a()',
    "if (kind === 'sandbox') a()",
    "const about = 'SANDBOX or PRODUCTION (default).'",
    'const SANDBOX_CODE = "123456"',
    'const a = ENVIRONMENTS.map((environment) => b(environment))',
  ),
  ...[
    'server/src/kernel/platform.ts',
    'server/src/kernel/platform-traits.ts',
    'server/src/kernel/ports.ts',
    'server/src/infra/providers/a.ts',
    'server/src/app/first-platform.ts',
    'server/src/features/quotes/a.test.ts',
    'server/test/kit/a.ts',
  ].map((path) =>
    each(
      'silent',
      { rule: 'environment-compared', path, because: `PROV-10 allowed in ${path}` },
      "const a = environment === 'SANDBOX'",
    ),
  ),
])
