import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExternalAccount } from '../../../../../sdk/src/index.ts'
import {
  expectStatus,
  items,
  text,
  type Body,
  type HasId,
  type Shown,
} from '../../../../test/kit/api.ts'
import { listEvents } from '../../../../test/kit/customers.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  scriptedProvider,
  type Reply,
  type ScriptedProvider,
} from '../../../../test/kit/outside/scripted-provider.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import { mustParseId, newUuid } from '../../../kernel/ids.ts'

const kit = await startOwnKit()

const CONFIG = '{"nameCheck":true}'

async function setup(options = `--config ${CONFIG}`) {
  const platform = await kit.platform()
  const registered = `--environment SANDBOX --platform ${platform.platformId} --ports rails`
  const provider = await scriptedProvider(kit, `${registered} ${options}`.trim())
  return { platform, provider }
}

let lastNumber = 100_000_000

/** Ends in 105, which the sandbox would refuse: its magic values are its own. */
const newBody = () => ({
  currency: 'USD',
  accountInfo: {
    accountType: 'USD_ACCOUNT',
    accountNumber: `${(lastNumber += 1)}105`,
    routingNumber: '021000021',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Mary Doe' },
  },
})

const create = async ({ api }: TestPlatform) =>
  expectStatus(await api.post('/platform/external-accounts', newBody()), 201)

const read = async ({ api }: TestPlatform, account: HasId) =>
  expectStatus(await api.get(`/platform/external-accounts/${account.id}`), 200)

type Account = Shown<ExternalAccount>

const statusOf = (account: Account | undefined) => account?.beneficiaryVerificationStatus
const nameOf = (account: Account) => account.beneficiaryVerifiedData?.fullName

const orderOf = ({ orders }: ScriptedProvider): Body => orders().at(-1) as Body

const decided = (said: object): Reply => ({ json: { state: 'DECIDED', ...said } })

const DECISIONS: readonly (readonly [object, string, string | undefined])[] = [
  [{ status: 'MATCHED' }, 'MATCHED', 'Jane Mary Doe'],
  [{ status: 'MATCHED', fullName: 'Jane M. Doe' }, 'MATCHED', 'Jane M. Doe'],
  [{ status: 'PARTIAL_MATCH', fullName: 'J. Doe' }, 'PARTIAL_MATCH', 'J. Doe'],
  [{ status: 'PARTIAL_MATCH' }, 'PARTIAL_MATCH', undefined],
  [{ status: 'NOT_MATCHED', fullName: 'John Roe' }, 'NOT_MATCHED', undefined],
  [{ status: 'UNSUPPORTED' }, 'UNSUPPORTED', undefined],
  [{ status: 'CHECKED_BY_RECEIVING_FI' }, 'CHECKED_BY_RECEIVING_FI', undefined],
]

test('PROV-53 BVER-2 the provider of the rail checks the name, and its word is on the answer', async () => {
  const { platform, provider } = await setup()
  for (const [said, status, name] of DECISIONS) {
    provider.answer(() => decided(said))
    const account = await create(platform)
    assert.deepEqual([statusOf(account), nameOf(account)], [status, name])
    assert.equal(account.status, 'ACTIVE')
    assert.deepEqual(await read(platform, account), account)
  }
  const { type, name, accountType, accountInfo } = orderOf(provider) as Record<string, unknown>
  assert.deepEqual([type, name, accountType], ['NAME_CHECK', 'Jane Mary Doe', 'USD_ACCOUNT'])
  assert.ok(accountInfo && 'accountNumber' in (accountInfo as object))
  assert.equal(provider.orders().length, DECISIONS.length, 'each is asked once')
})

test('PROV-53 an answer under an idempotency key is the one that left', async () => {
  const { platform, provider } = await setup()
  provider.answer(() => decided({ status: 'MATCHED' }))
  const body = newBody()
  const headers = { 'Idempotency-Key': newUuid() }
  const post = () => platform.api.post('/platform/external-accounts', body, { headers })
  const first = expectStatus(await post(), 201)
  assert.equal(statusOf(first), 'MATCHED')
  assert.deepEqual(expectStatus(await post(), 201), first)
  assert.equal(provider.orders().length, 1)
})

