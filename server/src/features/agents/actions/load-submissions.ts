import type { Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { LaneCaller } from '../../../infra/work/lane-command.ts'
import { executeQuote, transactionIdOf, type ExecuteInput } from '../../quotes/index.ts'
import { readPrices, type Prices } from '../../rates/index.ts'
import {
  transferIn,
  transferOut,
  type TransferInRequest,
  type TransferOutRequest,
} from '../../transfers/index.ts'
import { listActionsOfTransactions } from './store.ts'
import { lockAgents, type StoredAgent } from '../record/store.ts'

export type Submission =
  | Readonly<{ type: 'EXECUTE_QUOTE'; input: ExecuteInput }>
  | Readonly<{ type: 'TRANSFER_OUT'; input: TransferOutRequest }>
  | Readonly<{ type: 'TRANSFER_IN'; input: TransferInRequest }>

export type Loaded = Readonly<{
  agent: StoredAgent | undefined
  prices: Prices
  /** An earlier action on the same quote. */
  earlier: Id<'agentAction'> | undefined
  /** The data that the payment's own lane kind loads. */
  inner: unknown
}>

type Command = LaneCaller & Readonly<{ input: Submission }>

export function agentIdOf({ actor }: Pick<LaneCaller, 'actor'>): Id<'agent'> {
  invariant(actor.kind === 'agent', 'An agent submits.')
  return actor.agentId
}

/**
 * Loads the data for a batch of submissions. Payments are locked before agents, as in an approval; the agent's lock then
 * protects its policy, its usage and its actions.
 */
export async function loadSubmissions(tx: Tx, commands: readonly Command[]): Promise<Loaded[]> {
  const inner = await loadPayments(tx, commands)
  const keys = commands.map((one) => ({ platformId: one.platform.id, id: agentIdOf(one) }))
  const [agents, earlier, prices] = await Promise.all([
    lockAgents(tx, keys),
    findEarlier(tx, commands),
    readPrices(tx, commands),
  ])
  const byId = new Map(agents.map((agent) => [agent.id, agent]))
  return commands.map((one, index) => ({
    agent: byId.get(agentIdOf(one)),
    prices: prices(one),
    earlier: earlier.get(index),
    inner: inner.get(index),
  }))
}

type Indexed<I> = LaneCaller & Readonly<{ index: number; input: I }>

async function loadPayments(
  tx: Tx,
  commands: readonly Command[],
): Promise<ReadonlyMap<number, unknown>> {
  const quotes: Indexed<ExecuteInput>[] = []
  const out: Indexed<TransferOutRequest>[] = []
  const into: Indexed<TransferInRequest>[] = []
  commands.forEach(({ input: submission, ...caller }, index) => {
    const { type, input } = submission
    if (type === 'EXECUTE_QUOTE') quotes.push({ ...caller, index, input })
    else if (type === 'TRANSFER_OUT') out.push({ ...caller, index, input })
    else into.push({ ...caller, index, input })
  })
  const loaded = await Promise.all([
    quotes.length > 0 ? withIndexes(quotes, executeQuote.load(tx, quotes)) : [],
    out.length > 0 ? withIndexes(out, transferOut.load(tx, out)) : [],
    into.length > 0 ? withIndexes(into, transferIn.load(tx, into)) : [],
  ])
  return new Map(loaded.flat())
}

async function withIndexes(
  commands: readonly Indexed<unknown>[],
  loading: Promise<readonly unknown[]>,
): Promise<(readonly [number, unknown])[]> {
  const loaded = await loading
  return commands.map(({ index }, n) => [index, loaded[n]] as const)
}

async function findEarlier(
  tx: Tx,
  commands: readonly Command[],
): Promise<ReadonlyMap<number, Id<'agentAction'>>> {
  const keys = commands.flatMap(({ platform, input }, index) => {
    const quoteId = input.type === 'EXECUTE_QUOTE' ? input.input.quoteId : undefined
    if (!quoteId) return []
    return [{ index, platformId: platform.id, transactionId: transactionIdOf(quoteId) }]
  })
  if (keys.length === 0) return new Map()
  const actions = await listActionsOfTransactions(tx, keys)
  return new Map(
    keys.flatMap(({ index, platformId, transactionId }) => {
      const action = actions.find(
        (one) => one.platformId === platformId && one.transactionId === transactionId,
      )
      return action ? [[index, action.id] as const] : []
    }),
  )
}
