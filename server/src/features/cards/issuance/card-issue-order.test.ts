import assert from 'node:assert/strict'
import { test } from 'node:test'
import { text, type Body } from '../../../../test/kit/api.ts'
import { advance, newCardholder } from '../../../../test/kit/cards.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import type { Reply } from '../../../../test/kit/outside/scripted-provider.ts'
import {
  askForCard,
  cardInState,
  cardProvider,
  exceptionsOf,
  ISSUED_CARD,
  outsideCard,
  readCard,
} from '../../../../test/kit/setups/card-provider.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import { formatId } from '../../../kernel/ids.ts'

const kit = await startOwnKit()
const { db } = kit.florin.deps

const NUMBER = '4111111111111111'

const issued = (card: object): Reply => ({
  json: { state: 'DECIDED', decision: 'ISSUED', card: { ...ISSUED_CARD, ...card } },
})

/** How many rows of any table hold the text. */
async function countRowsWith(wanted: string): Promise<number> {
  const tables = await db.read.many<{ name: string }>(
    sql`select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const counts = await Promise.all(
    tables.map(({ name }) =>
      db.read.one<{ hits: number }>({
        parts: [
          `select count(*)::int as hits from "${name}" t where t::text like '%' || `,
          ` || '%'`,
        ],
        values: [wanted],
      }),
    ),
  )
  return counts.reduce((sum, { hits }) => sum + hits, 0)
}

const hasSecret = async (cardId: string): Promise<boolean> => {
  const row = await db.read.one<{ has: boolean }>(
    sql`select sealed_secret is not null as has from provider_orders where subject = ${cardId}`,
  )
  return row.has
}

test('PROV-110 a card is ordered from the provider, and active with what it answers', async () => {
  const setup = await cardProvider(kit)
  const { platform, provider } = setup
  const { card, id, processorRef } = await outsideCard(setup)
  const [order] = provider.orders()
  assert.equal(text(order?.['type']), 'CARD_ISSUE')
  assert.deepEqual(
    [order?.['cardId'], order?.['platformCardId'], order?.['currency'], order?.['form']],
    [id, card.platformCardId, 'USD', 'VIRTUAL'] as unknown[],
  )
  assert.equal(text(order?.['cardholder']?.['name']), 'Mira Aldana')
  assert.ok(!('threeDSecurePassword' in (order ?? {})))
  assert.deepEqual(card, { ...card, ...ISSUED_CARD, processorRef })
  const vault = await db.read.many(sql`select from card_vault`)
  assert.equal(vault.length, 0, 'nothing to vault')
  assert.deepEqual(await exceptionsOf(kit, platform), [])
})

const REFUSALS: readonly (readonly [name: string, answer: object])[] = [
  ['decided', { state: 'DECIDED', decision: 'REFUSED', reason: 'no such programme' }],
  ['refused', { state: 'REFUSED', reason: 'UNSUPPORTED' }],
]

for (const [name, json] of REFUSALS) {
  test(`PROV-110 a card that the provider does not issue is closed: ${name}`, async () => {
    const { platform, provider } = await cardProvider(kit)
    provider.answer(() => ({ json }))
    const { id } = await askForCard(platform, await newCardholder(platform))
    const card = await cardInState(platform, id, 'CLOSED')
    assert.equal(text(card.stateReason), 'ISSUER_REJECTED')
    assert.ok(!('last4' in card))
  })
}

test('PROV-110 a card number in any field is stored nowhere and opens an exception', async () => {
  const { platform, provider } = await cardProvider(kit)
  const holder = await newCardholder(platform)
  const answers: Reply[] = [
    issued({ processorRef: 'p1', issuerRef: `ref ${NUMBER}` }),
    issued({ processorRef: NUMBER }),
    issued({ processorRef: 'p3', issuerRef: '4111 1111 1111 1111' }),
    { json: { state: 'DECIDED', decision: 'REFUSED', reason: NUMBER } },
  ]
  for (const [index, answer] of answers.entries()) {
    provider.answer(() => answer)
    const { id } = await askForCard(platform, holder)
    await eventually(async () =>
      assert.equal((await exceptionsOf(kit, platform)).length, index + 1),
    )
    assert.equal((await readCard(platform, id)).state, 'PROCESSING')
  }
  const found = await exceptionsOf(kit, platform)
  assert.deepEqual(new Set(found.map(({ type }) => type)), new Set(['CARD_NUMBER_SENT']))
  assert.equal(await countRowsWith(NUMBER), 0)
  assert.equal(await countRowsWith('4111 1111'), 0)
})

test('PROV-110 what is no card of ours opens an exception, and the card stays as it is', async () => {
  const { platform, provider } = await cardProvider(kit)
  const holder = await newCardholder(platform)
  provider.answer(() => issued({ processorRef: 'same' }))
  const { id: first } = await askForCard(platform, holder)
  await cardInState(platform, first, 'ACTIVE')
  const { id: second } = await askForCard(platform, holder)
  await eventually(async () => assert.equal((await exceptionsOf(kit, platform)).length, 1))
  provider.answer(() => issued({ processorRef: 'other', brand: 'HOUSE' }))
  const { id: third } = await askForCard(platform, holder)
  await eventually(async () => assert.equal((await exceptionsOf(kit, platform)).length, 2))
  const types = (await exceptionsOf(kit, platform)).map(({ type }) => type)
  assert.deepEqual(types, ['DECISION_INVALID', 'DECISION_INVALID'])
  for (const id of [second, third]) {
    assert.equal((await readCard(platform, id)).state, 'PROCESSING')
  }
})

const PASSWORD = 'correct horse battery'

test('PROV-110 CARD-8 the password goes with the order and is erased once that is answered', async () => {
  const { platform, provider } = await cardProvider(kit)
  provider.answer(() => ({ status: 500, json: {} }))
  const holder = await newCardholder(platform)
  const body = { fundingSource: holder.accounts['EUR'], threeDSecurePassword: PASSWORD }
  const id = (await askForCard(platform, holder, body)).id
  await eventually(() => assert.equal(provider.received.length, 1))
  assert.equal(await hasSecret(id), true)
  assert.equal(await countRowsWith(PASSWORD), 0)
  provider.answer(() => issued({ processorRef: 'with-password' }))
  await advance(platform, 5)
  await cardInState(platform, id, 'ACTIVE')
  const [first, second] = provider.received
  assert.equal(text(first?.body['threeDSecurePassword']), PASSWORD)
  assert.equal(second?.bytes, first?.bytes)
  assert.equal(await hasSecret(id), false)
})

test('PROV-110 the password is erased when the order cannot be sent any more', async () => {
  const { platform, provider } = await cardProvider(kit, '--window 300')
  provider.answer(() => ({ status: 500, json: {} }))
  const holder = await newCardholder(platform)
  const body = { fundingSource: holder.accounts['EUR'], threeDSecurePassword: PASSWORD }
  const id = (await askForCard(platform, holder, body)).id
  await eventually(() => assert.equal(provider.received.length, 1))
  await advance(platform, 200)
  assert.equal(await hasSecret(id), true)
  await advance(platform, 700)
  assert.equal(await hasSecret(id), false)
  assert.equal((await readCard(platform, id)).state, 'PROCESSING')
})

test('PROV-70 a card whose issue is unknown is not resolved as settled, but as failed', async () => {
  const { platform, provider } = await cardProvider(kit, '--window 300')
  provider.answer(() => 'reset')
  const { id } = await askForCard(platform, await newCardholder(platform))
  await eventually(() => assert.equal(provider.received.length, 1))
  await advance(platform, 95_000)
  const [open] = await exceptionsOf(kit, platform)
  assert.equal(open?.type, 'OUTCOME_UNKNOWN')
  const line = `exceptions resolve ${formatId('exception', open.id)} --note x --as`
  const message =
    'must be one of FAILED, IGNORED: a CARD_ISSUE that is UNKNOWN cannot be resolved as SETTLED'
  const errors = [{ field: 'as', message, constraint: { enum: ['FAILED', 'IGNORED'] } }]
  await assert.rejects(operate(kit, `${line} SETTLED`), {
    code: 'INVALID_INPUT',
    details: { errors },
  })
  assert.equal((await readCard(platform, id)).state, 'PROCESSING')
  await operate(kit, `${line} FAILED`)
  const card = await readCard(platform, id)
  assert.deepEqual([card.state, card.stateReason], ['CLOSED', 'ISSUER_REJECTED'])
})

test('PROV-28 PROV-94 another decision on a card is an exception with both, and moves nothing', async () => {
  const { platform, provider } = await cardProvider(kit)
  provider.answer(() => ({ json: { state: 'ACCEPTED', reference: 'A1' } }))
  const card = { ...ISSUED_CARD, processorRef: 'decided-twice' }
  const said = {
    ISSUED: { state: 'DECIDED', decision: 'ISSUED', card },
    REFUSED: { state: 'DECIDED', decision: 'REFUSED', reason: 'OTHER' },
    FAILED: { state: 'FAILED', reason: 'OTHER' },
  } as const
  for (const [first, second, state] of [
    ['REFUSED', 'ISSUED', 'CLOSED'],
    ['FAILED', 'ISSUED', 'CLOSED'],
    ['ISSUED', 'REFUSED', 'ACTIVE'],
  ] as const) {
    const before = (await exceptionsOf(kit, platform)).length
    const { id } = await askForCard(platform, await newCardholder(platform))
    const order = await eventually(() => {
      const found = provider.orders().find((one) => text(one['cardId']) === id)
      assert.ok(found)
      return found
    })
    await provider.report(order, 1, said[first])
    assert.equal((await readCard(platform, id)).state, state)
    const other = await provider.report(order, 2, said[second])
    assert.equal(text(other['result']), 'EXCEPTION', `${first}, then ${second}`)
    if (first !== 'FAILED') {
      const again = await provider.report(order, 3, { ...said[first], fees: [] })
      assert.equal(text(again['result']), 'DUPLICATE')
    }
    assert.equal((await readCard(platform, id)).state, state)
    const opened = (await exceptionsOf(kit, platform)).slice(before)
    assert.deepEqual(
      opened.map(({ type, details }) => [type, (details['stated'] as Body)['decision']]),
      [['DECIDED_OTHERWISE', second]],
    )
  }
})
