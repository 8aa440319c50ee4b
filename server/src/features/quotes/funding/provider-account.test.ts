import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, items, text } from '../../../../test/kit/api.ts'
import { createCustomer } from '../../../../test/kit/customers.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { payee, readTransaction } from '../../../../test/kit/payments.ts'
import { depositSetup, dollars } from '../../../../test/kit/setups/deposit-provider.ts'

const kit = await startOwnKit()

async function askForQuote({ api }: TestPlatform, customerId: string, accountId: string) {
  return api.post('/quotes', {
    source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId },
    destination: { destinationType: 'ACCOUNT', accountId },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000,
  })
}

test('PROV-81 QUOTE-18 a quote is funded over the account at the provider of deposits, under its own reference', async () => {
  const { platform, customerId, number, reference: ofAccount, send } = await depositSetup(kit)
  const to = await payee(platform, 'EUR_ACCOUNT', { customerId })
  const quote = expectStatus(await askForQuote(platform, customerId, to), 201)
  const infos = items(quote.paymentInstructions).map((one) => one.accountOrWalletInfo)
  assert.ok(infos.length > 0)
  for (const info of infos) assert.equal(text(info.accountNumber), number)
  const reference = text(infos[0]?.reference)
  assert.notEqual(reference, ofAccount)
  const came = await send(
    dollars(10_000, { rail: 'RTP', to: { accountNumber: number }, reference }),
  )
  assert.equal(text(came['depositStatus']), 'TAKEN')
  const transactionId = quote.transactionId
  assert.equal(text(came['transactionId']), transactionId)
  assert.equal((await readTransaction(platform, transactionId)).status, 'COMPLETED')
})

test('PROV-86 QUOTE-18 a quote is refused while the provider has not opened an account to fund it over', async () => {
  const { platform } = await depositSetup(kit)
  const customerId = (await createCustomer(platform, {})).id
  const to = await payee(platform, 'EUR_ACCOUNT', { customerId })
  expectError(await askForQuote(platform, customerId, to), 501, 'NOT_IMPLEMENTED')
})
