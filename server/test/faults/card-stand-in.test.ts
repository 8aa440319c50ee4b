// Runs alone: measures how long an answer takes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFlorin } from '../../src/app/florin.ts'
import { newUuid } from '../../src/kernel/ids.ts'
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
const { settings, log } = kit.florin.deps

test('PROV-114 PROV-116 a stopped database is answered 503 before the deadline, and the stand-in is booked', async (t) => {
  const proxy = await openDatabaseProxy(kit.databaseUrl)
  const databaseUrl = throughHosts(kit.databaseUrl, proxy.host)
  const florin = await createFlorin({
    settings: { ...settings, databaseUrl, masterKey: MASTER_KEY },
    log,
  })
  t.after(() => florin.stop())
  const baseUrl = await florin.http.listen({ host: '127.0.0.1', port: 0 })
  const setup = await cardProvider(kit)
  const { platform, provider } = setup
  await florin.deps.providers.refresh()
  const { id: cardId, accounts } = await outsideCard(setup)
  const balance = () => balanceOf(platform, accounts['USD'] ?? '')
  const at = new Date().toISOString()
  const asked = {
    ...{ networkReference: newUuid(), kind: 'AUTHORIZATION', cardId, merchant: MERCHANT, at },
    amount: { amount: 1_250, currency: 'USD' },
  }
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

  const standIn = { decision: 'APPROVED', at }
  const first = await eventually(async () => expectStatus(await send({ ...asked, standIn }), 200))
  const transactionId = text(first['cardTransactionId'])
  const shown = expectStatus(await platform.api.get(`/transactions/${transactionId}`), 200)
  assert.equal(shown.status, 'AUTHORIZED')
  assert.equal(await balance(), 48_750)
  assert.deepEqual(expectStatus(await send({ ...asked, standIn }), 200), first)
  assert.deepEqual(expectStatus(await send(asked), 200), first)
  assert.equal(await balance(), 48_750)
})
