/** A customer with money, somebody to pay, and an agent between them. */
import type { AgentAction } from '../../../../sdk/src/index.ts'
import { connectAgent, policyOf, type ConnectedAgent } from './agents.ts'
import { expectError, expectStatus, type Answer, type HasId, type Shown } from '../api.ts'
import type { Kit, TestPlatform } from '../florin.ts'
import { payee, payer, quoteBody, readTransaction } from '../payments.ts'

export const APPROVAL = { defaultExecutionMode: 'APPROVAL_REQUIRED' }

export type AgentSetup = Readonly<{
  platform: TestPlatform
  customerId: string
  account: string
  to: string
  agent: ConnectedAgent
}>

export async function newAgentSetup(
  kit: Kit,
  policy: object = {},
  request: Parameters<Kit['platform']>[0] = {},
): Promise<AgentSetup> {
  const platform = await kit.platform(request)
  const { customerId, account } = await payer(platform, { funded: 100_000 })
  const to = await payee(platform, 'USD_ACCOUNT', { customerId })
  const agent = await connectAgent(platform, { customerId, policy: policyOf(policy) })
  return { platform, customerId, account, to, agent }
}

export const send = (
  { agent, account, to }: AgentSetup,
  amount = 1000,
  more: { from?: string; to?: string; headers?: Record<string, string> } = {},
) =>
  agent.api.post(
    '/agents/me/transfer-out',
    {
      source: { accountId: more.from ?? account },
      destination: { accountId: more.to ?? to },
      amount,
    },
    { headers: more.headers ?? {} },
  )

export const pull = ({ agent, account, to }: AgentSetup, amount = 1000) =>
  agent.api.post('/agents/me/transfer-in', {
    source: { accountId: to },
    destination: { accountId: account },
    amount,
  })

export const newQuote = ({ agent, account, to }: AgentSetup, more: object = {}) =>
  agent.api.post('/agents/me/quotes', quoteBody({ from: account, to, amount: 1000, ...more }))

export const run = ({ agent }: AgentSetup, quoted: HasId) =>
  agent.api.post(`/agents/me/quotes/${quoted.id}/execute`)

export const reasonOf = (answer: Answer) => expectError(answer, 403, 'FORBIDDEN')['reason']

export const advance = async ({ platform }: AgentSetup, advanceSeconds: number): Promise<void> =>
  void expectStatus(await platform.api.post('/sandbox/clock', { advanceSeconds }), 200)

export const statusOf = async (
  { platform }: AgentSetup,
  { transactionId }: Pick<Shown<AgentAction>, 'transactionId'>,
) => (await readTransaction(platform, transactionId)).status
