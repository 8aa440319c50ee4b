import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '../../src/infra/db/statement/sql.ts'
import { inWork } from '../../src/infra/work/in-work.ts'
import { findPlatform } from '../../src/infra/platforms.ts'
import { mustParseId, newUuid } from '../../src/kernel/ids.ts'
import { invariant } from '../../src/kernel/invariant.ts'
import { availableOf, worldOf } from '../../src/ledger/chart.ts'
import { post } from '../../src/ledger/post.ts'
import { move } from '../../src/ledger/recipes/journal.ts'
import { connectAgent, policyOf } from '../kit/setups/agents.ts'
import { expectError, expectStatus } from '../kit/api.ts'
import { eventually } from '../kit/eventually.ts'
import { MANY_CONNECTIONS, startOwnKit } from '../kit/florin.ts'
import { queueAtRow } from '../kit/database/meet-at-row.ts'
import { operate } from '../kit/operator.ts'
import { customerAccount, payee, payer } from '../kit/payments.ts'
import { watchRoundTrips } from '../kit/database/round-trips.ts'
import { newScaCustomer } from '../kit/sca/sca.ts'

const kit = await startOwnKit(MANY_CONNECTIONS)
const { deps } = kit.florin
const watch = watchRoundTrips()
const LOCKED =
  /from (customers|transactions|external_accounts|internal_accounts|agents|ledger_balances)\b/
after(() => watch.stop())

test('CORE-44 an account that is frozen behind a payment is told with what the payment left', async () => {
  const { platform, account } = await payer(await kit.platform(), { funded: 100 })
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const own = await findPlatform(deps.db.read, mustParseId('platform', platform.platformId))
  invariant(own, 'the platform is there')
  const id = mustParseId('internalAccount', account)
  const caller = {
    platform: own,
    actor: { kind: 'system', name: 'test' },
    requestId: newUuid(),
  } as const
  const paying = inWork(deps, caller, async (work) => {
    await work.tx.one(sql`select id from internal_accounts where id = ${id} for share`)
    const money = { amount: 60n, currency: 'USD' }
    const ends = { from: availableOf(id), to: worldOf('X'), money }
    await post(work, [move({ type: 'test', reference: newUuid(), ...ends })])
    held.resolve()
    await release.promise
  })
  await held.promise
  const freezing = operate(kit, `accounts freeze ${account}`)
  await eventually(async () => {
    const { waiting } = await deps.db.read.one<{ waiting: number }>(
      sql`select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
    )
    assert.equal(waiting, 1)
  })
  release.resolve()
  await paying
  assert.equal((await freezing)['balance']?.['amount'], 40)
  const query = { type: 'INTERNAL_ACCOUNT.STATUS_UPDATED' }
  const [event] = expectStatus(await platform.api.get('/events', { query }), 200).data
  assert.equal(event?.data?.['balance']?.['amount'], 40)
})

test('LEDG-4 deleting a customer locks its accounts before its own row and any balance, in the order of payments', async () => {
  const platform = await kit.platform()
  const { customerId } = await newScaCustomer(platform)
  const account = await customerAccount(platform, customerId, 'USD')
  const to = await payee(platform, 'USD_ACCOUNT', { customerId })
  const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId }
  const waiting = await platform.api.post('/quotes', {
    source,
    destination: { destinationType: 'ACCOUNT', accountId: to },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000,
  })
  expectStatus(waiting, 202)
  const mode = { defaultExecutionMode: 'APPROVAL_REQUIRED' }
  const agent = await connectAgent(platform, { customerId, policy: policyOf(mode) })
  const pull = { source: { accountId: to }, destination: { accountId: account }, amount: 1000 }
  expectStatus(await agent.api.post('/agents/me/transfer-in', pull), 201)
  expectStatus(await platform.api.delete(`/customers/${customerId}`), 200)
  const locks = watch
    .transactionWith(/update customers set/)
    .flat()
    .filter((text) => /for (no key )?update/.test(text))
    .map((text) => LOCKED.exec(text)?.[1])
  const inOrder = [
    'transactions',
    'external_accounts',
    'internal_accounts',
    'customers',
    'agents',
    'ledger_balances',
  ]
  const firsts = [...new Set(locks.filter((table) => table !== undefined))]
  assert.deepEqual(firsts, inOrder, locks.join())
})

test('CORE-44 AGENT-10 a customer that is deleted while its agent pays: neither waits for the other', async () => {
  const { platform, account, customerId } = await payer(await kit.platform(), { funded: 0 })
  const to = await payee(platform, 'USD_ACCOUNT', { customerId })
  const agent = await connectAgent(platform, { customerId })
  const row = sql`select 1 from agents where id = ${mustParseId('agent', agent.id)} for update`
  const transfer = { source: { accountId: account }, destination: { accountId: to }, amount: 100 }
  const before = deps.db.retries()
  const [deleted, paid] = await queueAtRow(kit, row, [
    () => platform.api.delete(`/customers/${customerId}`),
    () => agent.api.post('/agents/me/transfer-out', transfer),
  ])
  assert.ok(deleted && paid)
  expectStatus(deleted, 200)
  expectError(paid, 401, 'UNAUTHORIZED')
  assert.equal(deps.db.retries(), before, 'no transaction was retried')
})
