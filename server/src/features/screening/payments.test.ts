import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text, type Body } from '../../../test/kit/api.ts'
import { listAccounts, readCustomer } from '../../../test/kit/customers.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import {
  balanceOf,
  eventTypesOf,
  execute,
  payee,
  payer,
  platformAccount,
  quote,
  readTransaction,
} from '../../../test/kit/payments.ts'
import { openProductionAccount, productionBank } from '../../../test/kit/setups/production.ts'
import { railsSetup } from '../../../test/kit/setups/rails.ts'
import {
  MATCH,
  screeningProvider,
  type Screener,
} from '../../../test/kit/setups/screening-provider.ts'
import { quoteUma } from '../../../test/kit/uma.ts'

const kit = await startOwnKit()

type Setup = Screener &
  Readonly<{
    platform: TestPlatform
    customerId: string
    account: string
    /** Pays from the account; the transaction. */
    pay(to: string, amount: number): Promise<string>
    payeeOf(accountType: string): Promise<string>
  }>

/** The payees come before the provider, so that only payments are screened. The sandbox carries them. */
async function setup({ options = '--payment-threshold USD:5000', currency = 'USD' } = {}) {
  const platform = await kit.platform({ currencies: ['USD', 'EUR'] })
  const { account, customerId } = await payer(platform, { currency })
  const types = ['EUR_ACCOUNT', 'USD_ACCOUNT', 'SPARK_WALLET']
  const made = await Promise.all(types.map((type) => payee(platform, type, { customerId })))
  const screener = await screeningProvider(kit, platform, { options })
  return {
    ...screener,
    platform,
    customerId,
    account,
    payeeOf: async (type: string) => made[types.indexOf(type)] ?? assert.fail(type),
    async pay(to: string, amount: number) {
      const quoted = expectStatus(await quote(platform, { from: account, to, amount }), 201)
      expectStatus(await execute(platform, quoted), 200)
      return quoted.transactionId
    },
  } satisfies Setup
}

const ends = (platform: TestPlatform, id: string, status: string) =>
  eventually(async () => {
    const found = await readTransaction(platform, id)
    assert.equal(found.status, status)
    return found
  })

async function mustWait(platform: TestPlatform, id: string): Promise<void> {
  const { status, pendingReason } = await readTransaction(platform, id)
  assert.deepEqual([status, pendingReason], ['PROCESSING', 'COMPLIANCE_REVIEW'])
}

const exceptionsOf = async ({ platformId }: TestPlatform): Promise<readonly Body[]> =>
  items(await operate(kit, `exceptions list --platform ${platformId}`))

const resolve = async (platform: TestPlatform, as: string): Promise<Body> => {
  const [exception] = await exceptionsOf(platform)
  assert.equal(exception?.['type'], 'SCREENING_REVIEW')
  const line = `exceptions resolve ${exception['exceptionId']} --as ${as} --note`
  return operate(kit, line, 'looked at it')
}

test('PROV-104 a payout below the threshold goes at once, one at it waits for the verdict', async () => {
  const on = await setup()
  const to = await on.payeeOf('EUR_ACCOUNT')
  await ends(on.platform, await on.pay(to, 4_999), 'COMPLETED')
  const id = await on.pay(to, 5_000)
  await mustWait(on.platform, id)
  const order = await on.orderOf(id)
  assert.deepEqual(
    [order['subjectType'], order['direction'], order['amount']],
    ['PAYMENT', 'OUTGOING', { amount: 5_000, currency: 'USD', decimals: 2 }],
  )
  assert.equal(items(order['parties']).length, 2)
  assert.equal(order['account']?.['accountType'], 'EUR_ACCOUNT')
  assert.equal(on.provider.orders().length, 1)
  assert.equal(await balanceOf(on.platform, on.account), 90_001)
  await on.decide(order, 'CLEAR')
  const { pendingReason } = await ends(on.platform, id, 'COMPLETED')
  assert.equal(pendingReason, undefined)
  assert.deepEqual(await eventTypesOf(on.platform, id), [
    'OUTGOING_PAYMENT.PENDING',
    'OUTGOING_PAYMENT.PROCESSING',
    'OUTGOING_PAYMENT.COMPLETED',
  ])
})

test('PROV-104 the threshold holds for the dollars that are debited, rounded up', async () => {
  const on = await setup({ currency: 'EUR' })
  const to = await on.payeeOf('USD_ACCOUNT')
  await ends(on.platform, await on.pay(to, 4_599), 'COMPLETED')
  await mustWait(on.platform, await on.pay(to, 4_600))
})

