import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text } from '../../../test/kit/api.ts'
import { newCard } from '../../../test/kit/cards.ts'
import { createCustomer } from '../../../test/kit/customers.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { asCaller, operate, operatorNamed } from '../../../test/kit/operator.ts'
import { payee, payer, quote } from '../../../test/kit/payments.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { readAmounts, readIdEnd, readPhone } from './read-typed.ts'

const kit = await startOwnKit()
const { db } = kit.florin.deps
const [acme, north] = [await kit.platform({ name: 'Acme Pay' }), await kit.platform()]
const limited = {
  ...operatorNamed('Petra', 'VIEWER'),
  platforms: [mustParseId('platform', acme.platformId)],
}

type Line = Readonly<{ kind: string; id: string; by: string; title: string }>

async function find(asked: string, on = kit): Promise<Line[]> {
  return items(await operate(on, 'look-up', asked)).map((row) => ({
    kind: text(row['kind']),
    id: text(row['id']),
    by: text(row['foundBy']),
    title: row['title'] === undefined ? '' : text(row['title']),
  }))
}

const idsOf = async (asked: string, on = kit) => (await find(asked, on)).map(({ id }) => id)

const ada = await createCustomer(acme, {
  fullName: 'Ada Margarete Lovelace',
  email: 'ada.lovelace@example.com',
  phoneNumber: '+14155550123',
})
const other = await createCustomer(north, { fullName: 'Adalbert Lovelace' })

const SPELLINGS = ['Ada Margarete Lovelace', 'margarete', 'ADA', 'Margarete Lovelase', 'Margerete']
for (const asked of SPELLINGS) {
  test(`OPER-112 a person is found by name: ${asked}`, async () => {
    const found = await find(asked)
    assert.ok(
      found.some(({ id, kind }) => id === ada.id && kind === 'customer'),
      JSON.stringify(found),
    )
  })
}

test('OPER-112 the name that is equal is the first, and what only resembles is offered where nothing is spelt so', async () => {
  assert.deepEqual((await idsOf('lovelace')).toSorted(), [ada.id, other.id].toSorted())
  const [first] = await find('Lovelaec Adalbert')
  assert.deepEqual([first?.id, first?.by], [other.id, 'SIMILAR_NAME'])
  assert.deepEqual(await find('Grzegorz Brzeczyszczykiewicz'), [])
})

test('OPER-112 signs that stand for any text in a pattern are only themselves', async () => {
  assert.deepEqual(await find('%%%a'), [])
  assert.deepEqual(await find('a_a'), [])
})

test('OPER-112 a company is found by its legal name', async () => {
  const company = await createCustomer(acme, {
    customerType: 'BUSINESS',
    businessInfo: {
      legalName: 'Analytical Engines Ltd',
      taxId: '12-3456789',
      country: 'US',
      incorporatedOn: '2020-01-01',
    },
  })
  assert.deepEqual(await idsOf('analytical engine'), [company.id])
})

test('OPER-112 a person is found by e-mail address, in any case, and by phone number', async () => {
  for (const asked of ['ada.lovelace@example.com', 'ADA.LOVELACE@EXAMPLE.COM']) {
    const [found, ...more] = await find(asked)
    assert.deepEqual([found?.id, found?.by, more.length], [ada.id, 'EMAIL', 0])
  }
  for (const asked of ['+14155550123', '+1 (415) 555-0123', '1 415 555 0123']) {
    const found = await find(asked)
    assert.ok(
      found.some(({ id, by }) => id === ada.id && by === 'PHONE'),
      asked,
    )
  }
})

test('OPER-112 payments are found by amount, the end of their id, and their beneficiary', async () => {
  const { account, customerId } = await payer(acme)
  const to = await payee(acme, 'EUR_ACCOUNT', { customerId })
  const asked = { from: account, to, amount: 8_271, immediatelyExecute: true }
  const { transactionId } = expectStatus(await quote(acme, asked), 201)
  for (const amount of ['82.71', '82.71 USD', '82.71 usd']) {
    const [found] = await find(amount)
    assert.deepEqual([found?.id, found?.by, found?.title], [transactionId, 'AMOUNT', '82.71 USD'])
  }
  assert.deepEqual(await find('82.71 EUR'), [])
  for (const end of [transactionId.slice(-8), `Transaction:…${transactionId.slice(-8)}`])
    assert.deepEqual(await idsOf(end), [transactionId])
  assert.deepEqual(await idsOf(`…${ada.id.slice(-8)}`), [ada.id])
  await db.read.run(
    sql`update external_accounts set beneficiary_verified_name = 'Charles Babbage'
        where id = ${to.replace('ExternalAccount:', '')}`,
  )
  const [paid] = await find('babbage')
  assert.deepEqual([paid?.id, paid?.by], [transactionId, 'BENEFICIARY'])
})

test('OPER-112 cards are found by their last four digits', async () => {
  const { card } = await newCard(acme)
  const found = await find(text(card.last4))
  assert.ok(found.some(({ id, by }) => id === card.id && by === 'LAST_FOUR'))
})

test('OPER-112 agents are found by name', async () => {
  const id = crypto.randomUUID()
  await db.read.run(
    sql`insert into agents (platform_id, id, customer_id, name, is_paused, policy, usage_day, daily_count, daily_spend,
          monthly_spend, created_at, updated_at)
        values (${acme.platformId.replace('Platform:', '')}, ${id}, ${ada.id.replace('Customer:', '')},
          'Invoice robot', false, '{}', '2026-01-01', 0, 0, 0, ${new Date()}, ${new Date()})`,
  )
  assert.deepEqual(await idsOf('invoice rob'), [`Agent:${id}`])
})

test('OPER-3 OPER-112 an operator limited to platforms finds only what is there', async () => {
  assert.deepEqual(await idsOf('lovelace', asCaller(kit, limited)), [ada.id])
  assert.deepEqual(await find(`…${other.id.slice(-8)}`, asCaller(kit, limited)), [])
  assert.deepEqual(await find(other.platformCustomerId, asCaller(kit, limited)), [])
})

test('OPER-112 without trigrams names are found by their beginning, and doctor says so', async () => {
  type Doctor = Readonly<{ checks: readonly Readonly<{ check: string; detail: string }>[] }>
  const said = async () =>
    (await operate<Doctor>(kit, 'doctor')).checks.find(({ check }) => check === 'search')?.detail
  assert.equal(await said(), 'names are also found misspelt')
  await db.read.run(sql`alter index customers_by_name rename to customers_by_name_hidden`)
  assert.equal(await said(), 'pg_trgm is missing: names are found by their beginning only')
  assert.deepEqual(await idsOf('ada marg'), [ada.id])
  assert.deepEqual(await idsOf('margarete'), [])
  await db.read.run(sql`alter index customers_by_name_hidden rename to customers_by_name`)
})

test('OPER-112 what is typed is read as an amount, the end of an id, a phone number', () => {
  assert.deepEqual(readAmounts('1,234.5 USD'), [{ amount: 123_450n, currency: 'USD' }])
  assert.deepEqual(readAmounts('0.001 USD'), [])
  assert.deepEqual(readAmounts('5 XXX'), [])
  assert.ok(readAmounts('12').some(({ amount, currency }) => currency === 'JPY' && amount === 12n))
  assert.deepEqual(readAmounts('9'.repeat(30)), [])
  assert.equal(readIdEnd('Customer:…1A2B3C4D'), '1a2b3c4d')
  assert.equal(readIdEnd('1a2b3c4'), undefined)
  assert.equal(readPhone('+49 30 / 1234-567'), '+49301234567')
  assert.equal(readPhone('12 USD'), undefined)
})
