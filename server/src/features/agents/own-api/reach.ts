/** The accounts and transactions of its customer that an agent may see (ACT-15). */
import { failNotFound, formatId, parseId, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { listOwnedAccountIds } from '../../internal-accounts/index.ts'
import { findTransaction, listedToWire, type ListedTransaction } from '../../transactions/index.ts'
import type { Agent } from '../record/agent.ts'

/** Undefined means all accounts of the customer. */
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

/** Finds card transactions, too, under their own kind of id (CTXN-1). Fails: TRANSACTION_NOT_FOUND. */
export async function mustFindOwnTransaction(
  work: Work,
  agent: Agent,
  text: string,
): Promise<ReturnType<typeof listedToWire>> {
  const { tx, platform } = work
  const id = parseId('transaction', text) ?? parseId('cardTransaction', text)
  if (!id) return failNotFound('transaction')
  const [found, { customerId, accountIdentifiers }] = await Promise.all([
    findTransaction(tx, platform.id, id),
    transactionReach(work, agent),
  ])
  if (found?.customerId !== customerId) return failNotFound('transaction')
  const touches = accountsOf(found).some((account) => accountIdentifiers.includes(account))
  const wire = listedToWire(platform.id, found)
  return touches && wire.id === text ? wire : failNotFound('transaction')
}

function accountsOf(found: ListedTransaction): string[] {
  if (found.type === 'CARD') return [String(found.details['accountId'])]
  return [found.source, found.destination].flatMap((side) =>
    'accountId' in side ? [side.accountId] : [],
  )
}
