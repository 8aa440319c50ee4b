import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Quote } from '../../../../../sdk/src/index.ts'
import {
  expectError,
  expectStatus,
  items,
  text,
  type Body,
  type Shown,
} from '../../../../test/kit/api.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  balanceOf,
  eventTypesOf,
  payee,
  payer,
  platformAccount,
  readQuote,
  readTransaction,
} from '../../../../test/kit/payments.ts'
import { productionBank } from '../../../../test/kit/setups/production.ts'
import { mustParseId, newUuid } from '../../../kernel/ids.ts'
import { readBalances } from '../../../ledger/balances/balance-rows.ts'
import { SUSPENSE_REFUND_FAILED } from '../../../ledger/chart.ts'
import { UsageError } from '../../command.ts'

const kit = await startOwnKit()
const platform = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD', 'USDC'] })

const US_ACCOUNT = {
  accountType: 'US_ACCOUNT',
  routingNumber: '021000021',
  accountHolderName: 'Florin FBO Test platform',
  bankName: 'First Bank',
  paymentRails: ['ACH', 'WIRE', 'RTP'],
}

const EUR_ACCOUNT = {
  accountType: 'EUR_ACCOUNT',
  swiftCode: 'DEUTDEFF',
  accountHolderName: 'Florin FBO Test platform',
  bankName: 'Second Bank',
  paymentRails: ['SEPA'],
}

let lastNumber = 7_000_000_000

/** A production account that a bank has opened, and the number and reference it is recognised by. */
async function provision(owner: TestPlatform, currency = 'USD') {
  const id = await platformAccount(owner, currency)
  lastNumber += 1
  const info = { ...US_ACCOUNT, accountNumber: String(lastNumber) }
  const line = `accounts provision ${id} --instruction`
  const opened = await operate(kit, line, JSON.stringify(info))
  assert.equal(opened['status'], 'ACTIVE')
  const shown = items(opened['fundingPaymentInstructions'])[0]?.['accountOrWalletInfo'] as Body
  return { id, number: info.accountNumber, reference: text(shown['reference']) }
}

const account = await provision(platform)

type Arrival = Readonly<{
  amount: number
  currency?: string
  rail?: string
  to?: string
  reference?: string
  more?: readonly string[]
}>

function receive({ amount, currency = 'USD', rail = 'ACH', to, reference, more = [] }: Arrival) {
  return operate(
    kit,
    `deposits receive --amount ${amount} --currency ${currency} --rail ${rail} --trace ${newUuid()}`,
    ...(to === undefined ? [] : ['--to', to]),
    ...(reference === undefined ? [] : ['--reference', reference]),
    ...more,
  )
}

const waiting = async (depositId: unknown) =>
  items(await operate(kit, 'deposits list')).find(
    (one) => text(one['depositId']) === text(depositId),
  )

test('IACC-10 a deposit goes to the account whose number it was sent to', async () => {
  assert.match(account.reference, /^FUND-[A-HJ-NP-Z2-9]{8}$/)
  const before = await balanceOf(platform, account.id)
  const sender = ['--sender', 'Jane Doe']
  const taken = await receive({ amount: 1500, to: account.number, more: sender })
  assert.equal(taken['status'], 'TAKEN')
  assert.equal(await balanceOf(platform, account.id), before + 1500)
  const id = text(taken['transactionId'])
  const shown = await readTransaction(platform, id)
  assert.equal(shown.status, 'COMPLETED')
  assert.equal(shown.reconciliationInstructions?.reference, account.reference)
  const { source } = shown
  assert.ok(source)
  assert.deepEqual(
    [source.sourceType, source.paymentRail, source.accountHolderName],
    ['REALTIME_FUNDING', 'ACH', 'Jane Doe'],
  )
  assert.equal(text(source.traceNumber), text(taken['trace']))
  assert.deepEqual(await eventTypesOf(platform, id), ['INCOMING_PAYMENT.COMPLETED'])
  assert.equal(await waiting(taken['depositId']), undefined)
})

