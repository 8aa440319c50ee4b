/** `npm run check`: everything that can be said about the code without running it. Runs all, reports all. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runSteps, type Outcome, type Step } from './run-steps.ts'

const { values } = parseArgs({ options: { 'at-once': { type: 'string', default: '2' } } })
const root = join(import.meta.dirname, '..')
const node = process.execPath
// One checker: several check what they share once each.
const TSC = 'node_modules/typescript-native/bin/tsc'
const KNIP = 'node_modules/knip/bin/knip.js'
const GENERATOR = 'tools/generate-reference.ts'

// Types and lint are programs in Go. They end before collecting garbage is worth a fifth of their time, unless memory is short.
process.env.GOGC ??= 'off'
process.env.GOMEMLIMIT ??= '3GiB'
// Each of several threads checks again what files share, and something else runs beside: a check, or the tests.
process.env.GOMAXPROCS ??= '1'

/** The slowest first, so that the lanes end together. */
const steps: Step[] = [
  { name: 'lint', command: [node, 'node_modules/oxlint/bin/oxlint', '--type-aware', '.'] },
  { name: 'types', command: [node, TSC, '-p', '.', '--checkers', '1'] },
  { name: 'sql', command: [node, 'tools/sql/check-sql.ts'] },
  { name: 'format', command: [node, 'node_modules/oxfmt/bin/oxfmt', '--list-different', '.'] },
  { name: 'supply chain', command: [node, 'tools/supply-chain.ts', '--check'] },
  { name: 'unused', command: [node, KNIP] },
  { name: 'only tested', command: [node, KNIP, '--production'] },
  { name: 'tidy', command: [node, 'tools/tidy.ts'], isReport: true },
  { name: 'regexes', command: [node, 'tools/regexes/check-regexes.ts'] },
]
if (existsSync(join(root, GENERATOR))) {
  steps.push({ name: 'generated', command: [node, GENERATOR, '--check'] })
}

const describe = ({ step, passed, durationMs }: Outcome): string =>
  `${passed ? 'ok    ' : 'FAILED'}  ${step.name.padEnd(12)} ${(durationMs / 1_000).toFixed(1).padStart(6)} s`

const outcomes = await runSteps(steps, {
  atOnce: Number(values['at-once']),
  cwd: root,
  onEnd: (outcome) => console.log(describe(outcome)),
})

const failed = outcomes.filter(({ passed }) => !passed)
for (const { step, passed, output } of outcomes) {
  if (!passed || step.isReport) console.log(`\n── ${step.name}\n${output.trimEnd()}`)
}
if (failed.length > 0) {
  console.log(`\nfailed: ${failed.map(({ step }) => step.name).join(', ')}`)
  process.exitCode = 1
}
