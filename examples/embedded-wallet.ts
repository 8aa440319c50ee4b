/**
 * A wallet that only its owner can spend from. Here one program plays both sides; in an app `device` is the phone, which
 * holds the key and never the client secret, and the rest is your server.
 */
import { formatAmount } from '@florin/sdk'
import { createDeviceKey, sealOtp, stampWith } from '@florin/sdk/wallet'
import { connect } from './connect.ts'

const { florin } = await connect()

// Customers have a wallet as soon as the platform offers USDB.
const { supportedCurrencies } = await florin.config.get()
const [first] = supportedCurrencies
if (first && !supportedCurrencies.some(({ currencyCode }) => currencyCode === 'USDB')) {
  const offered = [...supportedCurrencies, { ...first, currencyCode: 'USDB' }]
  await florin.config.update({ supportedCurrencies: offered })
}
const customer = await florin.customers.create({
  customerType: 'INDIVIDUAL',
  fullName: 'Mira Example',
  email: `mira+${crypto.randomUUID().slice(0, 8)}@example.com`,
})
const [wallet] = await florin.customers.internalAccounts
  .list({ customerId: customer.id, type: 'EMBEDDED_WALLET' })
  .toArray()
if (wallet === undefined) throw new Error('the customer has no wallet')
await florin.sandbox.fund(wallet.id, { amount: 50_000_000 })
console.log('wallet   ', wallet.id)

// The owner logs in with the code that came by e-mail; in the sandbox it is always the same.
const device = await createDeviceKey()
const [credential] = await florin.auth.credentials.list({ accountId: wallet.id }).toArray()
if (credential === undefined) throw new Error('the wallet has no credential')
const challenge = await florin.auth.credentials.challenge(credential.id)
const { publicKey: signerPublicKey } = await florin.auth.getWalletSigner()
const sealed = await sealOtp({ code: '000000', challenge, key: device, signerPublicKey })
const session = await florin.auth.credentials.verify(
  credential.id,
  { type: 'EMAIL_OTP', encryptedOtpBundle: sealed },
  { sign: stampWith(device) },
)
console.log('logged in', `with ${session.type}`)

const payee = await florin.customers.externalAccounts.create({
  customerId: customer.id,
  currency: 'USDC',
  ownershipType: 'FIRST_PARTY',
  accountInfo: {
    accountType: 'SOLANA_WALLET',
    address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  },
})
const quote = await florin.quotes.create({
  source: { sourceType: 'ACCOUNT', accountId: wallet.id },
  destination: { destinationType: 'ACCOUNT', accountId: payee.id },
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: 10_000_000,
})

// The platform alone cannot do this: the call is repeated with what the owner's device signed.
await florin.quotes.execute(quote.id, undefined, {
  sign(payloadToSign) {
    const { parameters } = JSON.parse(payloadToSign) as { parameters: Record<string, string> }
    console.log('signing  ', `${parameters['totalSendingAmount']} ${parameters['sendingCurrency']}`)
    return stampWith(device)(payloadToSign)
  },
})
const { status } = await florin.quotes.get(quote.id)
console.log('paid     ', formatAmount(quote.totalSendingAmount, quote.sendingCurrency), status)
