/** A card is issued, used, used beyond its limit, and frozen. The sandbox plays issuer and merchant. */
import { setTimeout as delay } from 'node:timers/promises'
import { formatAmount, type Card, type CardTransaction } from '@florin/sdk'
import { connect } from './connect.ts'

const { florin } = await connect()

const customer = await florin.customers.create({
  customerType: 'INDIVIDUAL',
  fullName: 'Mira Example',
})
const accountOf = async () => {
  const { data } = await florin.customers.internalAccounts.list({
    customerId: customer.id,
    currency: 'USD',
  })
  const [account] = data
  if (account === undefined) throw new Error('the customer has no account in USD')
  return account
}
const account = await accountOf()
await florin.sandbox.fund(account.id, { amount: 50_000 })

const { id: cardId } = await florin.cards.create({
  customerId: customer.id,
  form: 'VIRTUAL',
  fundingSource: account.id,
  maxSpendPerTransaction: 20_000,
})
/** The issuer takes a moment; a webhook tells when it is done (CARD.STATE_CHANGE). */
async function issuedCard(): Promise<Card> {
  for (;;) {
    const card = await florin.cards.get(cardId)
    if (card.state !== 'PROCESSING') return card
    await delay(200)
  }
}
const card = await issuedCard()
console.log('card     ', card.state, card.last4 ?? '')

const buy = (amount: number, descriptor: string): Promise<CardTransaction> =>
  florin.sandbox.cards.authorize(cardId, {
    amount,
    currency: { code: 'USD' },
    merchant: { descriptor, mcc: '5814', country: 'US' },
  })
const show = ({ status, authorizedAmount, merchant, declineReason }: CardTransaction): void => {
  const { amount, currency } = authorizedAmount
  const outcome = declineReason === undefined ? status : `${status} ${declineReason}`
  console.log(merchant.descriptor, formatAmount(amount, currency), outcome)
}

const coffee = await buy(1_250, 'BLUE DOOR COFFEE')
show(coffee)
// With the tip it is a little more than was authorized.
const cleared = await florin.sandbox.cards.clear(cardId, {
  cardTransactionId: coffee.id,
  amount: 1_500,
})
console.log('cleared  ', cleared.status)
show(await buy(20_001, 'GOLD AND SONS'))
await florin.cards.update(cardId, { state: 'FROZEN' })
show(await buy(500, 'BLUE DOOR COFFEE'))

const { balance } = await accountOf()
console.log('balance  ', formatAmount(balance.amount, balance.currency))
