import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, type Sql } from '../../src/infra/db/statement/sql.ts'
import { mustParseId } from '../../src/kernel/ids.ts'
import { APPROVAL, newQuote, newAgentSetup, run } from '../kit/setups/agent-setups.ts'
import { approve, reject } from '../kit/setups/agents.ts'
import { client, expectError, expectStatus } from '../kit/api.ts'
import { MANY_CONNECTIONS, startOwnKit, type TestPlatform } from '../kit/florin.ts'
import { queueAtRow } from '../kit/database/meet-at-row.ts'
import { operate } from '../kit/operator.ts'
import {
  balanceOf,
  eventTypesOf,
  execute,
  quoteBody,
  readQuote,
  readTransaction,
} from '../kit/payments.ts'
import { authorize, awaiting, balances, scaPayer, type ScaPayer } from '../kit/sca/payments.ts'

const kit = await startOwnKit(MANY_CONNECTIONS)
/** Another process on the same database: no lock of one process helps. */
const elsewhere = await kit.neighbour()

/** Whose payment waits, from where and to whom. */
type Waiting = Readonly<{ platform: TestPlatform; customerId: string; from: string; to: string }>

type Stop = Readonly<{
  what: string
  reason: string
  row: (waiting: Waiting) => Sql
  stop: (waiting: Waiting) => Promise<unknown>
  /** The first lock of an authorization does not exclude it, the second does: it may come in between. */
  mayOvertake?: true
}>

const waitingOf = ({ platform, sca, from, to }: ScaPayer): Waiting => ({
  platform,
  customerId: sca.customerId,
  from,
  to,
})

const STOPS: readonly Stop[] = [
  {
    what: 'a freeze',
    reason: 'ACCOUNT_NOT_ACTIVE',
    row: ({ from }) =>
      sql`select 1 from internal_accounts where id = ${mustParseId('internalAccount', from)} for update`,
    stop: ({ from }) => operate(kit, `accounts freeze ${from}`),
  },
  {
    what: 'a hold',
    reason: 'CUSTOMER_NOT_READY',
    row: ({ customerId }) =>
      sql`select 1 from customers where id = ${mustParseId('customer', customerId)} for update`,
    stop: ({ customerId }) => operate(kit, `review hold ${customerId}`),
  },
  {
    what: 'a deletion of the payee',
    reason: 'DESTINATION_DELETED',
    row: ({ to }) =>
      sql`select 1 from external_accounts where id = ${mustParseId('externalAccount', to)} for update`,
    stop: ({ platform, to }) =>
      client(elsewhere, platform).delete(`/customers/external-accounts/${to}`),
    mayOvertake: true,
  },
]

for (const { what, reason, row, stop, mayOvertake = false } of STOPS) {
  test(`SCA-56 ${what} that comes before the proof stops the payment, one that comes after it does not`, async () => {
    const early = await scaPayer(kit)
    const stopped = await awaiting(early)
    const [, proved] = await queueAtRow(kit, row(waitingOf(early)), [
      () => stop(waitingOf(early)),
      () => authorize(early.platform, stopped),
    ])
    const isPaid = proved.status === 200 && mayOvertake
    if (!isPaid) {
      assert.equal(proved.status, 409)
      assert.equal(proved.body.details?.['reason'], reason)
    }
    const kept = isPaid ? 90_000 : 100_000
    assert.deepEqual(await balances(early), [kept, kept])
    const late = await scaPayer(kit)
    const paid = await awaiting(late)
    const [answer] = await queueAtRow(kit, row(waitingOf(late)), [
      () => authorize(late.platform, paid),
      () => stop(waitingOf(late)),
    ])
    const { status, body } = answer
    const isOvertaken = status === 409 && mayOvertake
    if (isOvertaken) assert.equal(body.details?.['reason'], reason)
    else assert.equal(status, 200)
    const left = isOvertaken ? 100_000 : 90_000
    assert.deepEqual(await balances(late), [left, left])
    const ended = isOvertaken ? 'FAILED' : 'COMPLETED'
    assert.equal((await readQuote(late.platform, paid)).status, ended)
  })
}

const endings = (types: readonly string[]): readonly string[] =>
  types.filter((type) => /\.(?:FAILED|PROCESSING|EXPIRED)$/.test(type))

test('SCA-56 SCA-51 a proof, a failed re-check and an expiry that race end a payment once', async () => {
  for (let round = 0; round < 6; round += 1) {
    const payer = await scaPayer(kit)
    const { platform, from } = payer
    const far = { api: client(elsewhere, platform) }
    const quoted = await awaiting(payer)
    if (round % 2) await operate(kit, `accounts freeze ${from}`)
    await Promise.all([
      platform.api.post('/sandbox/clock', { advanceSeconds: 300 }),
      authorize(platform, quoted),
      authorize(far, quoted),
    ])
    const types = endings(await eventTypesOf(platform, quoted.transactionId))
    assert.equal(types.length, 1, types.join())
    const { status } = await readTransaction(platform, quoted.transactionId)
    const isPaid = status !== 'FAILED'
    assert.equal(isPaid, types[0] === 'OUTGOING_PAYMENT.PROCESSING')
    assert.ok(round % 2 === 0 || !isPaid, 'a frozen account pays nothing')
    assert.deepEqual(await balances(payer), isPaid ? [90_000, 90_000] : [100_000, 100_000])
  }
})

