import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectFields, expectStatus } from '../../../../test/kit/api.ts'
import { newCardholder } from '../../../../test/kit/cards.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import type { Reply } from '../../../../test/kit/outside/scripted-provider.ts'
import {
  askForCard,
  cardProvider,
  issueAll,
  outsideCard,
} from '../../../../test/kit/setups/card-provider.ts'
import { sql } from '../../../infra/db/statement/sql.ts'

const kit = await startOwnKit()
const setup = await cardProvider(kit)
const { platform, provider } = setup
const { api } = platform

const URL_OF_PAGE = 'https://processor.example/show/abc'
const answerReveals = (reply: Reply): void =>
  provider.answer((call) => (call.path === '/card-reveals' ? reply : issueAll(call)))

test('PROV-118 CARD-39 the page with the number is the one of the processor', async () => {
  const { id, processorRef } = await outsideCard(setup)
  const expiresAt = '2031-01-02T03:04:05.000Z'
  answerReveals({ json: { url: URL_OF_PAGE, expiresAt } })
  const parentOrigin = 'https://shop.example'
  const answer = await api.post(`/cards/${id}/reveal`, { parentOrigin })
  assert.deepEqual(expectStatus(answer, 200), { panEmbedUrl: URL_OF_PAGE, expiresAt })
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  const asked = provider.received.findLast(({ path }) => path === '/card-reveals')
  const expected = { cardId: id, processorRef, parentOrigin, expiresInSeconds: 300 }
  assert.deepEqual(asked?.body, expected)
  const { db } = kit.florin.deps
  const entries = await db.read.many<{ action: string }>(
    sql`select action from audit_entries where resource = ${id}`,
  )
  assert.ok(entries.some(({ action }) => action === 'revealCard'))
  assert.equal((await db.read.many(sql`select from card_reveals`)).length, 0)
})

test('PROV-118 CARD-34 CARD-37 a card that cannot be shown, and an origin that is none, are refused', async () => {
  const { id } = await outsideCard(setup)
  const before = provider.received.length
  expectFields(await api.post(`/cards/${id}/reveal`, { parentOrigin: 'http://shop.example' }), [
    'parentOrigin',
  ])
  expectStatus(await api.patch(`/cards/${id}`, { state: 'CLOSED' }), 200)
  provider.answer(() => ({ json: { state: 'ACCEPTED', reference: 'later' } }))
  const { id: waiting } = await askForCard(platform, await newCardholder(platform))
  for (const one of [id, waiting]) {
    const details = expectError(await api.post(`/cards/${one}/reveal`), 409, 'CONFLICT')
    assert.equal(details['reason'], 'CARD_NOT_REVEALABLE')
  }
  const calls = provider.received.slice(before).filter(({ path }) => path === '/card-reveals')
  assert.equal(calls.length, 0)
})

test('PROV-118 without a link in time the answer is 503', async () => {
  provider.answer(issueAll)
  const { id } = await outsideCard(setup)
  const replies: Reply[] = [
    { json: { url: 'http://processor.example/plain', expiresAt: '2031-01-02T03:04:05.000Z' } },
    { status: 500, json: { url: URL_OF_PAGE, expiresAt: '2031-01-02T03:04:05.000Z' } },
    { html: '<p>no</p>' },
    'reset',
  ]
  for (const reply of replies) {
    answerReveals(reply)
    expectError(await api.post(`/cards/${id}/reveal`), 503, 'SERVICE_UNAVAILABLE')
  }
  answerReveals('hang')
  const startedAt = performance.now()
  expectError(await api.post(`/cards/${id}/reveal`), 503, 'SERVICE_UNAVAILABLE')
  const seconds = (performance.now() - startedAt) / 1000
  assert.ok(seconds >= 4.9 && seconds < 8, `answered after ${seconds} s`)
})
