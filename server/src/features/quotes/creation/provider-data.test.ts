/** What a currency asks of its customers, where they use it (CUST-66), and what may be cleared again (CUST-67). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Customer } from '../../../../../sdk/src/index.ts'
import {
  expectError,
  expectStatus,
  items,
  text,
  type Answer,
  type HasId,
  type Shown,
} from '../../../../test/kit/api.ts'
import { ADDRESS, BUSINESS, createCustomer, readCustomer } from '../../../../test/kit/customers.ts'
import { startKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import {
  balanceOf,
  customerAccount,
  execute,
  fund,
  payee,
  platformAccount,
  quote,
  quoteBody,
  readQuote,
  readTransaction,
} from '../../../../test/kit/payments.ts'

const kit = await startKit()
const CURRENCIES = ['USD', 'BRL', 'INR', 'NGN']

const newPlatform = (more: object = {}): Promise<TestPlatform> =>
  kit.platform({ currencies: CURRENCIES, ...more })

/** What every currency of the platform asks for. */
const KNOWN = {
  fullName: 'Ana Souza',
  birthDate: '1990-01-01',
  nationality: 'BR',
  phoneNumber: '+5511999999999',
  address: ADDRESS,
}
const { birthDate, nationality } = KNOWN

const patch = ({ api }: TestPlatform, { id, customerType }: Shown<Customer>, body: object) =>
  api.patch(`/customers/${id}`, { customerType, ...body })

function expectMissing(
  answer: Answer,
  { of, fields, currencies }: { of?: HasId; fields: readonly string[]; currencies: string[] },
): void {
  const details = expectError(answer, 400, 'MISSING_MANDATORY_USER_INFO')
  const named = items(details['errors']).map((error) => text(error['field']))
  assert.deepEqual(named.toSorted(), fields.toSorted())
  assert.deepEqual(details['currencies'], currencies)
  assert.equal(details['customerId'], of?.id)
}

const BRL = { fields: ['birthDate', 'nationality'], currencies: ['BRL'] }

const fundBy = ({ api }: TestPlatform, account: string, amount = 100_000) =>
  api.post(`/sandbox/internal-accounts/${account}/fund`, { amount })

const transactionsOf = async ({ api }: TestPlatform, { id }: HasId) =>
  expectStatus(await api.get('/transactions', { query: { customerId: id } }), 200).data

