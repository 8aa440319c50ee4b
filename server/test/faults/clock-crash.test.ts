import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/infra/db/statement/sql.ts'
import { createPlatform } from '../../src/operator/create-platform.ts'
import { client, expectStatus, items, text, type Api } from '../kit/api.ts'
import { openReceiver } from '../kit/outside/connect-receiver.ts'
import { eventually } from '../kit/eventually.ts'
import { openProcessKit } from '../kit/processes/process-kit.ts'

const { operator, start } = await openProcessKit()

const HOUR_SECONDS = 3_600
const TYPE = 'INCOMING_PAYMENT.COMPLETED'
/** Half-way to where the clock is to go there is a retry to be made. */
async function leaveRetry(api: Api, endpoint: string): Promise<void> {
  expectStatus(await api.patch('/config', { webhookEndpoint: endpoint }), 200)
  const accounts = expectStatus(await api.get('/platform/internal-accounts'), 200)
  const account = text(accounts.data[0]?.id)
  expectStatus(await api.post(`/sandbox/internal-accounts/${account}/fund`, { amount: 7 }), 200)
  await eventually(async () => {
    const { data } = expectStatus(await api.get('/events', { query: { type: TYPE } }), 200)
    assert.equal(items(data[0]?.attempts).length, 1)
  })
}

/** As if a minute had passed: what the dead process held is free. */
async function letLeasesRunOut(): Promise<void> {
  const { read } = operator.deps.db
  const past = new Date(0)
  await read.run(
    sql`update event_attempts set leased_until = ${past} where leased_until is not null`,
  )
  await read.run(
    sql`update platforms set clock_lease_until = ${past} where clock_lease_until is not null`,
  )
}

test('CORE-43 CORE-61 a service killed while it moves a clock goes on to the same time under the same key', async () => {
  const credentials = await createPlatform(operator.deps, {
    name: 'Crash',
    kind: 'REGULATED',
    environment: 'SANDBOX',
    currencies: ['USD'],
  })
  const receiver = await openReceiver()
  receiver.answer(500)
  const first = await start()
  await leaveRetry(client(first.baseUrl, credentials), receiver.url)
  // It takes the retry and never answers.
  receiver.answerWith(() => undefined)
  const headers = { 'idempotency-key': 'an-hour' }
  const move = ({ baseUrl }: { baseUrl: string }) =>
    client(baseUrl, credentials).post(
      '/sandbox/clock',
      { advanceSeconds: HOUR_SECONDS },
      { headers },
    )
  const lost = assert.rejects(move(first))
  await eventually(() => assert.equal(receiver.ofType(TYPE).length, 2))
  await first.end('SIGKILL')
  await lost
  await letLeasesRunOut()
  receiver.answer(200)
  const second = await start()
  const answer = expectStatus(await move(second), 200)
  assert.equal(answer.offsetSeconds, HOUR_SECONDS)
  const replay = await move(second)
  assert.equal(replay.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(expectStatus(replay, 200), answer)
  await second.end('SIGTERM')
})
