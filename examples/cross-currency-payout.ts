/** Exactly 1,000.00 MXN to a bank in Mexico, whatever that costs in USD: the price is locked before it is paid. */
import { FlorinError, formatAmount, type Quote } from '@florin/sdk'
import { connect } from './connect.ts'

const { florin } = await connect()

const customer = await florin.customers.create({
  customerType: 'INDIVIDUAL',
  fullName: 'Ana Perez',
})
const [account] = await florin.customers.internalAccounts
  .list({ customerId: customer.id, currency: 'USD' })
  .toArray()
if (account === undefined) throw new Error('the customer has no account in USD')
await florin.sandbox.fund(account.id, { amount: 20_000 })

const bank = await florin.customers.externalAccounts.create({
  customerId: customer.id,
  currency: 'MXN',
  accountInfo: {
    accountType: 'MXN_ACCOUNT',
    clabeNumber: '032180000118359719',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Doe' },
  },
})

const askForPrice = (): Promise<Quote> =>
  florin.quotes.create({
    source: { sourceType: 'ACCOUNT', accountId: account.id },
    destination: { destinationType: 'ACCOUNT', accountId: bank.id },
    lockedCurrencySide: 'RECEIVING',
    lockedCurrencyAmount: 100_000,
  })

let quote = await askForPrice()
console.log('arrives', formatAmount(quote.totalReceivingAmount, quote.receivingCurrency))
console.log('costs  ', formatAmount(quote.totalSendingAmount, quote.sendingCurrency))
console.log('of that', formatAmount(quote.feesIncluded, quote.sendingCurrency), 'are fees')

// The customer thinks it over for too long: a price holds for some minutes, and the sandbox clock lets them pass.
const holdsSeconds = (Date.parse(quote.expiresAt) - Date.parse(quote.createdAt)) / 1_000
await florin.sandbox.clock.advance({ advanceSeconds: holdsSeconds })
try {
  await florin.quotes.execute(quote.id)
} catch (error) {
  if (!(error instanceof FlorinError) || error.code !== 'QUOTE_EXPIRED') throw error
  console.log('too late: asking for a new price')
  quote = await askForPrice()
}

await florin.quotes.execute(quote.id, undefined, { idempotencyKey: `pay-${quote.id}` })
const { status } = await florin.quotes.get(quote.id)
console.log('status ', status)
