import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, text, type Body } from '../../../../test/kit/api.ts'
import { newCard } from '../../../../test/kit/cards.ts'
import { startKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { openDashboard } from '../../../../test/kit/pages/dashboard.ts'
import { arrived } from '../../../../test/kit/setups/waiting-work.ts'
import { customerAccount, fund, payee, quote } from '../../../../test/kit/payments.ts'
import { createCustomer } from '../../../../test/kit/customers.ts'

const kit = await startKit()
const p = await kit.platform({ currencies: ['USD'] })
const visitor = await (await openDashboard(kit)).signIn()

const timeline = async (id: string) =>
  (await operate<{ entries: Body[] }>(kit, `timeline show ${id}`)).entries

const kindsOf = (entries: readonly Body[]): Set<string> =>
  new Set(entries.map((entry) => text(entry['kind'])))

test('OPER-106 a payment’s timeline has what was done, booked and sent, in order', async () => {
  const customer = await createCustomer(p)
  const account = await customerAccount(p, customer.id, 'USD')
  await fund(p, account, 30_000)
  const to = await payee(p, 'USD_ACCOUNT', { customerId: customer.id })
  const asked = { from: account, to, amount: 10_000, immediatelyExecute: true }
  const made = expectStatus(await quote(p, asked), 201)
  const entries = await timeline(made.transactionId)
  for (const kind of ['ACTION', 'BOOKED', 'EVENT']) assert.ok(kindsOf(entries).has(kind), kind)
  const times = entries.map((entry) => text(entry['at']))
  assert.deepEqual(times, times.toSorted())
  assert.ok(entries.some((entry) => /^Token:/.test(text(entry['by'] ?? ''))))
  assert.deepEqual(await timeline(made.id), entries, 'a quote and its transaction are one')
  const page = await visitor.get(`/transactions/${encodeURIComponent(made.transactionId)}`)
  assert.match(page.text, /<h2>Timeline<\/h2>/)
})

test('OPER-106 what comes next is at the end, and an operator’s action has its note', async () => {
  const customer = await createCustomer(p)
  const account = await customerAccount(p, customer.id, 'USD')
  await fund(p, account, 30_000)
  const to = await payee(p, 'USD_ACCOUNT', { customerId: customer.id })
  const held = expectStatus(await quote(p, { from: account, to, amount: 10_000 }), 201)
  const last = (await timeline(held.id)).at(-1)
  assert.partialDeepStrictEqual(last, { kind: 'DUE', isAhead: true })
  const card = await newCard(p, { funds: 0 })
  await operate(kit, `cards freeze ${card.id} --note`, 'reported lost')
  const frozen = (await timeline(card.id)).find((entry) => text(entry['what']) === 'cards freeze')
  assert.equal(text(frozen?.['why']), 'reported lost')
  await assert.rejects(timeline('Card:01994d2e-7c1a-7f00-8000-0000000000ff'), {
    code: 'REFERENCE_NOT_FOUND',
  })
})

test('OPER-106 the pages of external accounts, deposits and reviews have a timeline', async () => {
  const customer = await createCustomer(p)
  for (const page of [
    `/external-accounts/${encodeURIComponent(await payee(p, 'USD_ACCOUNT'))}`,
    `/deposits/${encodeURIComponent(await arrived(kit, { amount: 700 }))}`,
    `/reviews/${encodeURIComponent(customer.id)}`,
  ]) {
    const { status, text: shown } = await visitor.get(page)
    assert.equal(status, 200, page)
    assert.match(shown, /<h2>Timeline<\/h2>/, page)
  }
})
