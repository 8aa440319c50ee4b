import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '../../src/infra/db/sql.ts'
import { inWork } from '../../src/infra/in-work.ts'
import { findPlatform } from '../../src/infra/platforms.ts'
import { mustParseId, newUuid } from '../../src/kernel/ids.ts'
import { invariant } from '../../src/kernel/invariant.ts'
import { availableOf, worldOf } from '../../src/ledger/chart.ts'
import { post } from '../../src/ledger/post.ts'
import { move } from '../../src/ledger/recipes/journal.ts'
import { expectStatus, items } from '../kit/api.ts'
import { eventually } from '../kit/eventually.ts'
import { startKit } from '../kit/florin.ts'
import { operate } from '../kit/operator.ts'
import { payee, payer } from '../kit/payments.ts'
import { watchRoundTrips } from '../kit/round-trips.ts'
import { newScaCustomer } from '../kit/sca.ts'

const kit = await startKit()
const { deps } = kit.florin
const watch = watchRoundTrips()
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
  const [event] = items(expectStatus(await platform.api.get('/events', { query }), 200)['data'])
  assert.equal(event?.['data']?.['balance']?.['amount'], 40)
})

test('LEDG-4 whoever deletes a customer holds its accounts before any balance, as whoever pays does', async () => {
  const platform = await kit.platform()
  const { customerId } = await newScaCustomer(platform)
  const to = await payee(platform, 'USD_ACCOUNT', { customerId })
  const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId }
  const waiting = await platform.api.post('/quotes', {
    source,
    destination: { destinationType: 'ACCOUNT', accountId: to },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000,
  })
  expectStatus(waiting, 202)
  expectStatus(await platform.api.delete(`/customers/${customerId}`), 200)
  const locks = watch
    .transactionWith(/update customers set/)
    .flat()
    .filter((text) => text.includes('for no key update'))
    .map((text) => /from (transactions|internal_accounts|ledger_balances)/.exec(text)?.[1])
  const first = (table: string): number => locks.indexOf(table)
  assert.ok(first('transactions') >= 0 && first('ledger_balances') >= 0, locks.join())
  assert.ok(first('transactions') < first('internal_accounts'), locks.join())
  assert.ok(first('internal_accounts') < first('ledger_balances'), locks.join())
})
