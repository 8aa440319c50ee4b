/**
 * A marketplace onboards two sellers and pays the one who is verified. In the sandbox a name decides how a verification
 * ends: one that ends in 001 stays under review. What happens is heard by webhook, and every webhook is verified.
 */
import { FlorinError, formatAmount, type WebhookEvent } from '@florin/sdk'
import { connect } from './connect.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'

const { florin, webhookPublicKey } = await connect()
const receiver = await startWebhookReceiver(webhookPublicKey)
const { webhookEndpoint: before = null } = await florin.config.get()
await florin.config.update({ webhookEndpoint: receiver.url })

async function onboard(fullName: string): Promise<string> {
  const seller = await florin.customers.create({
    customerType: 'INDIVIDUAL',
    fullName,
    email: 'seller@example.com',
  })
  const isAboutSeller = ({ type, data }: WebhookEvent): boolean =>
    type.startsWith('CUSTOMER.') && 'id' in data && data.id === seller.id
  const { type } = await receiver.heard(isAboutSeller)
  console.log(`${fullName}: ${type}`)
  return seller.id
}

/** The seller's account with us is filled by what was sold; here the sandbox fills it. */
async function payOut(customerId: string): Promise<void> {
  const [account] = await florin.customers.internalAccounts
    .list({ customerId, currency: 'USD' })
    .toArray()
  if (account === undefined) throw new Error('the seller has no account in USD')
  await florin.sandbox.fund(account.id, { amount: 25_000 })
  const bank = await florin.customers.externalAccounts.create({
    customerId,
    currency: 'USD',
    accountInfo: {
      accountType: 'USD_ACCOUNT',
      accountNumber: '123456789',
      routingNumber: '021000021',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Doe' },
    },
  })
  const quote = await florin.quotes.create({
    source: { sourceType: 'ACCOUNT', accountId: account.id },
    destination: { destinationType: 'ACCOUNT', accountId: bank.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 25_000,
    immediatelyExecute: true,
  })
  const event = await receiver.heard(
    ({ type, data }) =>
      type === 'OUTGOING_PAYMENT.COMPLETED' && 'id' in data && data.id === quote.transactionId,
  )
  const { totalReceivingAmount, receivingCurrency } = quote
  console.log(`${event.type}: ${formatAmount(totalReceivingAmount, receivingCurrency)}`)
}

try {
  const verified = await onboard('Jane Doe')
  const waiting = await onboard('Otto Example 001')
  await payOut(verified)
  await payOut(waiting).catch((error: unknown) => {
    if (!(error instanceof FlorinError)) throw error
    console.log(`no payout for the other one: ${error.code}`)
  })
} finally {
  await florin.config.update({ webhookEndpoint: before })
  receiver.stop()
}
