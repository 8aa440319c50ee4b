/** A program pays suppliers by itself: small sums at once, larger ones when somebody approves, the largest never. */
import { connectAgent, FlorinError, formatAmount, type AgentAction } from '@florin/sdk'
import { connect } from './connect.ts'

const { florin, baseUrl } = await connect()
const USD = { code: 'USD', decimals: 2 }

const customer = await florin.customers.create({
  customerType: 'INDIVIDUAL',
  fullName: 'Ana Perez',
})
const { agent: registered, deviceCode } = await florin.agents.create({
  name: 'Supplier payments',
  customerId: customer.id,
  policy: {
    permissions: ['VIEW_TRANSACTIONS', 'CREATE_QUOTES', 'EXECUTE_QUOTES'],
    defaultExecutionMode: 'AUTO',
    spendingLimits: { currency: 'USD', perTransactionLimit: 40_000, dailyLimit: 60_000 },
    approvalThresholds: { currency: 'USD', amount: 20_000 },
  },
})

// From here on two programs: the agent knows the device code and nothing else.
const agent = await connectAgent({ baseUrl, deviceCode: deviceCode.code })
console.log('connected as', (await agent.get()).name)

const [account] = await agent.internalAccounts.list({ currency: 'USD' }).toArray()
if (account === undefined) throw new Error('the customer has no account in USD')
await florin.sandbox.fund(account.id, { amount: 100_000 })
// Registered by the platform: a payee that an agent registers needs approval for its first 24 hours.
const supplier = await florin.customers.externalAccounts.create({
  customerId: customer.id,
  currency: 'USD',
  accountInfo: {
    accountType: 'USD_ACCOUNT',
    accountNumber: '123456789',
    routingNumber: '021000021',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Doe' },
  },
})

async function pay(amount: number): Promise<AgentAction | undefined> {
  try {
    const quote = await agent.quotes.create({
      source: { sourceType: 'ACCOUNT', accountId: account?.id ?? '' },
      destination: { destinationType: 'ACCOUNT', accountId: supplier.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: amount,
    })
    const action = await agent.quotes.execute(quote.id)
    console.log(formatAmount(amount, USD), action.status)
    return action
  } catch (error) {
    if (!(error instanceof FlorinError)) throw error
    console.log(formatAmount(amount, USD), error.code, error.details['reason'])
    return undefined
  }
}

await pay(15_000)
await pay(40_001)
await pay(25_000)

// The platform's side: somebody looks at what waits.
for await (const action of florin.agents.approvals.list({ agentId: registered.id })) {
  const { status } = await florin.agents.actions.approve(registered.id, action.id)
  console.log('approved by the platform:', status)
}
const { usage } = await agent.get()
console.log('spent today', formatAmount(usage.dailySpend, USD))
