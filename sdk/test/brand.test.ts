/** The client against an installation of another brand: its types hold there, too. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, openReceiver } from '../../server/test/kit/outside/connect-receiver.ts'
import { emitEvent } from '../../server/test/kit/outside/emit-event.ts'
import { eventually } from '../../server/test/kit/eventually.ts'
import { startOwnKit } from '../../server/test/kit/florin.ts'
import { fund, payee, platformAccount } from '../../server/test/kit/payments.ts'
import { newStablecoin } from '../../server/test/kit/stablecoins.ts'
import { createFlorin, verifyWebhook } from '../src/index.ts'

const kit = await startOwnKit({ WIRE_BRAND: 'AcmePay' })
const platform = await kit.platform()
const { clientId, clientSecret, api } = platform
const options = { baseUrl: kit.baseUrl, clientId, clientSecret }
const florin = createFlorin({ ...options, wireBrand: 'AcmePay' })

test('CORE-11 answers of another brand are read in the words of the types', async () => {
  const from = await platformAccount(platform, 'USD')
  await fund(platform, from, 10_000)
  const quote = await florin.quotes.create({
    source: { sourceType: 'ACCOUNT', accountId: from },
    destination: { destinationType: 'ACCOUNT', accountId: await payee(platform, 'EUR_ACCOUNT') },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 1000,
  })
  assert.equal(typeof quote.rateDetails?.serviceApiFixedFee, 'number')
  assert.equal(typeof quote.rateDetails?.serviceApiVariableFeeAmount, 'number')
})

test('CORE-11 a filter in the words of the types is taken by any brand', async () => {
  const { id } = await newStablecoin(api)
  const query = { serviceOperationsStatus: 'NOT_ENABLED' } as const
  const [coin] = await Array.fromAsync(florin.stablecoins.list(query))
  assert.equal(coin?.id, id)
  assert.equal(coin.serviceOperationsStatus, 'NOT_ENABLED')
})

test('CORE-11 HOOK-2 an event of another brand verifies, and is read in the words of the types', async () => {
  const receiver = await openReceiver()
  await connect(platform, receiver)
  const data = { id: 'Card:1', stateReason: 'CLOSED_BY_SERVICE' }
  await emitEvent(kit, platform, { data })
  const { raw: payload, headers } = await eventually(() => {
    const [found] = receiver.ofType('CARD.STATE_CHANGE')
    assert.ok(found)
    return found
  })
  assert.match(payload.toString(), /CLOSED_BY_ACMEPAY/)
  const publicKey = platform.webhookPublicKey
  for (const brand of [{ wireBrand: 'AcmePay' }, { headerBrand: 'AcmePay' }]) {
    const event = await verifyWebhook({ payload, headers, publicKey, ...brand })
    assert.deepEqual(event.data, data)
  }
})
