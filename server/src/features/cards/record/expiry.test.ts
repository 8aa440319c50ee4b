import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus } from '../../../../test/kit/api.ts'
import { advance, newCard, type CardUnderTest } from '../../../../test/kit/cards.ts'
import { listEvents } from '../../../../test/kit/customers.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { parseId } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'

const kit = await startOwnKit()
const YEAR_SECONDS = 31_536_000

/** Moves the platform's clock to so many seconds before the end of the card's last month. */
async function moveToExpiry(p: TestPlatform, { card }: CardUnderTest, secondsBefore: number) {
  const end = Date.UTC(Number(card.expYear), Number(card.expMonth), 1)
  const { now } = expectStatus(await p.api.get('/sandbox/clock'), 200)
  let left = Math.ceil((end - Date.parse(now)) / 1000) - secondsBefore
  while (left > 0) {
    await advance(p, Math.min(left, YEAR_SECONDS))
    left -= YEAR_SECONDS
  }
}

const stateOf = ({ state, stateReason }: Record<string, unknown>) => [state, stateReason]

async function mustBeClosed(p: TestPlatform, card: CardUnderTest): Promise<void> {
  const read = await card.read()
  assert.deepEqual(stateOf(read), ['CLOSED', 'CLOSED_BY_SERVICE'])
  const { data } = expectStatus(await p.api.get('/cards'), 200)
  assert.deepEqual(data[0], read)
  const active = expectStatus(await p.api.get('/cards', { query: { state: 'ACTIVE' } }), 200)
  assert.deepEqual([active.data, active.totalCount], [[], 0])
  const refused = await p.api.post(`/cards/${card.id}/reveal`)
  assert.equal(expectError(refused, 409, 'CONFLICT')['reason'], 'CARD_NOT_REVEALABLE')
  expectError(await card.patch({ state: 'CLOSED' }), 409, 'CARD_ALREADY_CLOSED')
  expectError(await card.patch({ state: 'ACTIVE' }), 409, 'INVALID_STATE_TRANSITION')
  expectError(await card.patch({ maxSpendPerTransaction: 5 }), 409, 'CARD_NOT_MUTABLE')
  await assert.rejects(operate(kit, `cards close ${card.id}`), { code: 'CARD_ALREADY_CLOSED' })
  for (const kind of ['authorization', 'credit_authorization_advice'] as const) {
    const declined = await card.authorize(1, 'SHOP', kind)
    assert.equal(declined.declineReason, 'CARD_EXPIRED')
  }
  const inquiry = await card.inquire({ descriptor: 'ATM' })
  assert.equal(inquiry.declineReason, 'CARD_EXPIRED')
}

test('CARD-13 AUTHZ-4 CARD-35 scenario 22: a card closes at the end of its last month', async () => {
  const p = await kit.platform({ currencies: ['USD'] })
  const card = await newCard(p)
  await moveToExpiry(p, card, 120)
  assert.equal((await card.read()).state, 'ACTIVE')
  const bought = await card.authorize(100)
  const more = await card.authorize(50)
  const { panEmbedUrl } = expectStatus(await p.api.post(`/cards/${card.id}/reveal`), 200)
  const link = `${new URL(kit.baseUrl).origin}${new URL(panEmbedUrl).pathname}`
  assert.equal((await fetch(link)).status, 200)
  await advance(p, 121)
  await mustBeClosed(p, card)
  const page = await fetch(link)
  assert.deepEqual([page.status, /\d{4}/.test(await page.text())], [410, false])
  const emitted = (await listEvents(p, 'CARD.STATE_CHANGE')).map(({ data }) => data)
  assert.deepEqual(emitted, [await card.read()], 'that it was made is long pruned')
  assert.equal((await card.clear(bought, 100)).status, 'SETTLED', 'CARD-29: what was pulled')
  assert.equal((await card.clear(more, 51)).status, 'EXCEPTION', 'CARD-29: nothing more is')
})

test('CARD-13 every read shows an expired card as closed, also while its job is late', async () => {
  const p = await kit.platform({ currencies: ['USD'] })
  const card = await newCard(p)
  expectStatus(await card.patch({ state: 'FROZEN' }), 200)
  const dropped = await kit.florin.deps.db.read.run(
    sql`delete from jobs where platform_id = ${parseId('platform', p.platformId) ?? ''} and name = 'cards.expire'`,
  )
  assert.equal(dropped, 1)
  await moveToExpiry(p, card, -1)
  await mustBeClosed(p, card)
  assert.deepEqual(await listEvents(p, 'CARD.STATE_CHANGE'), [], 'the job would tell of it')
})

test('CARD-13 AUTHZ-1 a card that is closed before its expiry does not expire', async () => {
  const p = await kit.platform({ currencies: ['USD'] })
  const card = await newCard(p)
  const closed = await operate(kit, `cards close ${card.id}`)
  await moveToExpiry(p, card, -1)
  assert.deepEqual(await card.read(), closed)
  assert.equal((await card.authorize(1)).declineReason, 'CARD_CLOSED')
  assert.deepEqual(await listEvents(p, 'CARD.STATE_CHANGE'), [])
})