test('IACC-10 a deposit goes to the account whose PIX code it was paid with, blanks and all', async () => {
  const owner = await kit.platform({ environment: 'SANDBOX', currencies: ['BRL'] })
  const id = await platformAccount(owner, 'BRL')
  const { data } = expectStatus(await owner.api.get('/platform/internal-accounts'), 200)
  const [instruction] = items(data[0]?.fundingPaymentInstructions)
  const code = text(instruction?.accountOrWalletInfo.qrCode)
  assert.match(code, / /)
  const more = ['--environment', 'SANDBOX']
  for (const to of [code, ` ${code.toLowerCase()}\n`]) {
    const before = await balanceOf(owner, id)
    const taken = await receive({ amount: 40, currency: 'BRL', rail: 'PIX', to, more })
    assert.equal(taken['status'], 'TAKEN')
    assert.equal(await balanceOf(owner, id), before + 40)
  }
})

test('IACC-10 EACC-10 an address is the same in any case, but for base58', async () => {
  const owner = await kit.platform({
    environment: 'PRODUCTION',
    currencies: ['EUR', 'USDC', 'BTC'],
  })
  const IBAN = 'DE89370400440532013000'
  const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const BASE58 = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'
  const BECH32 = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
  const open = async (currency: string, ...infos: readonly object[]): Promise<string> => {
    const id = await platformAccount(owner, currency)
    const emitted = infos.flatMap((info) => ['--instruction', JSON.stringify(info)])
    await operate(kit, `accounts provision ${id}`, ...emitted)
    return id
  }
  const eur = await open('EUR', { ...EUR_ACCOUNT, iban: IBAN })
  const coins = await open(
    'USDC',
    { accountType: 'BASE_WALLET', address: EVM, assetType: 'USDC' },
    { accountType: 'SOLANA_WALLET', address: BASE58, assetType: 'USDC' },
  )
  const onChain = { accountType: 'BITCOIN_L1', address: BECH32, network: 'BITCOIN' }
  const bitcoin = await open('BTC', onChain)
  for (const [account, currency, rail, to, status] of [
    [eur, 'EUR', 'SEPA', IBAN.toLowerCase(), 'TAKEN'],
    [coins, 'USDC', 'BASE', EVM.toLowerCase(), 'TAKEN'],
    [coins, 'USDC', 'BASE', EVM.toUpperCase(), 'TAKEN'],
    [coins, 'USDC', 'SOLANA', BASE58, 'TAKEN'],
    [coins, 'USDC', 'SOLANA', BASE58.toLowerCase(), 'UNATTRIBUTED'],
    [bitcoin, 'BTC', 'BITCOIN', BECH32.toUpperCase(), 'TAKEN'],
    [bitcoin, 'BTC', 'BITCOIN', BECH32.replace('bc1q', 'bc1Q'), 'UNATTRIBUTED'],
  ] as const) {
    const before = await balanceOf(owner, account)
    assert.equal((await receive({ amount: 40, currency, rail, to }))['status'], status, to)
    assert.equal(await balanceOf(owner, account), before + (status === 'TAKEN' ? 40 : 0), to)
  }
  const other = await kit.platform({ environment: 'PRODUCTION', currencies: ['USDC'] })
  const id = await platformAccount(other, 'USDC')
  const info = { accountType: 'BASE_WALLET', address: EVM.toLowerCase(), assetType: 'USDC' }
  await assert.rejects(
    operate(kit, `accounts provision ${id} --instruction`, JSON.stringify(info)),
    { code: 'CONFLICT' },
  )
})

test('IACC-10 the reference decides where the number says nothing, whatever stands around it', async () => {
  const before = await balanceOf(platform, account.id)
  const reference = `invoice 12 / ${account.reference.toLowerCase()} thanks`
  assert.equal((await receive({ amount: 20, reference }))['status'], 'TAKEN')
  const both = { amount: 30, to: account.number, reference: 'FUND-AAAAAAAA' }
  assert.equal((await receive(both))['status'], 'TAKEN')
  assert.equal(await balanceOf(platform, account.id), before + 50)
})