describe('CUST-66 the fields of a currency are asked for when it is used', () => {
  test('IACC-14 chapter 10, scenario 8: by sandbox funding, on every kind of platform', async () => {
    for (const kind of ['REGULATED', 'UNREGULATED'] as const) {
      const platform = await newPlatform({ kind })
      const ana = await createCustomer(platform, { fullName: 'Ana' })
      const account = await customerAccount(platform, ana.id, 'BRL')
      expectMissing(await fundBy(platform, account), { of: ana, ...BRL })
      assert.deepEqual(await transactionsOf(platform, ana), [], 'nothing is written')
      expectStatus(await patch(platform, ana, { birthDate, nationality }), 200)
      expectStatus(await fundBy(platform, account), 200)
      const cleared = await patch(platform, ana, { nationality: null })
      expectMissing(cleared, { fields: ['nationality'], currencies: ['BRL'] })
      const usd = await customerAccount(platform, ana.id, 'USD')
      expectStatus(await fundBy(platform, usd), 200)
    }
  })

  test('of a business at its own places; the platform is asked for nothing', async () => {
    const platform = await newPlatform()
    const acme = await createCustomer(platform, BUSINESS)
    const brl = await customerAccount(platform, acme.id, 'BRL')
    expectStatus(await fundBy(platform, brl), 200)
    const inr = await customerAccount(platform, acme.id, 'INR')
    const missing = { of: acme, fields: ['address'], currencies: ['INR'] }
    expectMissing(await fundBy(platform, inr), missing)
    const ngn = await customerAccount(platform, acme.id, 'NGN')
    const lacking = { of: acme, fields: ['phoneNumber'], currencies: ['NGN'] }
    expectMissing(await fundBy(platform, ngn), lacking)
    expectStatus(await patch(platform, acme, { address: ADDRESS }), 200)
    expectStatus(await fundBy(platform, inr), 200)
    await fund(platform, await platformAccount(platform, 'INR'), 1_000)
  })

  test('QUOTE-9 of who owns an account that a quote pays into, and of who pays', async () => {
    const platform = await newPlatform()
    const ana = await createCustomer(platform, { fullName: 'Ana' })
    const [usd, brl, inr] = await Promise.all(
      ['USD', 'BRL', 'INR'].map((code) => customerAccount(platform, ana.id, code)),
    )
    assert.ok(usd && brl && inr)
    await fund(platform, usd, 10_000)
    const own = await platformAccount(platform, 'USD')
    await fund(platform, own, 10_000)
    const bank = await payee(platform, 'USD_ACCOUNT')
    const customerId = ana.id
    const named = { sourceType: 'ACCOUNT', accountId: await platformAccount(platform, 'BRL') }
    const realtime = { sourceType: 'REALTIME_FUNDING', currency: 'BRL' }
    const into = { destinationType: 'ACCOUNT', accountId: bank }
    const asked: readonly [string, object, { fields: string[]; currencies: string[] }][] = [
      ['converted by its owner', quoteBody({ from: usd, to: brl, amount: 100 }), BRL],
      ['paid by the platform', quoteBody({ from: own, to: brl, amount: 100 }), BRL],
      ['paying', quoteBody({ from: brl, to: bank, amount: 100 }), BRL],
      [
        'both ways at once',
        quoteBody({ from: brl, to: inr, amount: 100 }),
        { fields: [...BRL.fields, 'address'], currencies: ['BRL', 'INR'] },
      ],
      [
        'on its behalf',
        { ...quoteBody({ from: '', to: bank, amount: 100 }), source: { ...named, customerId } },
        BRL,
      ],
      [
        'funding',
        { ...quoteBody({ from: '', to: bank, amount: 100 }), source: { ...realtime, customerId } },
        BRL,
      ],
    ]
    for (const [what, body, missing] of asked) {
      const answer = await platform.api.post('/quotes', body)
      assert.equal(answer.status, 400, `${what}: ${answer.text}`)
      expectMissing(answer, { of: ana, ...missing })
    }
    const immediately = {
      ...quoteBody({ from: brl, to: bank, amount: 100 }),
      immediatelyExecute: true,
    }
    expectMissing(await platform.api.post('/quotes', immediately), { of: ana, ...BRL })
    const external = await payee(platform, 'BRL_ACCOUNT', { customerId })
    const free = [
      quoteBody({ from: own, to: external, amount: 100 }),
      { ...quoteBody({ from: '', to: bank, amount: 100 }), source: named },
      { ...quoteBody({ from: '', to: bank, amount: 100 }), source: realtime, destination: into },
    ]
    for (const body of free) expectStatus(await platform.api.post('/quotes', body), 201)
    assert.equal((await transactionsOf(platform, ana)).length, 2, 'the funding and one payout')
  })

  test('QUOTE-9 and again at execution; what is lost meanwhile fails just-in-time funds', async () => {
    const platform = await newPlatform()
    const ana = await createCustomer(platform, KNOWN)
    const customerId = ana.id
    const bank = await payee(platform, 'USD_ACCOUNT')
    const from = await platformAccount(platform, 'BRL')
    await fund(platform, from, 10_000)
    const behalf = { sourceType: 'ACCOUNT', accountId: from, customerId }
    const body = quoteBody({ from: '', to: bank, amount: 1_000 })
    const made = expectStatus(await platform.api.post('/quotes', { ...body, source: behalf }), 201)
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'BRL', customerId }
    const waiting = expectStatus(await platform.api.post('/quotes', { ...body, source }), 201)
    // Neither touches an account of the customer, so the currency is not in use yet (CUST-67).
    expectStatus(await patch(platform, ana, { birthDate: null }), 200)
    const missing = { of: ana, fields: ['birthDate'], currencies: ['BRL'] }
    expectMissing(await execute(platform, made), missing)
    assert.equal((await readQuote(platform, made)).status, 'PENDING')
    const sent = { quoteId: waiting.id, currencyCode: 'BRL' }
    expectStatus(await platform.api.post('/sandbox/send', sent), 200)
    const failed = await readTransaction(platform, waiting.transactionId)
    assert.deepEqual(
      [failed.failureReason, failed.refund?.status],
      ['QUOTE_EXECUTION_FAILED', 'COMPLETED'],
    )
    expectStatus(await patch(platform, ana, { birthDate }), 200)
    expectStatus(await execute(platform, made), 200)
  })

  test('after the gates of status and terms', async () => {
    const platform = await newPlatform({ kind: 'UNREGULATED' })
    const ana = await createCustomer(platform, { fullName: 'Ana' })
    const from = await customerAccount(platform, ana.id, 'BRL')
    const to = await payee(platform, 'USD_ACCOUNT')
    expectError(await quote(platform, { from, to, amount: 100 }), 403, 'USER_NOT_READY')
  })

  test('XFER-7 of the owner of the internal account of a transfer', async () => {
    const platform = await newPlatform()
    const ana = await createCustomer(platform, { fullName: 'Ana' })
    const account = await customerAccount(platform, ana.id, 'BRL')
    const bank = await payee(platform, 'BRL_ACCOUNT')
    const move = (path: string, from: string, to: string) =>
      platform.api.post(path, {
        source: { accountId: from },
        destination: { accountId: to },
        amount: 100,
      })
    expectMissing(await move('/transfer-in', bank, account), { of: ana, ...BRL })
    expectMissing(await move('/transfer-out', account, bank), { of: ana, ...BRL })
    assert.deepEqual(await transactionsOf(platform, ana), [])
    expectStatus(await patch(platform, ana, { birthDate, nationality }), 200)
    expectStatus(await move('/transfer-in', bank, account), 201)
    expectStatus(await move('/transfer-out', account, bank), 201)
    assert.equal(await balanceOf(platform, account), 0)
  })
})

