/** Pays a UMA address in the currency its owner prefers, and is paid at one. */
import { formatAmount } from '@florin/sdk'
import { connect } from './connect.ts'

const { florin } = await connect()
const RECEIVER = '$success.eur@sandbox.uma.test'

const customer = await florin.customers.create({
  customerType: 'INDIVIDUAL',
  fullName: 'Ada Example',
})
console.log('own address', customer.umaAddress.replace(/^\$[^@]+/, '$…'))
const [account] = await florin.customers.internalAccounts
  .list({ customerId: customer.id, currency: 'USD' })
  .toArray()
if (account === undefined) throw new Error('the customer has no account in USD')
await florin.sandbox.fund(account.id, { amount: 50_000 })

const lookup = await florin.receivers.lookupUma(RECEIVER, { customerId: customer.id })
const [preferred] = lookup.supportedCurrencies
console.log(RECEIVER, 'prefers', preferred?.currency.code)

const quote = await florin.quotes.create({
  lookupId: lookup.lookupId,
  source: { sourceType: 'ACCOUNT', accountId: account.id, customerId: customer.id },
  destination: { destinationType: 'UMA_ADDRESS', umaAddress: RECEIVER },
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: 10_000,
})
await florin.quotes.execute(quote.id)
const { status } = await florin.quotes.get(quote.id)
console.log('sent       ', formatAmount(quote.totalSendingAmount, quote.sendingCurrency), status)
console.log('received   ', formatAmount(quote.totalReceivingAmount, quote.receivingCurrency))

// The other way round; without a webhook endpoint the sandbox takes silence for approval.
const incoming = await florin.sandbox.receiveUma({
  senderUmaAddress: '$success.usd@sandbox.uma.test',
  customerId: customer.id,
  receivingCurrencyCode: 'USD',
  receivingCurrencyAmount: 5_000,
})
const arrived = await florin.transactions.get(incoming.id)
console.log('was paid   ', arrived.status)
if ('failureReason' in arrived) {
  // A platform with a webhook endpoint is asked there, and one that does not answer fails the payment.
  console.log('because of ', arrived.failureReason)
}