test('IACC-10 L15 what nobody can be found for waits in suspense and is attributed once', async () => {
  const before = await balanceOf(platform, account.id)
  const parked = await receive({ amount: 700, to: '999', reference: 'rent' })
  assert.deepEqual([parked['status'], parked['reason']], ['UNATTRIBUTED', 'OWNER_UNKNOWN'])
  const id = text(parked['depositId'])
  assert.equal((await waiting(id))?.['reference'], 'rent')
  expectError(await platform.api.get(`/transactions/${id}`), 404, 'TRANSACTION_NOT_FOUND')

  const taken = await operate(kit, `deposits attribute ${id} --to ${account.id}`)
  assert.deepEqual([taken['status'], taken['platformId']], ['TAKEN', platform.platformId])
  assert.equal(await balanceOf(platform, account.id), before + 700)
  assert.equal((await readTransaction(platform, id)).status, 'COMPLETED')
  assert.equal(await waiting(id), undefined)
  await assert.rejects(operate(kit, `deposits attribute ${id} --to ${account.id}`), {
    code: 'INVALID_STATE_TRANSITION',
  })
  await assert.rejects(operate(kit, `deposits return ${id}`), { code: 'INVALID_STATE_TRANSITION' })
  assert.equal(await balanceOf(platform, account.id), before + 700)
})

test('IACC-10 L15 of twenty who attribute one deposit at once, one does', async () => {
  const before = await balanceOf(platform, account.id)
  const id = text((await receive({ amount: 11 }))['depositId'])
  const tries = await Promise.allSettled(
    Array.from({ length: 20 }, () => operate(kit, `deposits attribute ${id} --to ${account.id}`)),
  )
  assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal(await balanceOf(platform, account.id), before + 11)
})

test('IACC-10 L15 what is nobody’s may be sent back', async () => {
  const id = text((await receive({ amount: 800 }))['depositId'])
  assert.equal((await operate(kit, `deposits return ${id}`))['status'], 'RETURNED')
  assert.equal(await waiting(id), undefined)
  await assert.rejects(operate(kit, `deposits release ${id}`), {
    code: 'INVALID_STATE_TRANSITION',
  })
  const all = items(await operate(kit, 'deposits list --all --limit 1'))
  assert.deepEqual([all.length, text(all[0]?.['depositId'])], [1, id])
})

test('IACC-8 IACC-10 an account that may not receive, or another currency, waits as well', async () => {
  const frozen = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD'] })
  const { id, number } = await provision(frozen)
  await operate(kit, `accounts freeze ${id}`)
  const stopped = await receive({ amount: 60, to: number })
  assert.deepEqual([stopped['status'], stopped['reason']], ['UNATTRIBUTED', 'ACCOUNT_NOT_ACTIVE'])
  const depositId = text(stopped['depositId'])
  await assert.rejects(operate(kit, `deposits attribute ${depositId} --to ${id}`), {
    code: 'USER_NOT_READY',
  })
  await operate(kit, `accounts unfreeze ${id}`)
  await operate(kit, `deposits attribute ${depositId} --to ${id}`)
  assert.equal(await balanceOf(frozen, id), 60)
  const euros = { amount: 60, currency: 'EUR', rail: 'SEPA', to: number }
  assert.equal((await receive(euros))['reason'], 'CURRENCY_MISMATCH')
  // Sandbox money never reaches production.
  const play = await receive({ amount: 5, to: number, more: ['--environment', 'SANDBOX'] })
  assert.equal(play['reason'], 'OWNER_UNKNOWN')
  const played = text(play['depositId'])
  await assert.rejects(operate(kit, `deposits attribute ${played} --to ${id}`), {
    code: 'FORBIDDEN',
  })
})

test('IACC-12 a coin that is attributed to a dollar account becomes dollars, rounded down', async () => {
  const before = await balanceOf(platform, account.id)
  const coins = { amount: 1_239_999, currency: 'USDC', rail: 'SOLANA' }
  const held = await receive({ ...coins, to: account.number, more: ['--review'] })
  assert.equal(held['reason'], 'UNDER_REVIEW')
  await operate(kit, `deposits attribute ${text(held['depositId'])} --to ${account.id}`)
  assert.equal(await balanceOf(platform, account.id), before + 123)
})

