/** Chapter 30, section 12: the acceptance scenarios of external accounts and directories. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectFields, expectStatus, items, text, type HasId } from '../kit/api.ts'
import { advance, connect, openReceiver } from '../kit/outside/connect-receiver.ts'
import { eventually } from '../kit/eventually.ts'
import {
  CUSTOMERS,
  newAccount,
  newCustomer,
  newOwnWallet,
} from '../kit/accounts/external-accounts.ts'
import { startKit } from '../kit/florin.ts'
import { operate } from '../kit/operator.ts'
import {
  balanceOf,
  customerAccount,
  execute,
  fund,
  payee,
  platformAccount,
  quote,
  readQuote,
} from '../kit/payments.ts'
import { newWallet } from '../kit/wallets/signing-wallets.ts'

const kit = await startKit()
/** R: regulated, sandbox, USD, EUR, MXN, USDC, BTC. */
const platform = await kit.platform()
const { api } = platform
const receiver = await openReceiver()
await connect(platform, receiver)
/** C: an individual customer on it. */
const customerId = await newCustomer(api)

const JANE = { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Doe' }
const ADDRESS = { line1: '1 Main Street', city: 'Springfield', postalCode: '12345', country: 'US' }
const STATUS_UPDATED = 'EXTERNAL_ACCOUNT.STATUS_UPDATED'

const usd = (changes: object = {}) => ({
  currency: 'USD',
  accountInfo: {
    accountType: 'USD_ACCOUNT',
    accountNumber: '123456789',
    routingNumber: '021000021',
    beneficiary: { ...JANE, address: ADDRESS },
    ...changes,
  },
})

/** The statuses of this account that the receiver was told, in order. */
const emitted = (account: HasId): unknown[] =>
  receiver
    .ofType(STATUS_UPDATED)
    .map(({ event }) => event.data)
    .filter(({ id }) => id === account.id)
    .map(({ status }) => status)

test('scenario 5: a bank account, its twin, and the same for another customer', async () => {
  const account = await newAccount(api, { customerId, ...usd() })
  assert.equal(account.status, 'ACTIVE')
  assert.equal(account.beneficiaryVerificationStatus, 'MATCHED')
  const rails = items(account.accountInfo.paymentRails)
  assert.deepEqual(rails, ['ACH', 'WIRE', 'RTP', 'FEDNOW'])
  const twin = expectError(await api.post(CUSTOMERS, { customerId, ...usd() }), 409, 'CONFLICT')
  assert.equal(twin['externalAccountId'], account.id)
  const other = await newCustomer(api)
  await newAccount(api, { customerId: other, ...usd() })
})

test('scenario 6: a routing number that no bank has is a warning here, a refusal in production', async () => {
  const body = usd({ routingNumber: '123456789' })
  const warned = await api.post(CUSTOMERS, { customerId, ...body })
  expectStatus(warned, 201)
  assert.equal(warned.headers.get('validation-warnings'), 'accountInfo.routingNumber')
  const production = await kit.platform({ environment: 'PRODUCTION' })
  const [error] = expectFields(await production.api.post(CUSTOMERS, body), [
    'accountInfo.routingNumber',
  ])
  assert.equal(error?.['constraint']?.['format'], 'aba-routing-number')
})

test('scenario 7: an IBAN as people write it', async () => {
  const eur = (beneficiary: object) => ({
    customerId,
    currency: 'EUR',
    accountInfo: { accountType: 'EUR_ACCOUNT', iban: 'de89 3704 0044 0532 0130 00', beneficiary },
  })
  expectFields(await api.post(CUSTOMERS, eur(JANE)), ['accountInfo.beneficiary.countryOfResidence'])
  const account = await newAccount(api, eur({ ...JANE, countryOfResidence: 'DE' }))
  assert.equal(account.accountInfo.iban, 'DE89370400440532013000')
})

test('scenario 8: the last three digits decide the name check', async () => {
  const statuses = {
    102: 'NOT_MATCHED',
    103: 'PARTIAL_MATCH',
    104: 'PENDING',
    106: 'UNSUPPORTED',
    107: 'CHECKED_BY_RECEIVING_FI',
  }
  for (const [suffix, status] of Object.entries(statuses)) {
    const account = await newAccount(api, {
      customerId,
      ...usd({ accountNumber: `5555${suffix}` }),
    })
    assert.equal(account.beneficiaryVerificationStatus, status)
  }
  const invalid = { customerId, ...usd({ accountNumber: '5555105' }) }
  expectError(await api.post(CUSTOMERS, invalid), 400, 'INVALID_BANK_ACCOUNT')
})

test('scenario 9: an Indian account by UPI, not half by bank', async () => {
  const inr = (fields: object) => ({
    customerId,
    currency: 'INR',
    accountInfo: { accountType: 'INR_ACCOUNT', beneficiary: JANE, ...fields },
  })
  const vpa = 'asha@okbank'
  expectError(await api.post(CUSTOMERS, inr({ vpa, ifsc: 'HDFC0001234' })), 400, 'INVALID_INPUT')
  const account = await newAccount(api, inr({ vpa }))
  assert.deepEqual(account.accountInfo.paymentRails, ['UPI'])
})

test('scenario 10: a Spark wallet holds BTC or USDB, and has no name to check', async () => {
  const spark = (currency: string) => ({
    customerId,
    currency,
    accountInfo: {
      accountType: 'SPARK_WALLET',
      address: 'spark1pgss9z2gpzrnhztwy8ffs44x67angma38sqewwddhxlsk65t0c5d5576quly2j',
    },
  })
  const [error] = expectFields(await api.post(CUSTOMERS, spark('USDC')), ['currency'])
  assert.deepEqual(error?.['constraint']?.['enum'], ['BTC', 'USDB'])
  const account = await newAccount(api, spark('BTC'))
  assert.equal(account.beneficiaryVerificationStatus, undefined)
})

test('scenario 11: a Solana address is 32 bytes of base58', async () => {
  const solana = (address: string) => ({
    customerId,
    currency: 'USDC',
    accountInfo: { accountType: 'SOLANA_WALLET', address },
  })
  const [error] = expectFields(
    await api.post(CUSTOMERS, solana('0OIlEPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwy')),
    ['accountInfo.address'],
  )
  assert.equal(error?.['constraint']?.['format'], 'solana-address')
  await newAccount(api, solana(newWallet().address))
})

test('scenario 12: of two default accounts only the second keeps the flag', async () => {
  const defaultUmaDepositAccount = true
  const add = (accountNumber: string) =>
    newAccount(api, { customerId, ...usd({ accountNumber }), defaultUmaDepositAccount })
  const [first, second] = [await add('1200001'), await add('1200008')]
  const flag = async ({ id }: HasId) =>
    expectStatus(await api.get(`${CUSTOMERS}/${id}`), 200).defaultUmaDepositAccount
  assert.equal(await flag(first), false)
  assert.equal(await flag(second), true)
})

test('scenario 13: a deleted customer is gone and can be created again under another id', async () => {
  const body = { customerId, ...usd({ accountNumber: '1300001' }) }
  const account = await newAccount(api, body)
  const path = `${CUSTOMERS}/${account.id}` as const
  expectStatus(await api.delete(path), 204)
  expectError(await api.get(path), 404, 'REFERENCE_NOT_FOUND')
  expectError(await api.delete(path), 404, 'REFERENCE_NOT_FOUND')
  assert.notEqual((await newAccount(api, body)).id, account.id)
})

test('scenario 14: an EEA customer proves a wallet, and the platform hears of it', async () => {
  const eea = await newCustomer(api, { region: 'DE' })
  const { wallet, account, path } = await newOwnWallet(api, eea)
  assert.equal(account.status, 'PENDING_OWNERSHIP_VERIFICATION')
  const challenge = { method: 'WALLET_SIGNATURE' }
  const { messageToSign } = expectStatus(await api.post(`${path}/challenge`, challenge), 201)
  const signature = wallet.sign(text(messageToSign))
  const proven = expectStatus(await api.post(`${path}/verify`, { signature }), 200)
  assert.equal(proven['status'], 'ACTIVE')
  await eventually(() => assert.deepEqual(emitted(account), ['ACTIVE']))
  expectError(await api.post(`${path}/challenge`, challenge), 409, 'CONFLICT')
})

test('scenario 15: a wrong signature, another try, and a right one too late', async () => {
  const eea = await newCustomer(api, { region: 'DE' })
  const { wallet, account, path } = await newOwnWallet(api, eea)
  const challenge = () => api.post(`${path}/challenge`, { method: 'WALLET_SIGNATURE' })
  const verify = (signature: string) => api.post(`${path}/verify`, { signature })
  const status = async () => expectStatus(await api.get(path), 200)['status']

  const first = text(expectStatus(await challenge(), 201)['messageToSign'])
  expectFields(await verify(newWallet().sign(first)), ['signature'])
  assert.equal(await status(), 'UNVERIFIED')
  expectError(await verify(wallet.sign(first)), 409, 'CONFLICT')
  const second = text(expectStatus(await challenge(), 201)['messageToSign'])
  assert.equal(await status(), 'PENDING_OWNERSHIP_VERIFICATION')
  await advance(platform, 601)
  expectFields(await verify(wallet.sign(second)), ['signature'])
  await eventually(() =>
    assert.deepEqual(emitted(account), [
      'UNVERIFIED',
      'PENDING_OWNERSHIP_VERIFICATION',
      'UNVERIFIED',
    ]),
  )
})

test('scenario 16: to another platform none of this exists', async () => {
  const other = await kit.platform()
  const eea = await newCustomer(api, { region: 'DE' })
  const { path } = await newOwnWallet(api, eea)
  for (const answer of [
    await other.api.get(path),
    await other.api.delete(path),
    await other.api.post(`${path}/challenge`, { method: 'LIVENESS' }),
  ]) {
    expectError(answer, 404, 'REFERENCE_NOT_FOUND')
  }
  const query = { customerId: eea }
  const internal = expectStatus(await api.get('/customers/internal-accounts', { query }), 200)
  const [account] = internal.data
  const fund = await other.api.post(`/sandbox/internal-accounts/${account?.id}/fund`, {
    amount: 1,
  })
  expectError(fund, 404, 'REFERENCE_NOT_FOUND')
  expectError(await other.api.get(CUSTOMERS, { query }), 404, 'USER_NOT_FOUND')
})

test('scenario 18: the directory of the Philippines', async () => {
  const discover = (query: Record<string, string>) => api.get('/discoveries', { query })
  const { data } = expectStatus(await discover({ country: 'PH', currency: 'PHP' }), 200)
  assert.ok(data.some(({ bankName }) => bankName === 'BDO Unibank'))
  expectFields(await discover({ country: 'ph' }), ['country'])
  const none = expectStatus(await discover({ country: 'CH', currency: 'PHP' }), 200)
  assert.deepEqual(none.data, [])
})

test('scenario 19: the balance of a rejected customer is returned to its platform', async () => {
  const rejected = await newCustomer(api, { fullName: 'Rea Jected 002' })
  const account = await customerAccount(platform, rejected, 'USD')
  const own = await platformAccount(platform, 'USD')
  await fund(platform, account, 5_000)
  const to = await payee(platform, 'USD_ACCOUNT')
  expectError(await quote(platform, { from: account, to, amount: 100 }), 403, 'USER_NOT_READY')
  const listed = items(await operate(kit, `accounts returnable --platform ${platform.platformId}`))
  assert.deepEqual(
    listed.map(({ accountId, cause }) => [text(accountId), text(cause)]),
    [[account, 'REJECTED']],
  )
  const balance = await balanceOf(platform, own)
  const line = `accounts return ${account} --reason offboarded`
  assert.equal((await operate(kit, line))['amount'], 5_000)
  assert.equal(await balanceOf(platform, own), balance + 5_000)
  assert.equal(await balanceOf(platform, account), 0)
  await eventually(() => {
    const balances = receiver.ofType('INTERNAL_ACCOUNT.BALANCE_UPDATED')
    const ids = balances.map(({ event: { data } }) => text(data['id']))
    const expected = [account, account, own].toSorted()
    assert.deepEqual(ids.toSorted(), expected, 'the funding, and both ends of the return')
  })
  await assert.rejects(operate(kit, line), {
    code: 'CONFLICT',
    details: { reason: 'NOTHING_TO_RETURN' },
  })
  assert.equal((await operate(kit, 'ledger check'))['ok'], true)
  expectStatus(await api.delete(`/customers/${rejected}`), 200)
})

test('scenario 20: a Spark address that ends in 102 is accepted and paid', async () => {
  const account = await platformAccount(platform, 'USD')
  await fund(platform, account, 1_000)
  for (const suffix of ['102', '105']) {
    const to = await payee(platform, 'SPARK_WALLET', { suffix, customerId })
    const quoted = expectStatus(await quote(platform, { from: account, to, amount: 100 }), 201)
    expectStatus(await execute(platform, quoted), 200)
    assert.equal((await readQuote(platform, quoted)).status, 'COMPLETED')
  }
})
