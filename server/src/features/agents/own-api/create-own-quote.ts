import type { LaneCaller } from '../../../infra/work/lane-command.ts'
import type { LaneKind } from '../../../ledger/lane.ts'
import { createQuote, type PricedQuote, type WireQuote } from '../../quotes/index.ts'
import { mustBeLive } from '../record/find-agent.ts'
import { agentIdOf } from '../actions/load-submissions.ts'
import { movementOf, mustHavePermission, needsApproval } from '../policy/judge.ts'
import { findAgents, type StoredAgent } from '../record/store.ts'

type OwnQuoteCommand = Parameters<typeof createQuote.decide>[1] &
  Readonly<{ approvalLifetimeMs: number }>
type QuoteContext = Parameters<typeof createQuote.decide>[2]
type Row = Parameters<typeof createQuote.save>[1][number]
type Loaded = Readonly<{ agent: StoredAgent | undefined; context: QuoteContext }>

/**
 * Creates a quote for an agent with the permission, like a platform's quote (AGENT-6, AGENT-9). A quote that needs the
 * platform's approval keeps its price for longer (ACT-29).
 * Fails: UNAUTHORIZED, FORBIDDEN with the reason, and as createQuote does.
 */
export const createOwnQuote: LaneKind<OwnQuoteCommand, Loaded, Row, WireQuote> = {
  ...createQuote,
  name: 'agentQuote',
  async load(tx, commands) {
    const keyOf = (one: LaneCaller) => ({ platformId: one.platform.id, id: agentIdOf(one) })
    const [agents, contexts] = await Promise.all([
      findAgents(tx, commands.map(keyOf)),
      createQuote.load(tx, commands),
    ])
    const byId = new Map(agents.map((agent) => [agent.id, agent]))
    return contexts.map((context, index) => {
      const command = commands[index]
      return { agent: command && byId.get(agentIdOf(command)), context }
    })
  },
  keys: (caller, command, { context }) => createQuote.keys(caller, command, context),
  decide(caller, command, { agent: found, context }, batch) {
    const agent = mustBeLive(found)
    mustHavePermission(agent, 'CREATE_QUOTES')
    const { now } = caller
    const isNeeded = ({ transaction, receiving, prices }: PricedQuote): boolean =>
      needsApproval({ policy: agent.policy, prices, now }, movementOf(transaction, receiving))
    const approval = { lifetimeMs: command.approvalLifetimeMs, isNeeded }
    return createQuote.decide(caller, { ...command, approval }, context, batch)
  },
}