test('L12 TXN-14 TXN-15 a deposit under review is held, and only the operator releases or returns it', async () => {
  const before = await balanceOf(platform, account.id)
  const hold = () => receive({ amount: 400, to: account.number, more: ['--review'] })
  const [good, bad] = [await hold(), await hold()]
  assert.equal(good['status'], 'HELD')
  assert.equal(await balanceOf(platform, account.id), before)
  const [goodId, badId] = [text(good['depositId']), text(bad['depositId'])]
  const pending = await readTransaction(platform, goodId)
  assert.deepEqual([pending.status, pending.pendingReason], ['PENDING', 'COMPLIANCE_REVIEW'])
  const { api } = platform
  for (const verb of ['approve', 'reject']) {
    const code = 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL'
    expectError(await api.post(`/transactions/${goodId}/${verb}`), 409, code)
  }
  expectError(await api.post(`/transactions/${goodId}/cancel`), 400, 'INVALID_INPUT')
  await assert.rejects(operate(kit, `settlements confirm ${goodId}`), { code: 'CONFLICT' })
  const open = items(await operate(kit, 'settlements list'))
  assert.ok(open.every(({ transactionId }) => text(transactionId) !== goodId))

  assert.equal((await operate(kit, `deposits release ${goodId}`))['status'], 'TAKEN')
  assert.equal((await operate(kit, `deposits return ${badId}`))['status'], 'RETURNED')
  assert.equal(await balanceOf(platform, account.id), before + 400)
  const refused = await readTransaction(platform, badId)
  assert.deepEqual(
    [refused.status, refused.failureReason, refused.pendingReason],
    ['FAILED', 'COMPLIANCE_REJECTED', undefined],
  )
  assert.deepEqual(await eventTypesOf(platform, goodId), [
    'INCOMING_PAYMENT.PENDING',
    'INCOMING_PAYMENT.COMPLETED',
  ])
  assert.deepEqual(await eventTypesOf(platform, badId), [
    'INCOMING_PAYMENT.PENDING',
    'INCOMING_PAYMENT.FAILED',
  ])
})

test('CORE-83 a movement is taken once, and nonsense is refused', async () => {
  const line = `deposits receive --amount 5 --currency USD --rail ACH --trace ${newUuid()}`
  await operate(kit, line)
  await assert.rejects(operate(kit, line), { code: 'CONFLICT' })
  const wrong = [
    { amount: 0 },
    { amount: 1.5 },
    { amount: 1, currency: 'XXX' },
    { amount: 1, rail: 'SOLANA' },
    { amount: 1, currency: 'USDC', rail: 'ACH' },
    { amount: 1, more: ['--environment', 'MOON'] },
  ]
  for (const one of wrong) await assert.rejects(receive(one), UsageError)
  for (const verb of ['release', 'return']) {
    await assert.rejects(operate(kit, `deposits ${verb} Transaction:${newUuid()}`), {
      code: 'TRANSACTION_NOT_FOUND',
    })
  }
})

/** A quote of a platform that its funds execute. */
async function awaitFunds(
  owner: TestPlatform,
  to: string,
  source: Readonly<Record<string, unknown>> = {},
) {
  const body = {
    source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', ...source },
    destination: { destinationType: 'ACCOUNT', accountId: to },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 20_000,
  }
  return expectStatus(await owner.api.post('/quotes', body), 201)
}

const referenceOf = (quote: Shown<Quote>): string =>
  text(items(quote.paymentInstructions)[0]?.accountOrWalletInfo.reference)

test('QUOTE-18 QUOTE-19 in production a quote is funded over its owner’s account, by its own reference', async () => {
  const to = account.id
  const quote = await awaitFunds(platform, to)
  const info = quote.paymentInstructions?.[0]?.accountOrWalletInfo
  assert.match(referenceOf(quote), /^Q[A-HJ-NP-Z2-9]{10}$/)
  assert.deepEqual(info?.paymentRails, ['RTP'], 'instant rails only')
  assert.equal(info.accountNumber, account.number)
  const before = await balanceOf(platform, to)
  const doubted = { amount: 20_000, rail: 'RTP', reference: referenceOf(quote), more: ['--review'] }
  assert.equal((await receive(doubted))['reason'], 'UNDER_REVIEW', 'nothing is executed unseen')
  assert.equal((await readQuote(platform, quote)).status, 'PENDING')
  const arrival = { amount: 20_000, rail: 'RTP', to: account.number, reference: referenceOf(quote) }
  const taken = await receive(arrival)
  assert.deepEqual([taken['status'], text(taken['transactionId'])], ['TAKEN', quote.transactionId])
  assert.equal((await readQuote(platform, quote)).status, 'COMPLETED')
  assert.equal(await balanceOf(platform, to), before + 20_000)

  const again = await receive(arrival)
  assert.equal(again['status'], 'RETURNING')
  const id = text(again['transactionId'])
  const refund = async () => (await readTransaction(platform, id)).refund?.status
  assert.equal(await refund(), 'PENDING')
  assert.equal((await operate(kit, `deposits return ${id}`))['status'], 'RETURNED')
  assert.equal(await refund(), 'COMPLETED')
  assert.deepEqual(await eventTypesOf(platform, id), [
    'INCOMING_PAYMENT.FAILED',
    'INCOMING_PAYMENT.REFUND_PENDING',
    'INCOMING_PAYMENT.REFUND_COMPLETED',
  ])
  assert.equal(await balanceOf(platform, to), before + 20_000)
})