test('PROV-104 PROV-47 the order of a provider waits with it, and goes out when it is released', async () => {
  const { platform, provider: bank, pay, transaction, exceptions } = await railsSetup(kit)
  const screener = await screeningProvider(kit, platform)
  const id = await pay()
  await mustWait(platform, id)
  const [held] = items(await operate(kit, `orders list --transaction ${id}`))
  assert.deepEqual([held?.['state'], held?.['waitingFor']], ['QUEUED', 'SCREENING'])
  await screener.decide(id, 'REVIEW', [{ ...MATCH, subject: 'PAYEE' }])
  await mustWait(platform, id)
  assert.equal((await exceptions())[0]?.['type'], 'SCREENING_REVIEW')
  assert.equal(bank.orders().length, 0, 'nothing was sent')
  const shown = JSON.stringify(await transaction(id))
  assert.ok(!shown.includes('OFAC'), 'PROV-107 platforms never see a match')
  const [found] = items(await operate(kit, `screening show ${id}`))
  assert.equal(found?.['verdict'], 'REVIEW')
  await resolve(platform, 'RELEASED')
  const order = await bank.orderOf(id)
  assert.equal(order['type'], 'PAYOUT')
  const amount = { amount: 9_154, currency: 'EUR' }
  await bank.report(order, 1, { state: 'SETTLED', amount })
  await ends(platform, id, 'COMPLETED')
})

test('PROV-104 BLOCK fails the payment and refunds it; the order was never sent', async () => {
  const { platform, provider: bank, pay, balance } = await railsSetup(kit)
  const screener = await screeningProvider(kit, platform)
  const id = await pay()
  await screener.decide(id, 'BLOCK', [{ ...MATCH, subject: 'PAYEE' }])
  const failed = await ends(platform, id, 'FAILED')
  assert.deepEqual(
    [failed.failureReason, failed.refund?.status, failed.pendingReason],
    ['COMPLIANCE_REJECTED', 'COMPLETED', undefined],
  )
  assert.equal(await balance(), 100_000)
  const [ended] = items(await operate(kit, `orders list --transaction ${id}`))
  assert.deepEqual([ended?.['state'], ended?.['attempts']], ['FAILED', 0])
  assert.equal(bank.orders().length, 0)
})

test('PROV-104 a match with the payer freezes the payer, its refund included', async () => {
  const on = await setup()
  const id = await on.pay(await on.payeeOf('EUR_ACCOUNT'), 10_000)
  await on.decide(id, 'REVIEW', [{ ...MATCH, subject: 'PAYER' }])
  const of = { id: on.customerId }
  assert.equal((await readCustomer(on.platform, of)).kycStatus, 'APPROVED')
  await resolve(on.platform, 'REFUSED')
  const failed = await ends(on.platform, id, 'FAILED')
  assert.equal(failed.failureReason, 'COMPLIANCE_REJECTED')
  assert.equal((await readCustomer(on.platform, of)).kycStatus, 'HOLD')
  const accounts = await listAccounts(on.platform, of)
  assert.deepEqual([...new Set(accounts.map(({ status }) => status))], ['FROZEN'])
  assert.equal(await balanceOf(on.platform, on.account), 100_000)
})

test('PROV-104 payouts to wallets and UMA addresses, and transfers, wait too', async () => {
  const on = await setup()
  const wallet = await on.pay(await on.payeeOf('SPARK_WALLET'), 10_000)
  const quoted = await quoteUma(on.platform, { from: on.account, to: 'success.eur' })
  expectStatus(await execute(on.platform, expectStatus(quoted, 201)), 200)
  const uma = text(quoted.body.transactionId)
  const sent = await on.platform.api.post('/transfer-out', {
    source: { accountId: on.account },
    destination: { accountId: await on.payeeOf('USD_ACCOUNT') },
    amount: 10_000,
  })
  const transfer = expectStatus(sent, 201).id
  for (const id of [wallet, uma, transfer]) {
    await mustWait(on.platform, id)
    await on.decide(id, 'CLEAR')
    await ends(on.platform, id, 'COMPLETED')
  }
})