test('PROV-53 BVER-4 without a decision in 5 s it is PENDING and usable, and an event when it is decided', async () => {
  const { platform, provider } = await setup()
  provider.answer(() => 'hang')
  const startedAt = performance.now()
  let isAnswered = false
  const creating = create(platform).finally(() => (isAnswered = true))
  // Work in the background has transactions too, for moments.
  await eventually(async () => {
    assert.equal(provider.received.length, 1)
    const { count } = await kit.florin.deps.db.read.one<{ count: number }>(
      sql`select count(*)::int as count from pg_stat_activity
          where datname = current_database() and state = 'idle in transaction'`,
    )
    assert.equal(count, 0)
  })
  assert.equal(isAnswered, false, 'no transaction is open while the provider is waited for')
  const account = await creating
  const tookMs = performance.now() - startedAt
  assert.ok(tookMs >= 4_900 && tookMs < 10_000, `answered after ${Math.round(tookMs)} ms`)
  assert.deepEqual([statusOf(account), account.status], ['PENDING', 'ACTIVE'])
  const said = { state: 'DECIDED', status: 'PARTIAL_MATCH', fullName: 'J. Doe' }
  const result = await provider.report(orderOf(provider), 1, said)
  assert.equal(text(result['result']), 'APPLIED')
  assert.deepEqual(
    [statusOf(await read(platform, account)), nameOf(await read(platform, account))],
    ['PARTIAL_MATCH', 'J. Doe'],
  )
  const events = await listEvents(platform, 'EXTERNAL_ACCOUNT.STATUS_UPDATED')
  const [event] = events.filter(({ data }) => data.id === account.id)
  assert.equal(statusOf(event?.data), 'PARTIAL_MATCH')
})

test('PROV-53 an accepted order is PENDING at once, and repeated ones are asked under the same id', async () => {
  const { platform, provider } = await setup()
  const account = await create(platform)
  assert.equal(statusOf(account), 'PENDING')
  const said = { state: 'DECIDED', status: 'NOT_MATCHED' }
  assert.equal(text((await provider.report(orderOf(provider), 1, said))['result']), 'APPLIED')
  assert.equal(statusOf(await read(platform, account)), 'NOT_MATCHED')
  provider.answer(() => 'reset')
  const lost = await create(platform)
  assert.equal(statusOf(lost), 'PENDING')
  provider.answer(() => decided({ status: 'MATCHED' }))
  expectStatus(await platform.api.post('/sandbox/clock', { advanceSeconds: 6 }), 200)
  await eventually(async () => assert.equal(statusOf(await read(platform, lost)), 'MATCHED'))
  const ids = provider.received.slice(-2).map(({ body }) => text(body['id']))
  assert.equal(new Set(ids).size, 1)
})

test('PROV-53 PROV-55 a refused check is UNSUPPORTED, a malformed decision also an exception', async () => {
  const { platform, provider } = await setup()
  provider.answer(() => ({ json: { state: 'REFUSED', reason: 'UNSUPPORTED' } }))
  assert.equal(statusOf(await create(platform)), 'UNSUPPORTED')
  for (const said of [{ status: 'PENDING' }, {}, { status: 'MATCHED', fullName: 7 }]) {
    provider.answer(() => decided(said))
    assert.equal(statusOf(await create(platform)), 'UNSUPPORTED')
  }
  const open = items(await operate(kit, `exceptions list --platform ${platform.platformId}`))
  const types = open.map(({ type }) => text(type))
  assert.deepEqual(
    types,
    Array.from({ length: 3 }, () => 'DECISION_INVALID'),
  )
})

test('PROV-53 PROV-8 a paused provider is asked later, and wallets and other providers never', async () => {
  const { platform, provider } = await setup()
  provider.answer(() => decided({ status: 'MATCHED' }))
  await operate(kit, `providers update ${provider.id} --status PAUSED`)
  await kit.florin.deps.providers.refresh()
  const waiting = await create(platform)
  assert.deepEqual([statusOf(waiting), provider.received.length], ['PENDING', 0])
  await operate(kit, `providers update ${provider.id} --status ENABLED`)
  await eventually(async () => assert.equal(statusOf(await read(platform, waiting)), 'MATCHED'))
  const wallet = {
    currency: 'USDC',
    accountInfo: {
      accountType: 'BASE_WALLET',
      address: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
    },
  }
  const made = expectStatus(await platform.api.post('/platform/external-accounts', wallet), 201)
  assert.equal(statusOf(made), undefined)
  const silent = await setup('')
  const unchecked = await create(silent.platform)
  assert.equal(statusOf(unchecked), 'CHECKED_BY_RECEIVING_FI')
  assert.equal(silent.provider.received.length, 0)
})

test('PROV-53 a check of an account that was deleted meanwhile changes nothing', async () => {
  const { platform, provider } = await setup()
  const account = await create(platform)
  const path = `/platform/external-accounts/${account.id}`
  expectStatus(await platform.api.delete(path), 204)
  const said = { state: 'DECIDED', status: 'MATCHED' }
  assert.equal(text((await provider.report(orderOf(provider), 1, said))['result']), 'APPLIED')
  const { status } = await kit.florin.deps.db.read.one<{ status: string }>(
    sql`select beneficiary_verification_status as status from external_accounts
        where id = ${mustParseId('externalAccount', account.id)}`,
  )
  assert.equal(status, 'PENDING')
})
