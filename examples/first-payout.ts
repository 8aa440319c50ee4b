/** A reward: 5.00 USD from the platform's own account, as USDC into a person's Solana wallet. */
import { FlorinError, formatAmount } from '@florin/sdk'
import { connect } from './connect.ts'

const { florin } = await connect()

const [account] = await florin.platform.internalAccounts.list({ currency: 'USD' }).toArray()
if (account === undefined) throw new Error('the platform has no account in USD')
await florin.sandbox.fund(account.id, { amount: 200_000 })
console.log('account   ', account.id)

/** The same wallet cannot be added twice; the refusal names the one that is there. */
async function walletOf(address: string): Promise<string> {
  try {
    const { id } = await florin.platform.externalAccounts.create({
      currency: 'USDC',
      accountInfo: { accountType: 'SOLANA_WALLET', address },
    })
    return id
  } catch (error) {
    const known = error instanceof FlorinError && error.details['externalAccountId']
    if (typeof known === 'string') return known
    throw error
  }
}
const wallet = await walletOf('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
console.log('wallet    ', wallet)

// The key is the name of the reward in our own books: however often this is sent, it is paid once.
const reward = `reward-${crypto.randomUUID()}`
const pay = () =>
  florin.quotes.create(
    {
      source: { sourceType: 'ACCOUNT', accountId: account.id },
      destination: { destinationType: 'ACCOUNT', accountId: wallet },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 500,
      immediatelyExecute: true,
      description: 'Thank you for your review',
    },
    { idempotencyKey: reward },
  )
const quote = await pay()
console.log('sent      ', formatAmount(quote.totalSendingAmount, quote.sendingCurrency))
console.log('received  ', formatAmount(quote.totalReceivingAmount, quote.receivingCurrency))

const again = await pay()
console.log('paid twice', again.id === quote.id ? 'no' : 'yes')

const { status } = await florin.transactions.get(quote.transactionId)
console.log('status    ', status)