test('PROV-104 money that is pulled first is not pulled before the verdict', async () => {
  const on = await setup()
  const [from, to] = [await on.payeeOf('USD_ACCOUNT'), await on.payeeOf('EUR_ACCOUNT')]
  const pulled = async (verdict: string) => {
    const quoted = expectStatus(await quote(on.platform, { from, to, amount: 10_000 }), 201)
    expectStatus(await execute(on.platform, quoted), 200)
    const id = quoted.transactionId
    await mustWait(on.platform, id)
    await on.decide(id, verdict)
    return ends(on.platform, id, verdict === 'CLEAR' ? 'COMPLETED' : 'FAILED')
  }
  await pulled('CLEAR')
  const blocked = await pulled('BLOCK')
  assert.equal(blocked.refund, undefined, 'TXN-16 nothing was taken')
})

test('PROV-104 what stays inside is not asked about', async () => {
  const on = await setup({ options: '' })
  const other = await payer(on.platform, { funded: 0 })
  const before = on.provider.orders().length
  await ends(on.platform, await on.pay(other.account, 10_000), 'COMPLETED')
  assert.equal(on.provider.orders().length, before)
})

test('PROV-104 a payment that was called back does not go out by a late verdict', async () => {
  const {
    platform,
    provider: bank,
    pay,
    balance,
  } = await railsSetup(kit, '', {
    accountType: 'USD_ACCOUNT',
    rail: 'ACH',
  })
  const screener = await screeningProvider(kit, platform)
  const id = await pay()
  await screener.decide(id, 'REVIEW')
  expectStatus(await platform.api.post(`/transactions/${id}/cancel`), 200)
  assert.equal(await balance(), 100_000)
  const conflict = { code: 'CONFLICT' }
  await assert.rejects(resolve(platform, 'RELEASED'), conflict)
  await resolve(platform, 'REFUSED')
  assert.equal(await balance(), 100_000)
  assert.equal(bank.orders().length, 0)
})

test('PROV-104 PROV-109 without a verdict in the window an operator decides, whatever comes later', async () => {
  const on = await setup({ options: '--window 300' })
  const id = await on.pay(await on.payeeOf('EUR_ACCOUNT'), 10_000)
  const order = await on.orderOf(id)
  expectStatus(await on.platform.api.post('/sandbox/clock', { advanceSeconds: 300 }), 200)
  const types = (await exceptionsOf(on.platform)).map(({ type }) => text(type))
  assert.deepEqual(types.toSorted(), ['OUTCOME_UNKNOWN', 'SCREENING_REVIEW'])
  await on.decide(order, 'CLEAR')
  await mustWait(on.platform, id)
  await resolve(on.platform, 'RELEASED')
  await ends(on.platform, id, 'COMPLETED')
})

test('PROV-104 PROV-12 what the operator pays by hand is not on its list before the verdict', async () => {
  const platform = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD'] })
  const from = await openProductionAccount(kit, platform, {
    id: await platformAccount(platform, 'USD'),
    funded: 100_000n,
  })
  const to = await productionBank(kit, platform)
  const on = await screeningProvider(kit, platform, { environment: 'PRODUCTION' })
  const quoted = expectStatus(await quote(platform, { from, to, amount: 10_000 }), 201)
  expectStatus(await execute(platform, quoted), 200)
  const id = quoted.transactionId
  const waiting = async (): Promise<string[]> =>
    items(await operate(kit, `settlements list --platform ${platform.platformId}`)).map((one) =>
      text(one['transactionId']),
    )
  await mustWait(platform, id)
  assert.deepEqual(await waiting(), [])
  const conflict = { code: 'CONFLICT', details: { reason: 'HELD_BY_PROVIDER' } }
  await assert.rejects(operate(kit, `settlements confirm ${id}`), conflict)
  await on.decide(id, 'CLEAR')
  assert.deepEqual(await waiting(), [id])
  await operate(kit, `settlements confirm ${id}`)
  await ends(platform, id, 'COMPLETED')
})

test('PROV-28 PROV-104 a payment that was let go is not stopped by a later BLOCK, which an operator sees', async () => {
  const on = await setup()
  const id = await on.pay(await on.payeeOf('EUR_ACCOUNT'), 5_000)
  const order = await on.orderOf(id)
  await on.decide(order, 'CLEAR')
  await ends(on.platform, id, 'COMPLETED')
  const said = { state: 'DECIDED', verdict: 'BLOCK', listVersion: '1', matches: [] }
  assert.equal(text((await on.provider.report(order, 2, said))['result']), 'EXCEPTION')
  assert.equal((await readTransaction(on.platform, id)).status, 'COMPLETED')
  const [open] = await exceptionsOf(on.platform)
  assert.equal(open?.['type'], 'DECIDED_OTHERWISE')
})
