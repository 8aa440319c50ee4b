import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../../test/kit/api.ts'
import { createCustomer } from '../../../../test/kit/customers.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { payee } from '../../../../test/kit/payments.ts'
import { railsSetup } from '../../../../test/kit/setups/rails.ts'

const kit = await startOwnKit()

test('PROV-66 IACC-6 a part that comes back to a deleted customer lands in a closed account', async () => {
  const { platform, provider, settles } = await railsSetup(kit)
  const { api } = platform
  const customerId = (await createCustomer(platform, { currencies: ['EUR'] })).id
  const accountId = await payee(platform, 'EUR_ACCOUNT')
  const asked = await api.post('/quotes', {
    source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId },
    destination: { destinationType: 'ACCOUNT', accountId },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000,
  })
  const { id: quoteId, transactionId } = expectStatus(asked, 201)
  expectStatus(await api.post('/sandbox/send', { quoteId, currencyCode: 'USD' }), 200)
  const order = await provider.orderOf(transactionId)
  await provider.report(order, 1, { state: 'SETTLED', amount: order['amount'] })
  await settles(transactionId, 'COMPLETED')
  expectStatus(await api.delete(`/customers/${customerId}`), 200)
  const back = { state: 'RETURNED', amount: { amount: 2_000, currency: 'EUR' }, returnId: 'r1' }
  assert.equal((await provider.report(order, 2, back))['result'], 'APPLIED')
  const query = { customerId, currency: 'USD' }
  const { data } = expectStatus(await api.get('/customers/internal-accounts', { query }), 200)
  assert.deepEqual(
    data.map(({ status, balance }) => [status, balance.amount]),
    [['CLOSED', 2_173]],
  )
})
