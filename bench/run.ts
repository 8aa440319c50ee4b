import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { authorizationCases } from './authorization-cases.ts'
import { startBenchServer } from './bench-server.ts'
import { cardCases } from './card-cases.ts'
import { startCheckout, withCommit, type Checkout } from './service/checkout.ts'
import { httpCases } from './http-cases.ts'
import { laneCases } from './lane-cases.ts'
import { runCase, type Case } from './measure.ts'
import { listCases } from './list-cases.ts'
import { seedLists } from './list-seed.ts'
import { runOperatorPages } from './operator-pages.ts'
import { runOverload } from './overload-cases.ts'
import { COMPARED, comparedCases, paymentCases } from './payment-cases.ts'
import { seedPayments } from './payment-seed.ts'
import { runStalls } from './stall-cases.ts'
import { webhookCases } from './webhook-cases.ts'
import { walletCases } from './wallet-cases.ts'

/**
 * `npm run bench [-- [--against <commit>] [--with SETTING=value] [--processes 2] [--rounds 3] part of a case's name]`:
 * starts its own server and prints one JSON line per case. Both sides of a case run turn by turn on the same machine, so the
 * ratio is worth more than either figure, and more rounds are worth more; with `--against` the other side is that commit,
 * with `--with` this one without that setting, with `--processes` this one as a single process. Exits 1 if an aim is missed.
 */
const { values, positionals } = parseArgs({
  options: {
    against: { type: 'string' },
    with: { type: 'string' },
    processes: { type: 'string' },
    rounds: { type: 'string', default: '3' },
  },
  allowPositionals: true,
})
const [wanted = ''] = positionals
let reached = true

const isWanted = ({ name }: Pick<Case, 'name'>): boolean => name.includes(wanted)

async function runAll(cases: readonly Case[]): Promise<void> {
  for (const one of cases.filter(isWanted))
    reached = (await runCase(one, Number(values.rounds))) && reached
}

async function runAlone(): Promise<void> {
  await runAll(walletCases())
  if (['lane', 'card'].some((name) => name.includes(wanted) || wanted.startsWith(name))) {
    const inProcess = await startBenchServer()
    await runAll(await laneCases(inProcess))
    await runAll(await cardCases(inProcess))
    await inProcess.stop()
  }
  if ('dashboard'.includes(wanted)) reached = (await runOperatorPages()) && reached
  const checkout = await startCheckout()
  await runHttp(checkout)
  await runAll(await authorizationCases(checkout))
  if ('webhooks'.includes(wanted)) {
    const [cases, close] = await webhookCases(checkout)
    await runAll(cases)
    close()
  }
  if ('stall'.includes(wanted)) reached = (await runStalls(checkout)) && reached
  if ('overload'.includes(wanted)) reached = (await runOverload(checkout)) && reached
  const payments = await seedPayments(checkout)
  await runAll(await paymentCases(payments))
  payments.api.close()
  if ('list of'.includes(wanted) || wanted.includes('list')) {
    await seedLists(checkout)
    await runAll(await listCases(checkout))
  }
  await checkout.stop()
}

async function runHttp(checkout: Checkout): Promise<void> {
  const { databaseUrl: DATABASE_URL, credentials } = checkout
  const env = { ...process.env, DATABASE_URL, TOKEN_ID: credentials.tokenId }
  const bare = fork(join(import.meta.dirname, 'service/bare-routes.ts'), { env })
  const [origin] = (await once(bare, 'message')) as [string]
  await runAll(httpCases(checkout, origin))
  bare.disconnect()
}

async function compare(first: Checkout, second: Checkout, against: string): Promise<void> {
  const [own, other] = [await seedPayments(first), await seedPayments(second)]
  // Rows that the seed writes past the service are sealed too, where the setting says so.
  await first.florin('keys reseal')
  await runAll(comparedCases(own, other, against))
  for (const { api } of [own, other]) api.close()
  for (const checkout of [first, second]) await checkout.stop()
}

const runAgainst = (commit: string): Promise<void> =>
  withCommit(commit, async (root) =>
    compare(await startCheckout(), await startCheckout({ root }), `commit ${commit}`),
  )

async function runWith(setting: string): Promise<void> {
  const [name = '', ...value] = setting.split('=')
  const settings = { [name]: value.join('=') }
  await compare(await startCheckout({ settings }), await startCheckout(), `without ${setting}`)
}

async function runWithProcesses(processes: number): Promise<void> {
  await compare(await startCheckout({ processes }), await startCheckout(), 'one process')
}

const isComparison = [values.against, values.with, values.processes].some(
  (way) => way !== undefined,
)
if (isComparison && !COMPARED.some(isWanted))
  throw new Error(`Only payments are compared, and no case of theirs has "${wanted}" in its name.`)

if (values.against !== undefined) await runAgainst(values.against)
else if (values.with !== undefined) await runWith(values.with)
else if (values.processes !== undefined) await runWithProcesses(Number(values.processes))
else await runAlone()
process.exitCode = reached ? 0 : 1
