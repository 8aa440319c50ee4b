/** CORE-11: an installation of another brand, as its clients see it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  type Answer,
  type Body,
} from '../kit/api.ts'
import { cardActions, newCard } from '../kit/cards.ts'
import { connect, openReceiver } from '../kit/outside/connect-receiver.ts'
import { createCustomer, listEvents } from '../kit/customers.ts'
import { pdf } from '../kit/onboarding/document-files.ts'
import { uploadDocument } from '../kit/onboarding/documents.ts'
import { eventually } from '../kit/eventually.ts'
import { startOwnKit } from '../kit/florin.ts'
import { execute, fund, payee, platformAccount, readTransaction } from '../kit/payments.ts'
import { burnBody, burnsOf, COINS, mintBody, mintsOf, newBankAccount } from '../kit/stablecoins.ts'
import { newSparkWallet, newStablecoin, postKeyed } from '../kit/stablecoins.ts'
import { logIn, newWallet, signedBy } from '../kit/wallets/wallets.ts'

const kit = await startOwnKit({ WIRE_BRAND: 'Acme' })

const BRANDED_FEES = [
  ...['acmeApiMultiplier', 'acmeApiFixedFee'],
  ...['acmeApiVariableFeeRate', 'acmeApiVariableFeeAmount'],
]

const keysOf = (details: object | undefined): string[] => Object.keys(details ?? {})

test('CORE-11 CORE-41 HOOK-5 rate details carry the brand in answers, replays, webhooks and events', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  const from = await platformAccount(platform, 'USD')
  await fund(platform, from, 100_000)
  const to = await payee(platform, 'EUR_ACCOUNT')
  const body = {
    source: { sourceType: 'ACCOUNT', accountId: from },
    destination: { destinationType: 'ACCOUNT', accountId: to },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000,
  }
  const headers = { 'idempotency-key': 'branded' }
  const first = await platform.api.post('/quotes', body, { headers })
  const again = await platform.api.post('/quotes', body, { headers })
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(again.text, first.text)
  const quoted = expectStatus(first, 201)
  const isBranded = (details: object | undefined) => {
    for (const name of BRANDED_FEES) assert.ok(keysOf(details).includes(name), name)
    assert.ok(!keysOf(details).some((name) => name.startsWith('service')))
  }
  isBranded(quoted.rateDetails)
  expectStatus(await execute(platform, quoted), 200)
  isBranded((await readTransaction(platform, quoted.transactionId)).rateDetails)
  await eventually(() => assert.ok(receiver.ofType('OUTGOING_PAYMENT.COMPLETED').length > 0))
  const [sent] = receiver.ofType('OUTGOING_PAYMENT.COMPLETED')
  isBranded((sent?.event.data as Body)['rateDetails'])
  const [listed] = await listEvents(platform, 'OUTGOING_PAYMENT.COMPLETED')
  isBranded(listed?.data.rateDetails)
  assert.deepEqual(listed?.data, sent?.event.data)
})

test('CORE-11 the status of a stablecoin is a field and a filter of either spelling', async () => {
  const { api } = await kit.platform()
  const coin = { ...(await newStablecoin(api)) } as Record<string, unknown>
  assert.equal(coin['acmeOperationsStatus'], 'NOT_ENABLED')
  assert.equal(coin['serviceOperationsStatus'], undefined)
  const found = async (query: Record<string, string>) =>
    expectStatus(await api.get(COINS, { query }), 200).data.length
  for (const name of ['acmeOperationsStatus', 'serviceOperationsStatus']) {
    assert.equal(await found({ [name]: 'NOT_ENABLED' }), 1)
    assert.equal(await found({ [name]: 'ENABLED' }), 0)
  }
  const same = { acmeOperationsStatus: 'NOT_ENABLED', serviceOperationsStatus: 'NOT_ENABLED' }
  assert.equal(await found(same), 1)
  const query = { ...same, serviceOperationsStatus: 'ENABLED' }
  expectFields(await api.get(COINS, { query }), ['acmeOperationsStatus'])
  expectFields(await api.get(COINS, { query: { serviceOperationsStatus: 'x' } }), [
    'acmeOperationsStatus',
  ])
})

test('CORE-11 CORE-13 a mistyped filter of either spelling is answered in the brand', async () => {
  const { api } = await kit.platform()
  for (const sent of ['acmeOperationStatus', 'serviceOperationStatus']) {
    const answer = await api.get(COINS, { query: { [sent]: 'ENABLED' } })
    expectFields(answer, [sent])
    const { suggestions } = expectError(answer, 400, 'INVALID_INPUT')
    assert.deepEqual(suggestions, { [sent]: 'acmeOperationsStatus' })
    assert.doesNotMatch(answer.text, /serviceOperationsStatus/)
  }
})

test('CORE-11 STBL-11 STBL-14 a source of either spelling is the same source', async () => {
  const { api } = await kit.platform()
  const coin = await newStablecoin(api)
  const [wallet, bank] = [await newSparkWallet(api), await newBankAccount(api)]
  const mint = (type: string) =>
    postKeyed(api, mintsOf(coin), mintBody(wallet, { fundingSource: { type } }))
  const burn = (type: string) => postKeyed(api, burnsOf(coin), burnBody(bank, { source: { type } }))
  const answers: Answer[] = []
  for (const type of ['ACME_INTERNAL_ACCOUNT', 'SERVICE_INTERNAL_ACCOUNT']) {
    const [minted, burnt] = [await mint(type), await burn(type)]
    expectFields(minted, ['fundingSource.type'])
    expectFields(burnt, ['source.type'])
    answers.push(minted, burnt)
  }
  const [minted, burnt, ...others] = answers.map(({ text: shown }) => shown)
  assert.deepEqual(others, [minted, burnt])
  assert.match(minted ?? '', /ACME_INTERNAL_ACCOUNT is reserved/)
})

test('CORE-11 a card is closed by the brand, in the answer, the webhook and the list', async () => {
  const platform = await kit.platform({ currencies: ['USD'] })
  const receiver = await openReceiver()
  await connect(platform, receiver)
  const { id, customerId } = await newCard(platform, { funds: 0 })
  expectStatus(await platform.api.delete(`/customers/${customerId}`), 200)
  assert.equal((await cardActions(platform, id).read()).stateReason, 'CLOSED_BY_ACME')
  await eventually(() => {
    const last = receiver.ofType('CARD.STATE_CHANGE').at(-1)?.event
    assert.equal(last?.data['stateReason'], 'CLOSED_BY_ACME')
  })
  const [event] = await listEvents(platform, 'CARD.STATE_CHANGE')
  assert.equal(event?.data.stateReason, 'CLOSED_BY_ACME')
})

test('CORE-11 instructions for dollars say USD_ACCOUNT; external accounts take both names', async () => {
  const platform = await kit.platform()
  const account = await platformAccount(platform, 'USD')
  const accounts = expectStatus(await platform.api.get('/platform/internal-accounts'), 200)
  const own = accounts.data.find((one) => one.id === account)
  const types = items(own?.fundingPaymentInstructions).map(
    (entry) => entry.accountOrWalletInfo.accountType,
  )
  assert.ok(types.includes('USD_ACCOUNT'))
  assert.ok(!types.includes('US_ACCOUNT'))
})

test('CORE-11 SIGN-2 a signature is taken from a header of either spelling, and not from two that differ', async () => {
  const wallet = await newWallet(kit)
  const { device } = await logIn(wallet)
  const call = (headers: Record<string, string> = {}) =>
    wallet.api.patch(
      `/internal-accounts/${wallet.accountId}`,
      { privateEnabled: true },
      { headers },
    )
  const challenge = expectStatus(await call(), 202)
  const { 'Service-Wallet-Signature': stamp = '', ...requestId } = await signedBy(device, challenge)
  const twice = { 'Service-Wallet-Signature': 'x', 'Acme-Wallet-Signature': stamp, ...requestId }
  expectFields(await call(twice), ['Acme-Wallet-Signature'])
  const changed = await call({ 'Acme-Wallet-Signature': stamp, ...requestId })
  assert.equal(expectStatus(changed, 200).privateEnabled, true)
  const missing = await call({ ...requestId })
  assert.doesNotMatch(missing.text, /Service-Wallet-Signature/)
})

test('CORE-11 what a platform calls its own is nobody’s brand', async () => {
  const platform = await kit.platform()
  const own = { fullName: 'SERVICE_INTERNAL_ACCOUNT', platformCustomerId: 'CLOSED_BY_SERVICE' }
  const customer = await createCustomer(platform, own)
  assert.deepEqual([customer.fullName, customer.platformCustomerId], Object.values(own))
})

test('CORE-11 CORE-8 an upload passes, and ignored fields are named in the brand', async () => {
  const platform = await kit.platform()
  const { id } = await createCustomer(platform)
  await uploadDocument(platform, { documentHolder: id }, pdf())
  const answer = await platform.api.post('/customers', {
    customerType: 'INDIVIDUAL',
    acmeApiFixedFee: 1,
  })
  expectStatus(answer, 201)
  assert.equal(answer.headers.get('ignored-fields'), 'acmeApiFixedFee')
})
