import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text, type Body } from '../../../test/kit/api.ts'
import { advance, newCard } from '../../../test/kit/cards.ts'
import { startKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { fund, payee, payer, platformAccount, quote } from '../../../test/kit/payments.ts'
import { UsageError } from '../command.ts'

const kit = await startKit()
const platform = await kit.platform({ name: 'Acme Pay' })
const of = `--platform ${platform.platformId}`

const list = async (line: string): Promise<readonly Body[]> =>
  items(await operate(kit, `${line} ${of}`))
const idsOf = (rows: readonly Body[]): string[] => rows.map(({ id }) => text(id))

/** 200.00 USD come in, and a day later 123.45 USD go out as EUR. */
const usd = await platformAccount(platform, 'USD')
await fund(platform, usd, 20_000)
const [came] = await list('transactions list')
await advance(platform, 24 * 3600)
const from = await payer(platform, { funded: 50_000 })
const to = await payee(platform, 'EUR_ACCOUNT', { customerId: from.customerId })
const asked = { from: from.account, to, amount: 12_345, immediatelyExecute: true }
const paid = expectStatus(await quote(platform, asked), 201)
const [sent] = await list('transactions list --type OUTGOING')
const dayOf = (row: Body | undefined): string => text(row?.['createdAt']).slice(0, 10)
const railOf = (row: Body | undefined): string =>
  text(row?.['paymentRail'] ?? row?.['source']?.['paymentRail'])

test('OPER-120 transactions are narrowed by day, time, amount, currency and rail, together', async () => {
  const [first, last] = [text(came?.['id']), text(paid.transactionId)]
  const only = async (options: string) => idsOf(await list(`transactions list ${options}`))
  assert.deepEqual(await only(`--until ${dayOf(came)}`), [first])
  assert.ok(!(await only(`--since ${dayOf(sent)}`)).includes(first))
  assert.deepEqual(await only(`--since ${dayOf(came)} --until ${dayOf(came)}`), [first])
  assert.deepEqual(await only(`--until ${text(came?.['createdAt'])}`), [], 'the end is not in it')
  assert.deepEqual(await only('--currency usd --amount-min 123.45 --amount-max 123.45'), [last])
  assert.deepEqual(await only('--currency EUR'), [last], 'what is received counts too')
  assert.deepEqual(await only('--currency USD --amount-max 200 --amount-min 200.00'), [first])
  assert.deepEqual(await only('--currency USD --amount-min 500.01'), [])
  assert.ok((await only(`--rail ${railOf(came)}`)).includes(first))
  assert.deepEqual(await only(`--rail ${railOf(sent)} --currency EUR --status COMPLETED`), [last])
  assert.deepEqual(await only(`--rail ${railOf(sent)} --currency EUR --type INCOMING`), [])
})

test('OPER-120 a card transaction is found by what was authorized', async () => {
  const card = await newCard(platform, { funds: 1_000 })
  const { id } = await card.authorize(777)
  const cents = '--currency USD --amount-min 7.77 --amount-max 7.77'
  assert.deepEqual(idsOf(await list(`transactions list --type CARD ${cents}`)), [id])
})

test('OPER-120 quotes, cards, events and requests are narrowed alike', async () => {
  const quotes = await list('quotes list --currency EUR')
  assert.deepEqual(
    quotes.map((one) => one['quoteId']),
    [paid.id],
  )
  const rail = railOf(sent)
  assert.equal((await list(`quotes list --rail ${rail} --since ${dayOf(sent)}`)).length, 1)
  assert.deepEqual(await list('quotes list --currency EUR --amount-min 9000'), [])
  assert.deepEqual(await list(`cards list --until ${dayOf(came)}`), [])
  assert.ok((await list(`cards list --since ${dayOf(sent)}`)).length > 0)
  const events = await list(`events list --until ${dayOf(came)}`)
  assert.ok(events.length > 0)
  for (const event of events) assert.equal(text(event['timestamp']).slice(0, 10), dayOf(came))
  assert.deepEqual(await list('requests list --until 2001-01-01'), [])
  assert.deepEqual(await list('agents list --since 2999-01-01'), [])
})

test('OPER-120 deposits are narrowed by platform, state, time, amount and rail', async () => {
  const reported = 'deposits receive --environment SANDBOX --currency USD --rail ACH --amount 4321'
  const paidTo = (await operate(kit, `accounts show ${usd}`))['fundingPaymentInstructions']
  const reference = /"reference":"([^"]+)"/.exec(JSON.stringify(paidTo))?.[1] ?? ''
  const deposit = await operate(kit, `${reported} --trace ${paid.id} --reference ${reference}`)
  const only = async (options: string) =>
    (await list(`deposits list --all ${options}`)).map((one) => one['depositId'])
  const all = '--currency USD --amount-min 43.21 --amount-max 43.21 --rail ACH --status TAKEN'
  assert.deepEqual(await only(all), [deposit['depositId']])
  assert.deepEqual(await only('--rail SEPA'), [])
  assert.deepEqual(await only('--status HELD'), [])
  assert.deepEqual(await only('--until 2001-01-01'), [])
})

test('OPER-120 a bad value is refused with the name of its option', async () => {
  for (const [options, says] of [
    ['--since yesterday', /^--since is a day/],
    ['--until 2026-02-30', /^--until is a day/],
    ['--since 2026-02-02 --until 2026-02-01', /^--until has to be after --since/],
    ['--amount-min 5', /^--currency is needed/],
    ['--currency XXX', /^--currency is no known currency: XXX/],
    ['--currency USD --amount-min five', /^--amount-min is an amount/],
    ['--currency USD --amount-max 1.234', /^--amount-max is an amount/],
    ['--currency USD --amount-min 2 --amount-max 1', /^--amount-max has to be/],
    ['--rail CARRIER_PIGEON', /^--rail is one of/],
    ['--customer nobody', /^--customer is the id/],
  ] as const) {
    await assert.rejects(list(`transactions list ${options}`), (error: Error) => {
      assert.ok(error instanceof UsageError, options)
      assert.match(error.message, says)
      return true
    })
  }
})

test('OPER-120 lists of accounts take a currency in either case, and refuse one that is none', async () => {
  for (const command of ['accounts list', 'external-accounts list']) {
    const inEuro = await list(`${command} --currency eur`)
    assert.ok(inEuro.length > 0, command)
    assert.deepEqual(new Set(inEuro.map(({ currency }) => currency)), new Set(['EUR']))
    await assert.rejects(list(`${command} --currency XXX`), /--currency is no known currency: XXX/)
  }
})