test('QUOTE-18 without an account that a bank opened, production has nowhere to send funds to', async () => {
  const body = {
    source: { sourceType: 'REALTIME_FUNDING', currency: 'USDC' },
    destination: { destinationType: 'ACCOUNT', accountId: account.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 2000,
  }
  expectError(await platform.api.post('/quotes', body), 501, 'NOT_IMPLEMENTED')
})

test('QUOTE-19 another amount fails the quote; what came is given back', async () => {
  const sandbox = await kit.platform()
  const quote = await awaitFunds(sandbox, await payee(sandbox, 'USD_ACCOUNT'))
  const more = ['--environment', 'SANDBOX']
  await receive({ amount: 19_999, rail: 'RTP', reference: referenceOf(quote), more })
  await sandbox.api.post('/sandbox/clock', { advanceSeconds: 1 })
  const failed = await readTransaction(sandbox, quote.transactionId)
  assert.deepEqual(
    [failed.status, failed.failureReason, failed.refund?.status],
    ['FAILED', 'FUNDING_AMOUNT_MISMATCH', 'COMPLETED'],
  )
})

const suspense = async ({ platformId }: TestPlatform): Promise<bigint> => {
  const [row] = await readBalances(kit.florin.deps.db.read, [
    {
      platformId: mustParseId('platform', platformId),
      account: SUSPENSE_REFUND_FAILED,
      currency: 'USD',
    },
  ])
  return row?.amount ?? 0n
}

/** A quote of production that another amount came for: the operator has to send back what came. */
async function mismatch(owner: TestPlatform, amount: number): Promise<string> {
  const quote = await awaitFunds(owner, await productionBank(kit, owner))
  await receive({ amount, rail: 'RTP', reference: referenceOf(quote) })
  const id = quote.transactionId
  await eventually(async () => {
    const { status, failureReason, refund } = await readTransaction(owner, id)
    assert.deepEqual(
      [status, failureReason, refund?.status],
      ['FAILED', 'FUNDING_AMOUNT_MISMATCH', 'PENDING'],
    )
  })
  return id
}

const lineOf = async (list: string, id: string) =>
  items(await operate(kit, `${list} list`)).find((one) => text(one['transactionId']) === id)

for (const [what, amount] of [
  ['more', 25_000],
  ['less', 5_000],
] as const) {
  test(`QUOTE-19 TXN-6 CORE-83 ${what} came than asked for: that very amount is sent back by hand`, async () => {
    const id = await mismatch(platform, amount)
    const line = await lineOf('settlements', id)
    assert.deepEqual([line?.['amount'], line?.['currency']], [amount, 'USD'])
    const shown = await operate(kit, `settlements show ${id}`)
    assert.equal(shown['refundAmount']?.['amount'], amount)
    await operate(kit, `settlements confirm ${id}`)
    const sent = await operate(kit, `settlements show ${id}`)
    assert.equal(sent['refundAmount']?.['amount'], amount)
  })

  test(`QUOTE-19 TXN-7 L8f ${what} came than asked for: a retry takes out of suspense what went into it`, async () => {
    const other = await mismatch(platform, 12_345)
    await operate(kit, `settlements fail ${other}`)
    const before = await suspense(platform)
    const id = await mismatch(platform, amount)
    await operate(kit, `settlements fail ${id}`)
    assert.equal(await suspense(platform), before + BigInt(amount))
    assert.equal((await lineOf('refunds', id))?.['amount'], amount)
    assert.equal((await operate(kit, `settlements show ${id}`))['refundAmount']?.['amount'], amount)
    assert.equal((await operate(kit, `refunds retry ${id}`))['refundStatus'], 'COMPLETED')
    assert.equal(await suspense(platform), before)
    await operate(kit, `refunds retry ${other}`)
    assert.equal(await suspense(platform), before - 12_345n)
  })
}

test('QUOTE-19 TXN-8 funds that come after expiry are a deposit of their own and go back', async () => {
  const sandbox = await kit.platform()
  const more = ['--environment', 'SANDBOX']
  const fiat = await awaitFunds(sandbox, await payee(sandbox, 'USD_ACCOUNT'))
  const { customerId } = await payer(sandbox, { funded: 0 })
  const coins = await awaitFunds(sandbox, await payee(sandbox, 'USD_ACCOUNT'), {
    currency: 'USDC',
    customerId,
  })
  expectStatus(await sandbox.api.post('/sandbox/clock', { advanceSeconds: 301 }), 200)
  const reference = referenceOf(fiat)
  const late = await receive({ amount: 20_000, rail: 'RTP', reference, more })
  assert.equal(late['status'], 'RETURNED')
  const returned = await readTransaction(sandbox, text(late['transactionId']))
  assert.deepEqual(
    [returned.type, returned.status, returned.failureReason],
    ['INCOMING', 'FAILED', 'QUOTE_EXPIRED'],
  )
  assert.equal(returned.refund?.status, 'COMPLETED')
  assert.equal(text(returned.quoteId), fiat.id)
  assert.equal((await readQuote(sandbox, fiat)).status, 'EXPIRED')

  const wallet = coins.paymentInstructions?.[0]?.accountOrWalletInfo
  const arrival = { amount: 20_000, currency: 'USDC', rail: 'SOLANA', to: text(wallet?.address) }
  const kept = await receive({ ...arrival, more })
  assert.equal(kept['status'], 'TAKEN')
  const credited = await readTransaction(sandbox, text(kept['transactionId']))
  assert.deepEqual([credited.type, credited.status], ['INCOMING', 'COMPLETED'])
  assert.equal(credited.customerId, customerId)
  assert.equal((await readQuote(sandbox, coins)).status, 'EXPIRED')
})

test('QUOTE-19 IACC-10 late coins whose owner may not receive any more wait for the operator', async () => {
  const sandbox = await kit.platform()
  const more = ['--environment', 'SANDBOX']
  const { customerId } = await payer(sandbox, { funded: 0 })
  const coins = await awaitFunds(sandbox, await payee(sandbox, 'USD_ACCOUNT'), {
    currency: 'USDC',
    customerId,
  })
  expectStatus(await sandbox.api.delete(`/customers/${customerId}`), 200)
  assert.equal((await readQuote(sandbox, coins)).status, 'EXPIRED')
  const wallet = coins.paymentInstructions?.[0]?.accountOrWalletInfo
  const to = text(wallet?.address)
  const arrived = await receive({ amount: 20_000, currency: 'USDC', rail: 'SOLANA', to, more })
  assert.deepEqual(
    [arrived['status'], arrived['reason']],
    ['UNATTRIBUTED', 'ACCOUNT_NOT_ACTIVE'],
    'money that is here is on the books, whatever became of its owner',
  )
})

test('CORE-83 accounts provision opens a pending account, or says that none will be', async () => {
  const other = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD'] })
  const id = await platformAccount(other, 'USD')
  const provisionWith = (info: unknown) =>
    operate(kit, `accounts provision ${id} --instruction`, JSON.stringify(info))
  await assert.rejects(operate(kit, `accounts provision ${id}`), UsageError)
  await assert.rejects(operate(kit, `accounts provision ${id} --instruction {`), UsageError)
  await assert.rejects(provisionWith({ accountType: 'US_ACCOUNT' }), { code: 'INVALID_INPUT' })
  await assert.rejects(provisionWith({ ...US_ACCOUNT, accountNumber: account.number }), {
    code: 'CONFLICT',
  })
  assert.equal((await operate(kit, `accounts provision ${id} --failed`))['status'], 'FAILED')
  assert.deepEqual(await eventTypesOf(other, id), ['INTERNAL_ACCOUNT.STATUS_UPDATED'])
})
