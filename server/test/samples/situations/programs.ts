/** What the operations of cards, stablecoins and agents need. */
import { expectStatus, text } from '../../kit/api.ts'
import { MERCHANT, newCard, newCardholder, type CardUnderTest } from '../../kit/cards.ts'
import type { TestPlatform } from '../../kit/florin.ts'
import { payee, payer, quoteBody } from '../../kit/payments.ts'
import { connectAgent, createAgent, policyOf } from '../../kit/setups/agents.ts'
import {
  burnBody,
  coinBody,
  linkBody,
  mintBody,
  newBankAccount,
  newLink,
  newSparkWallet,
  newStablecoin,
} from '../../kit/stablecoins.ts'
import { externalAccountBody } from '../../kit/accounts/external-account-bodies.ts'
import { nextNumber, type Prepare, type Situation } from './situation.ts'

const PURCHASE = { amount: 1_250, currency: { code: 'USD' }, merchant: MERCHANT }

/** Something that the network sends about a card on which nothing happened yet. */
const purchase: Prepare = async ({ platform }) => ({
  params: { cardId: (await newCard(platform)).id },
  body: PURCHASE,
})

/** The same about a purchase that was authorized, or cleared. */
const followUp =
  (
    until: 'authorized' | 'cleared' | 'returned',
    bodyOf: (transaction: Readonly<{ id: string }>) => object,
  ): Prepare =>
  async ({ platform }) => {
    const card: CardUnderTest = await newCard(platform)
    const bought = await card.authorize(1_250)
    if (until !== 'authorized') await card.clear(bought, 1_250)
    const about = until === 'returned' ? await card.creditReturn(bought, 1_250) : bought
    return { params: { cardId: card.id }, body: bodyOf(about) }
  }

const cardTransaction = ({ id }: Readonly<{ id: string }>) => ({
  cardTransactionId: id,
  amount: 1_250,
})

/** A connected agent of a customer with money, and somebody to pay. */
async function newAgent(platform: TestPlatform, policy: object = {}) {
  const { customerId, account } = await payer(platform)
  const to = await payee(platform, 'USD_ACCOUNT', { customerId })
  const agent = await connectAgent(platform, { customerId, policy: policyOf(policy) })
  return { agent, account, to, customerId }
}

type AgentSetup = Awaited<ReturnType<typeof newAgent>>

/** A request that the agent itself sends. */
const byAgent =
  (situationOf: (given: AgentSetup) => Situation | Promise<Situation> = () => ({})): Prepare =>
  async ({ platform }) => {
    const given = await newAgent(platform)
    return { agentToken: given.agent.token, ...(await situationOf(given)) }
  }

const transferOf = (from: string, to: string) => ({
  source: { accountId: from },
  destination: { accountId: to },
  amount: 1_000,
})

async function newAction({ agent, account, to }: AgentSetup) {
  const answer = await agent.api.post('/agents/me/transfer-out', transferOf(account, to))
  return expectStatus(answer, 201)
}

async function newAgentQuote({ agent, account, to }: AgentSetup): Promise<string> {
  const body = quoteBody({ from: account, to, amount: 1_000 })
  return expectStatus(await agent.api.post('/agents/me/quotes', body), 201).id
}

const bankAccount = (): object =>
  externalAccountBody('USD_ACCOUNT', { accountNumber: `${30_000_000 + nextNumber()}0` })

async function newAgentAccount({ agent }: AgentSetup): Promise<string> {
  return expectStatus(await agent.api.post('/agents/me/external-accounts', bankAccount()), 201).id
}

const aboutAction =
  (body?: object): Prepare =>
  async ({ platform }) => {
    const given = await newAgent(platform, { defaultExecutionMode: 'APPROVAL_REQUIRED' })
    const { id: actionId } = await newAction(given)
    return { params: { agentId: given.agent.id, actionId }, ...(body && { body }) }
  }

export const PROGRAMS: Readonly<Record<string, Prepare>> = {
  createCard: async ({ platform }) => {
    const { customerId, accounts } = await newCardholder(platform)
    return { body: { customerId, form: 'VIRTUAL', fundingSource: accounts['USD'] } }
  },
  sandboxSimulateCardAuthorization: purchase,
  sandboxSimulateCardFinancialAuthorization: purchase,
  sandboxSimulateCardCreditAuthorization: purchase,
  sandboxSimulateCardCreditAuthorizationAdvice: purchase,
  sandboxSimulateCardFinancialCreditAuthorization: purchase,
  sandboxSimulateCardClearing: followUp('authorized', cardTransaction),
  sandboxSimulateCardAuthorizationAdvice: followUp('authorized', cardTransaction),
  sandboxSimulateCardReturn: followUp('cleared', cardTransaction),
  sandboxSimulateCardReturnReversal: followUp('returned', ({ id }) => ({ cardTransactionId: id })),
  linkStablecoinProviderAccount: async () => ({ body: linkBody() }),
  registerStablecoin: async ({ platform: { api } }) => ({
    body: coinBody({ stablecoinProviderAccountId: (await newLink(api)).id }),
  }),
  createStablecoinMint: async ({ platform: { api } }) => ({
    params: { stablecoinId: (await newStablecoin(api)).id },
    body: mintBody(await newSparkWallet(api)),
  }),
  createStablecoinBurn: async ({ platform: { api } }) => ({
    params: { stablecoinId: (await newStablecoin(api)).id },
    body: burnBody(await newBankAccount(api)),
  }),
  redeemAgentDeviceCode: async ({ platform }) => {
    const { customerId } = await payer(platform)
    return { params: { code: (await createAgent(platform, { customerId })).deviceCode.code } }
  },
  approveAgentAction: aboutAction(),
  rejectAgentAction: aboutAction({ reason: 'Not this month' }),
  getAgentMe: byAgent(),
  agentCreateQuote: byAgent(({ account, to }) => ({
    body: quoteBody({ from: account, to, amount: 1_000 }),
  })),
  agentGetQuote: byAgent(async (given) => ({ params: { quoteId: await newAgentQuote(given) } })),
  agentExecuteQuote: byAgent(async (given) => ({
    params: { quoteId: await newAgentQuote(given) },
  })),
  agentCreateTransferOut: byAgent(({ account, to }) => ({ body: transferOf(account, to) })),
  agentCreateTransferIn: byAgent(({ account, to }) => ({ body: transferOf(to, account) })),
  agentListActions: byAgent(async (given) => {
    await newAction(given)
    return {}
  }),
  agentGetAction: byAgent(async (given) => ({ params: { actionId: (await newAction(given)).id } })),
  agentListInternalAccounts: byAgent(),
  agentListTransactions: byAgent(async (given) => {
    await newAction(given)
    return {}
  }),
  agentGetTransaction: byAgent(async (given) => ({
    params: { transactionId: text((await newAction(given)).transactionId) },
  })),
  agentListExternalAccounts: byAgent(),
  agentCreateExternalAccount: byAgent(() => ({ body: bankAccount() })),
  agentGetExternalAccount: byAgent(async (given) => ({
    params: { externalAccountId: await newAgentAccount(given) },
  })),
  agentDeleteExternalAccount: byAgent(async (given) => ({
    params: { externalAccountId: await newAgentAccount(given) },
  })),
}
