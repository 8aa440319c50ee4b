// Runs alone: measures how long an answer takes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFlorin } from '../../src/app/florin.ts'
import { sql } from '../../src/infra/db/statement/sql.ts'
import { mustParseId, newUuid } from '../../src/kernel/ids.ts'
import { expectStatus, text, type Body } from '../kit/api.ts'
import { MERCHANT } from '../kit/cards.ts'
import { eventually } from '../kit/eventually.ts'
import { startOwnKit } from '../kit/florin.ts'
import { sendAsProvider } from '../kit/outside/send-as-provider.ts'
import { balanceOf } from '../kit/payments.ts'
import { openDatabaseProxy, throughHosts } from '../kit/processes/database-proxy.ts'
import { MASTER_KEY } from '../kit/processes/server-process.ts'
import { cardProvider, outsideCard } from '../kit/setups/card-provider.ts'

const kit = await startOwnKit()
const { settings, log, db } = kit.florin.deps
const setup = await cardProvider(kit)
const { platform, provider } = setup

async function newCard() {
  const { id, accounts } = await outsideCard(setup)
  return { id, balance: () => balanceOf(platform, accounts['USD'] ?? '') }
}

const asking = (cardId: string, amount: number, more: object = {}) => ({
  ...{ networkReference: newUuid(), kind: 'AUTHORIZATION', cardId, merchant: MERCHANT },
  at: new Date().toISOString(),
  amount: { amount, currency: 'USD' },
  ...more,
})

const ask = (body: object) => provider.post('authorizations', body)

const countTransactions = async (cardId: string): Promise<number> => {
  const { count } = await db.read.one<{ count: number }>(
    sql`select count(*)::int as count from card_transactions where card_id = ${mustParseId('card', cardId)}`,
  )
  return count
}

test('PROV-114 a decision that has not begun in time is answered 503 and leaves nothing', async () => {
  const { id, balance } = await newCard()
  const cardId = mustParseId('card', id)
  const body = asking(id, 1_000, { deadlineMs: 1_000 })
  let late: Body | undefined
  let tookMs = 0
  await db.transaction(async (tx) => {
    await tx.run(sql`select from cards where id = ${cardId} for update`)
    const startedAt = performance.now()
    late = await ask(body)
    tookMs = performance.now() - startedAt
  })
  assert.deepEqual([late?.['status'], late?.['code']], [503, 'SERVICE_UNAVAILABLE'] as unknown[])
  assert.ok(tookMs >= 650 && tookMs < 1_000, `answered after ${tookMs} ms`)
  await kit.florin.lane.idle()
  assert.equal(await countTransactions(id), 0)
  assert.equal(await balance(), 50_000)
  assert.equal(text((await ask(body))['decision']), 'APPROVED')
})

test('PROV-114 PROV-116 a stopped database is answered 503 before the deadline, and the stand-in is booked', async (t) => {
  const proxy = await openDatabaseProxy(kit.databaseUrl)
  const databaseUrl = throughHosts(kit.databaseUrl, proxy.host)
  const florin = await createFlorin({
    settings: { ...settings, databaseUrl, masterKey: MASTER_KEY },
    log,
  })
  t.after(() => florin.stop())
  const baseUrl = await florin.http.listen({ host: '127.0.0.1', port: 0 })
  await florin.deps.providers.refresh()
  const { id: cardId, balance } = await newCard()
  const asked = asking(cardId, 1_250)
  const registered = { providerId: provider.id, secret: provider.secret } as unknown as Body
  const send = (body: object) =>
    sendAsProvider({ baseUrl, florin }, { provider: registered, path: 'authorizations', body })

  const warm = { ...asked, networkReference: newUuid(), kind: 'BALANCE_INQUIRY' }
  expectStatus(await send(warm), 200)

  proxy.pause()
  const startedAt = performance.now()
  const late = await send(asked)
  const tookMs = performance.now() - startedAt
  assert.equal(late.status, 503)
  assert.ok(tookMs >= 1_650 && tookMs < 2_000, `answered after ${Math.round(tookMs)} ms`)
  proxy.resume()

  const standIn = { decision: 'APPROVED', at: asked.at }
  const first = await eventually(async () => expectStatus(await send({ ...asked, standIn }), 200))
  const transactionId = text(first['cardTransactionId'])
  const shown = expectStatus(await platform.api.get(`/transactions/${transactionId}`), 200)
  assert.equal(shown.status, 'AUTHORIZED')
  assert.equal(await balance(), 48_750)
  assert.deepEqual(expectStatus(await send({ ...asked, standIn }), 200), first)
  assert.deepEqual(expectStatus(await send(asked), 200), first)
  assert.equal(await balance(), 48_750)
})