/** A quote of an agent's that waits for approval. */
async function pendingAction() {
  const fixture = await newAgentSetup(kit, APPROVAL)
  const { platform, customerId, account: from, to } = fixture
  const quoted = expectStatus(await newQuote(fixture), 201)
  const action = expectStatus(await run(fixture, quoted), 200)
  return { fixture, quoted, action, waiting: { platform, customerId, from, to } }
}

for (const { what, reason, row, stop } of STOPS) {
  test(`ACT-21 ${what} that comes before the approval stops the payment, one that comes after it does not`, async () => {
    const early = await pendingAction()
    const { platform } = early.fixture
    await queueAtRow(kit, row(early.waiting), [
      () => stop(early.waiting),
      async () => {
        const failed = expectStatus(await approve(platform, early.action), 200)
        assert.equal(failed.failureReason, reason)
      },
    ])
    assert.equal(await balanceOf(platform, early.fixture.account), 100_000)
    const late = await pendingAction()
    await queueAtRow(kit, row(late.waiting), [
      async () => {
        const approved = expectStatus(await approve(late.fixture.platform, late.action), 200)
        assert.equal(approved.status, 'APPROVED')
      },
      () => stop(late.waiting),
    ])
    assert.equal(await balanceOf(late.fixture.platform, late.fixture.account), 99_000)
  })
}

test('ACT-30 ACT-23 of racing approvals, rejections and the expiry one ends an action', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { fixture, quoted, action } = await pendingAction()
    const { platform, account } = fixture
    const far = { ...platform, api: client(elsewhere, platform) }
    const answers = await Promise.all([
      platform.api.post('/sandbox/clock', { advanceSeconds: 3600 }),
      approve(platform, action),
      approve(far, action),
      ...(round % 2 ? [reject(far, action)] : []),
    ])
    const [, ...decisions] = answers
    const decided = decisions.filter(({ status }) => status === 200)
    assert.ok(decided.length <= 1)
    for (const answer of decisions.filter(({ status }) => status !== 200)) {
      expectError(answer, 409, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL')
    }
    const path = `/agents/me/actions/${action.id}` as const
    const read = expectStatus(await fixture.agent.api.get(path), 200)
    const { status } = await readTransaction(platform, action.transactionId)
    const ended = `${read.status} ${status}`
    const left = await balanceOf(platform, account)
    assert.ok(['APPROVED COMPLETED', 'REJECTED REJECTED', 'FAILED EXPIRED'].includes(ended), ended)
    assert.equal(left, ended.startsWith('APPROVED') ? 99_000 : 100_000)
    assert.equal(decided.length, ended === 'FAILED EXPIRED' ? 0 : 1)
    const types = endings(await eventTypesOf(platform, quoted.transactionId))
    assert.ok(types.length <= 1, types.join())
  }
})

test('ACT-9 QUOTE-13 of a platform and an agent that execute one quote at once one does', async () => {
  for (let round = 0; round < 6; round += 1) {
    const fixture = await newAgentSetup(kit, APPROVAL)
    const { platform, account, agent } = fixture
    const quoted = expectStatus(await newQuote(fixture), 201)
    const far = { ...platform, api: client(elsewhere, platform) }
    const [byPlatform, byAgent] = await Promise.all([
      execute(round % 2 ? far : platform, quoted),
      run(fixture, quoted),
    ])
    assert.deepEqual([byPlatform.status, byAgent.status].toSorted(), [200, 409])
    const isPaid = byPlatform.status === 200
    assert.equal(await balanceOf(platform, account), isPaid ? 99_000 : 100_000)
    const { totalCount } = expectStatus(await agent.api.get('/agents/me/actions'), 200)
    assert.equal(totalCount, isPaid ? 0 : 1)
    const refused = expectError(isPaid ? byAgent : byPlatform, 409, 'CONFLICT')
    if (!isPaid) assert.equal(refused['actionId'], byAgent.body.id)
  }
})

test('AGENT-10 CUST-63 a customer that is deleted among approvals leaves nothing pending', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { fixture, action } = await pendingAction()
    const { platform, customerId, account, to } = fixture
    const all = quoteBody({ from: account, to, amount: 100_000, immediatelyExecute: true })
    expectStatus(await platform.api.post('/quotes', all), 201)
    const far = client(elsewhere, platform)
    const [approved, deleted] = await Promise.all([
      approve(platform, action),
      far.delete(`/customers/${customerId}`),
    ])
    assert.equal(deleted.status, 200, deleted.text)
    assert.ok([200, 404, 409].includes(approved.status), approved.text)
    const { status } = await readTransaction(platform, action.transactionId)
    assert.ok(['FAILED', 'REJECTED'].includes(status), status)
  }
})