describe('CUST-67 what may be cleared', () => {
  test('CUST-51 not what a currency on an explicit list asks for, in whatever way', async () => {
    const platform = await newPlatform()
    const ana = await createCustomer(platform, { ...KNOWN, currencies: ['BRL', 'NGN'] })
    for (const [body, field, currencies] of [
      [{ nationality: null }, 'nationality', ['BRL']],
      [{ phoneNumber: null }, 'phoneNumber', ['NGN']],
      [{ fullName: null }, 'fullName', ['BRL', 'NGN']],
    ] as const) {
      const answer = await patch(platform, ana, body)
      expectMissing(answer, { fields: [field], currencies: [...currencies] })
    }
    assert.deepEqual(await readCustomer(platform, ana), ana, 'nothing changed')
    expectStatus(await patch(platform, ana, { address: null }), 200)
    const given = { currencies: ['NGN'], nationality: null, birthDate: null }
    expectStatus(await patch(platform, ana, given), 200)
  })

  test('nor of one whose account was ever in a payment, whatever the list is', async () => {
    const platform = await newPlatform()
    const ana = await createCustomer(platform, KNOWN)
    const untouched = await createCustomer(platform, KNOWN)
    const brl = await customerAccount(platform, ana.id, 'BRL')
    const own = await platformAccount(platform, 'USD')
    // A quote is a payment from its creation on, and a default currency is in use by it.
    expectStatus(await quote(platform, { from: own, to: brl, amount: 1_000 }), 201)
    for (const field of ['fullName', 'birthDate', 'nationality']) {
      const answer = await patch(platform, ana, { [field]: null })
      expectMissing(answer, { fields: [field], currencies: ['BRL'] })
      expectStatus(await patch(platform, untouched, { [field]: null }), 200)
    }
    expectStatus(await patch(platform, ana, { address: null }), 200)
    expectStatus(await patch(platform, ana, { phoneNumber: null }), 200)
    const listed = { currencies: ['USD'], nationality: null }
    const dropped = await patch(platform, ana, listed)
    expectMissing(dropped, { fields: ['nationality'], currencies: ['BRL'] })
  })

  test('a field that was never there, or only becomes another, is not cleared', async () => {
    const platform = await newPlatform()
    const ana = await createCustomer(platform, { ...KNOWN, currencies: ['INR'] })
    expectStatus(await patch(platform, ana, { nationality: 'IN' }), 200)
    expectStatus(await patch(platform, ana, { address: { ...ADDRESS, line1: '2 Main St' } }), 200)
    const acme = await createCustomer(platform, BUSINESS)
    const inr = await customerAccount(platform, acme.id, 'INR')
    expectError(await fundBy(platform, inr), 400, 'MISSING_MANDATORY_USER_INFO')
    expectStatus(await patch(platform, acme, { address: null }), 200)
  })
})
