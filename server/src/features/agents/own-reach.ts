/** ACT-15: what an agent sees of its customer. */
import { failNotFound, formatId, parseId, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import { listOwnedAccountIds } from '../internal-accounts/index.ts'
import { findTransactions, type Transaction } from '../transactions/index.ts'
import type { Agent } from './agent.ts'

/** Undefined: all of the customer's. */
export function allowedAccounts({ policy }: Agent): Id<'internalAccount'>[] | undefined {
  const { allowedAccountIds } = policy.accountRestrictions ?? {}
  return allowedAccountIds?.flatMap((text) => parseId('internalAccount', text) ?? [])
}

type Reach = Readonly<{ customerId: Id<'customer'>; accountIdentifiers: readonly string[] }>

export async function transactionReach({ tx, platform }: Work, agent: Agent): Promise<Reach> {
  const { customerId } = agent
  const ids = allowedAccounts(agent) ?? (await listOwnedAccountIds(tx, platform.id, customerId))
  return { customerId, accountIdentifiers: ids.map((id) => formatId('internalAccount', id)) }
}

/** Fails: TRANSACTION_NOT_FOUND. */
export async function mustFindOwnTransaction(
  work: Work,
  agent: Agent,
  id: Id<'transaction'>,
): Promise<Transaction> {
  const [[found], { customerId, accountIdentifiers }] = await Promise.all([
    findTransactions(work.tx, work.platform.id, [id]),
    transactionReach(work, agent),
  ])
  const touches = [found?.source, found?.destination].some(
    (side) => side && 'accountId' in side && accountIdentifiers.includes(side.accountId),
  )
  return found?.customerId === customerId && touches ? found : failNotFound('transaction')
}
