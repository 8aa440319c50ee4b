/**
 * `npm run faults`: the tests of providers under faults, with figures that `npm test` has no time for. The seed of a run
 * is printed.
 *
 *   npm run faults                  1,000 payments through faults and kills by seed
 *   FAULT_SEED=7 npm run faults     the run of this seed again
 *   npm run faults -- kills         20 kills of the service between call and answer
 *   npm run faults -- payouts       10,000 payouts without a fault and without an operator
 */
const RUNS = {
  network: { file: 'network', env: { FAULT_PAYMENTS: '1000' } },
  kills: { file: 'kills', env: { FAULT_KILLS: '20' } },
  payouts: { file: 'payouts', env: { FAULT_PAYOUTS: '10000' } },
}
const MINUTES_MAX = 60

const [name = 'network'] = process.argv.slice(2)
const run = Object.entries(RUNS).find(([key]) => key === name)?.[1]
if (!run) throw new Error(`There is no run ${name}: ${Object.keys(RUNS).join(', ')}.`)
process.env = { ...run.env, ...process.env }
process.argv.splice(
  2,
  Infinity,
  `--minutes=${MINUTES_MAX}`,
  `server/test/faults/providers/${run.file}`,
)
await import('../test.ts')
