import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OWNED } from '../../../../test/contract/owned-resources.ts'
import { text, type Body } from '../../../../test/kit/api.ts'
import { newCard } from '../../../../test/kit/cards.ts'
import { listEvents } from '../../../../test/kit/customers.ts'
import { startKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { openDashboard } from '../../../../test/kit/pages/dashboard.ts'

const kit = await startKit()
const p = await kit.platform()
const visitor = await (await openDashboard(kit)).signIn()

const owned = (name: string): Promise<string> => OWNED[name]?.(p) ?? assert.fail(name)

const linesOf = (line: string): Promise<Body[]> =>
  operate<Body[]>(kit, `${line} --platform ${p.platformId}`)

test('OPER-104 the operator freezes a card and lets it pay again, and the platform hears of it', async () => {
  const card = await newCard(p, { funds: 1_000 })
  const frozen = await operate(kit, `cards freeze ${card.id} --note`, 'asked by phone')
  assert.equal(frozen['state'], 'FROZEN')
  const [event] = await listEvents(p, 'CARD.STATE_CHANGE')
  assert.deepEqual(event?.data, frozen)
  await assert.rejects(operate(kit, `cards freeze ${card.id}`), {
    code: 'INVALID_STATE_TRANSITION',
  })
  const [entry] = await operate<Body[]>(
    kit,
    `audit list --platform ${p.platformId} --resource ${card.id}`,
  )
  assert.partialDeepStrictEqual(entry, { action: 'cards freeze', note: 'asked by phone' })
  assert.equal((await operate(kit, `cards unfreeze ${card.id}`))['state'], 'ACTIVE')
  const shown = await operate<{ card: Body }>(kit, `cards show ${card.id}`)
  assert.equal(shown.card['state'], 'ACTIVE')
})

test('OPER-104 cards, agents and quotes are listed newest first, page by page and by status', async () => {
  for (const [kind, name, id] of [
    ['cards', 'cardId', 'cardId'],
    ['agents', 'agentId', 'agentId'],
    ['quotes', 'quoteId', 'quoteId'],
  ] as const) {
    const first = await owned(id)
    const second = await owned(id)
    const all = await linesOf(`${kind} list`)
    assert.equal(text(all[0]?.[name]), second)
    const older = await linesOf(`${kind} list --before ${second} --limit 1`)
    assert.equal(text(older[0]?.[name]), first)
    const status = text(all[0]?.['status'] ?? all[0]?.['state'])
    assert.ok((await linesOf(`${kind} list --status ${status}`)).length > 0, kind)
    await assert.rejects(linesOf(`${kind} list --before x`), /--before is/)
    await assert.rejects(linesOf(`${kind} list --limit 101`), /--limit is/)
    assert.ok(JSON.stringify(await operate(kit, `${kind} show ${second}`)).includes(second))
    const list = await visitor.get(`/${kind}?platform=${encodeURIComponent(p.platformId)}`)
    assert.ok(list.text.includes(encodeURIComponent(second)), kind)
    const page = await visitor.get(`/${kind}/${encodeURIComponent(second)}`)
    assert.equal(page.status, 200, page.text)
    assert.ok(page.text.includes(second), kind)
  }
})

test('OPER-104 an agent’s page has its limits, its use and what waits for approval', async () => {
  const agentId = await owned('agentId')
  const page = await visitor.get(`/agents/${encodeURIComponent(agentId)}`)
  assert.match(page.text, /Limits and use/)
  assert.match(page.text, /This month/)
  assert.match(page.text, /wait for the platform’s approval/)
})

test('OPER-104 the card’s page offers what its state allows', async () => {
  const card = await newCard(p, { funds: 0 })
  const address = `/cards/${encodeURIComponent(card.id)}`
  assert.doesNotMatch((await visitor.get(address)).text, /Unfreeze/)
  const done = await visitor.post(`${address}/freeze`, { note: 'lost' })
  assert.equal(done.status, 303)
  assert.match((await visitor.get(address)).text, /Unfreeze/)
})
