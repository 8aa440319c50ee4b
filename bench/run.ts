import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { authorizationCases } from './authorization-cases.ts'
import { startBenchServer } from './bench-server.ts'
import { cardCases } from './card-cases.ts'
import { httpCases, type Served } from './http-cases.ts'
import { laneCases } from './lane-cases.ts'
import { runCase, type Case } from './measure.ts'
import { listCases } from './list-cases.ts'
import { seedLists } from './list-seed.ts'
import { runOverload } from './overload-cases.ts'
import { paymentCases } from './payment-cases.ts'
import { seedPayments } from './payment-seed.ts'
import { runStalls } from './stall-cases.ts'
import { walletCases } from './wallet-cases.ts'

/**
 * `npm run bench [-- part of a case's name]`: starts its own server and prints one JSON line per case. Both sides of
 * a case run turn by turn on the same machine, so the ratio is worth more than either figure. Exits 1 if an aim is missed.
 */
const wanted = process.argv[2] ?? ''
let reached = true

async function runAll(cases: readonly Case[]): Promise<void> {
  for (const one of cases.filter(({ name }) => name.includes(wanted))) {
    reached = (await runCase(one)) && reached
  }
}

await runAll(walletCases())

const inProcess = await startBenchServer()
await runAll(await laneCases(inProcess))
await runAll(await cardCases(inProcess))
await inProcess.stop()

const child = fork(join(import.meta.dirname, 'serve.ts'), {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
})
const [served] = (await once(child, 'message')) as [Served]
await runAll(httpCases(served))
await runAll(await authorizationCases(served))
if ('stall'.includes(wanted)) reached = (await runStalls(served, child)) && reached
if ('overload'.includes(wanted)) reached = (await runOverload(served)) && reached
const payments = await seedPayments(served)
await runAll(await paymentCases(payments))
payments.api.close()
if ('list of'.includes(wanted) || wanted.includes('list')) {
  await seedLists(served)
  await runAll(await listCases(served))
}
child.disconnect()
await once(child, 'exit')
process.exitCode = reached ? 0 : 1
