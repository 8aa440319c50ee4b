/** Payouts of production that nobody has a hand in. `npm run faults -- payouts` makes ten thousand of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/infra/db/statement/sql.ts'
import { formatId, type Id } from '../../../src/kernel/ids.ts'
import { checkLedger } from '../../../src/ledger/reports/check-ledger.ts'
import { expectStatus, items } from '../../kit/api.ts'
import { eventually } from '../../kit/eventually.ts'
import { operate } from '../../kit/operator.ts'
import { balanceOf, platformAccount, quoteBody } from '../../kit/payments.ts'
import { openPacedKit } from '../../kit/processes/paced-kit.ts'
import { openProductionAccount, productionBank } from '../../kit/setups/production.ts'
import { startFaultProxy } from '../../kit/processes/fault-proxy.ts'

const PAYOUTS = Number(process.env['FAULT_PAYOUTS'] ?? 50)
const AT_ONCE = 16
const AMOUNT_MAX = 100_000
const FUNDED = PAYOUTS * AMOUNT_MAX
const WITHIN_MS = 60_000 + PAYOUTS * 100

const kit = await openPacedKit(1)

test('PROV-153 payouts of production reach the bank and come to their end without an operator', async (t) => {
  // The service's address is known once it runs; nothing fails on the way.
  const inward = await startFaultProxy({ target: '', seed: 1, percent: 0 })
  const bank = await kit.startBank({ url: 'http://127.0.0.1:1' }, () => undefined)
  await operate(kit, `providers update bank --url ${bank.baseUrl()}`)
  const service = await kit.startService(inward.url, inward.leadTo)
  const platform = await kit.platform(service)
  const from = await platformAccount(platform, 'USD')
  await openProductionAccount(kit, platform, { id: from, funded: BigInt(FUNDED) })
  const to = await productionBank(kit, platform)
  const settled = async (): Promise<number> => {
    const { count } = await kit.florin.deps.db.read.one<{ count: number }>(
      sql`select count(*)::int as count from provider_orders where state = 'SETTLED'`,
    )
    return count
  }

  const startedAt = performance.now()
  const lines = Array.from({ length: AT_ONCE }, async (_, line) => {
    for (let n = line; n < PAYOUTS; n += AT_ONCE) {
      const body = quoteBody({ from, to, amount: 1 + (n % AMOUNT_MAX), immediatelyExecute: true })
      expectStatus(await platform.api.post('/quotes', body), 201)
    }
  })
  await Promise.all(lines)
  const madeMs = performance.now() - startedAt
  const behind = PAYOUTS - (await settled())
  await eventually(async () => assert.equal(await settled(), PAYOUTS), WITHIN_MS)
  const tookMs = performance.now() - startedAt
  t.diagnostic(
    `${PAYOUTS} payouts in ${(tookMs / 1_000).toFixed(1)} s: ${Math.round((PAYOUTS * 1_000) / tookMs)} a second; ` +
      `made in ${(madeMs / 1_000).toFixed(1)} s, ${behind} were open then`,
  )

  // A payment has ended before the bank has the answer to its report.
  await eventually(() => assert.deepEqual(kit.readBook().unheard(), []))
  const { orders, wrong } = kit.readBook()
  assert.deepEqual(wrong, [])
  const ours = await kit.florin.deps.db.read.many<{ id: Id<'transaction'>; amount: bigint }>(
    sql`select id, received_amount as amount from transactions
        where type = 'OUTGOING' and status = 'COMPLETED' order by id`,
  )
  const theirs = [...orders.values()].map(({ transactionId, amount }) => [
    transactionId,
    amount.amount,
  ])
  assert.deepEqual(
    ours.map(({ id, amount }) => [formatId('transaction', id), Number(amount)]),
    theirs.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    'both books have the same payments',
  )
  const paid = ours.reduce((sum, { amount }) => sum + amount, 0n)
  assert.equal(await balanceOf(platform, from), FUNDED - Number(paid))
  assert.deepEqual(items(await operate(kit, 'exceptions list')), [])
  assert.deepEqual((await operate(kit, 'providers show bank'))['health']?.['openOrders'], {})
  assert.deepEqual((await checkLedger(kit.florin.deps.db)).problems, [])
})
