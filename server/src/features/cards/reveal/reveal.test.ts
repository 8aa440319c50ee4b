import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import type { CardRevealResponse } from '../../../../../sdk/src/index.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  text,
  type Shown,
} from '../../../../test/kit/api.ts'
import { advance, newCard } from '../../../../test/kit/cards.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import { createLog } from '../../../infra/logging/log.ts'
import { withCheckDigit } from '../issuance/number.ts'

/** Everything that the service logs, whatever the level. */
const lines: string[] = []
const destination = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk))
    done()
  },
})
const kit = await startOwnKit(
  { CARD_EMBED_URL: 'https://cards.example' },
  { log: createLog({ logLevel: 'trace' }, destination) },
)
const { origin } = new URL(kit.baseUrl)
const p = await kit.platform({ currencies: ['USD'] })

const reveal = async (id: string, body?: object) =>
  expectStatus(await p.api.post(`/cards/${id}/reveal`, body), 200)
const tokenOf = ({ panEmbedUrl }: Shown<CardRevealResponse>): string =>
  new URL(panEmbedUrl).pathname.split('/').at(-1) ?? ''
const open = (link: Shown<CardRevealResponse>, init: RequestInit = {}) =>
  fetch(`${origin}/embed/cards/${tokenOf(link)}`, init)
const numberIn = (page: string): string =>
  (/id="pan">([\d ]+)</.exec(page)?.[1] ?? '').replaceAll(' ', '')

test('CARD-33 CARD-35 CARD-36 CARD-40 a link shows number, expiry and code as often as asked', async () => {
  const { id, card } = await newCard(p)
  const headers = { 'Idempotency-Key': 'same' }
  const first = await p.api.post(`/cards/${id}/reveal`, undefined, { headers })
  const second = await p.api.post(`/cards/${id}/reveal`, {}, { headers })
  const [link, other] = [expectStatus(first, 200), expectStatus(second, 200)]
  assert.notEqual(link.panEmbedUrl, other.panEmbedUrl, 'a new one each time')
  assert.equal(first.headers.get('cache-control'), 'no-store')
  assert.match(link.panEmbedUrl, /^https:\/\/cards\.example\/embed\/cards\/[\w-]{43}$/)
  for (const one of [link, other, link]) {
    const answer = await open(one)
    assert.equal(answer.status, 200)
    const page = await answer.text()
    const number = numberIn(page)
    assert.match(number, /^400000\d{10}$/)
    assert.equal(withCheckDigit(number.slice(0, -1)), number)
    assert.ok(number.endsWith(text(card.last4)))
    const month = String(card.expMonth).padStart(2, '0')
    assert.ok(page.includes(`id="exp">${month}/${String(card.expYear).slice(2)}<`))
    assert.match(page, /id="cvv">\d{3}</)
    assert.doesNotMatch(page, /<script|<form|<img|<link|src=|href=/)
  }
})

test('CARD-37 the headers of the page forbid caching, scripts and unnamed frames', async () => {
  const { id } = await newCard(p)
  const anywhere = (await open(await reveal(id))).headers
  const policy = anywhere.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; style-src 'sha256-/)
  const loopback = 'http://localhost:* http://127.0.0.1:* https://localhost:*'
  assert.ok(policy.endsWith(`frame-ancestors ${loopback}`))
  assert.equal(anywhere.get('cache-control'), 'no-store')
  assert.equal(anywhere.get('referrer-policy'), 'no-referrer')
  assert.equal(anywhere.get('x-content-type-options'), 'nosniff')
  assert.equal(anywhere.get('x-robots-tag'), 'noindex')
  assert.equal(anywhere.get('set-cookie'), null)
  assert.equal(anywhere.get('access-control-allow-origin'), null)
  const parentOrigin = 'https://shop.example'
  const framed = (await open(await reveal(id, { parentOrigin }))).headers
  const own = framed.get('content-security-policy') ?? ''
  assert.ok(own.endsWith(`frame-ancestors ${parentOrigin}`))
  const bad = await p.api.post(`/cards/${id}/reveal`, { parentOrigin: 'http://shop.example' })
  expectFields(bad, ['parentOrigin'])
  const unknown = await fetch(`${origin}/embed/cards/${'x'.repeat(43)}`)
  assert.match(unknown.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'$/)
})

test('CARD-35 an expired link, a closed card, an unknown token and another method show no number', async () => {
  const own = await kit.platform({ currencies: ['USD'] })
  const { id, patch } = await newCard(own)
  const mint = async () => expectStatus(await own.api.post(`/cards/${id}/reveal`), 200)
  const first = await mint()
  const number = numberIn(await (await open(first)).text())
  await advance(own, 280)
  const second = await mint()
  assert.equal((await open(first)).status, 200)
  await advance(own, 21)
  const gone = await open(first)
  assert.equal(gone.status, 410)
  assert.ok(!(await gone.text()).includes(number.slice(-4)))
  expectStatus(await patch({ state: 'FROZEN' }), 200)
  assert.equal((await open(second)).status, 200, 'a frozen card may be seen')
  expectStatus(await patch({ state: 'CLOSED' }), 200)
  assert.equal((await open(second)).status, 410)
  const unknown = await fetch(`${origin}/embed/cards/${'x'.repeat(43)}`)
  assert.equal(unknown.status, 404)
  assert.match(unknown.headers.get('content-type') ?? '', /^text\/html/)
  for (const method of ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH']) {
    assert.equal((await open(second, { method })).status, 405, method)
  }
})

test('CARD-34 only a card that has a number and is not closed is revealed', async () => {
  const waiting = await newCard(p, { platformCustomerId: 'waits-001' })
  const closed = await newCard(p)
  expectStatus(await closed.patch({ state: 'CLOSED' }), 200)
  for (const { id } of [waiting, closed]) {
    const details = expectError(await p.api.post(`/cards/${id}/reveal`), 409, 'CONFLICT')
    assert.equal(details['reason'], 'CARD_NOT_REVEALABLE')
  }
})

test('CARD-38 CARD-39 number, code and token are in no table, log or answer; the audit knows who looked', async () => {
  const { id, authorize } = await newCard(p)
  await authorize(100)
  const link = await reveal(id)
  const page = await (await open(link)).text()
  const number = numberIn(page)
  const token = tokenOf(link)
  const { db } = kit.florin.deps
  const tables = await db.read.many<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  for (const { name } of tables) {
    const table = {
      parts: [
        `select count(*)::int as hits from "${name}" t where t::text like '%' || `,
        ` || '%' or t::text like '%' || `,
        ` || '%'`,
      ],
      values: [number, token],
    }
    const { hits } = await db.read.one<{ hits: number }>(table)
    assert.equal(hits, 0, name)
  }
  const written = lines.join('')
  assert.ok(written.includes('/embed/cards/'), 'the visit is logged')
  for (const secret of [number, token]) assert.ok(!written.includes(secret))
  const entries = await db.read.many<{ actor: string; action: string }>(
    sql`select actor, action from audit_entries where resource = ${id} order by at`,
  )
  const actions = entries.map(({ action }) => action)
  assert.ok(actions.includes('revealCard') && actions.includes('showCardNumber'))
  assert.ok(entries.some(({ actor }) => actor === 'page:card-number:127.0.0.1'))
})
