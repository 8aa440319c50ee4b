import { formatId } from '../../../kernel/ids.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { emit } from '../../../webhooks/emit.ts'
import { findAccounts } from './store.ts'
import { toWire } from './wire.ts'

const TYPE = 'INTERNAL_ACCOUNT.BALANCE_UPDATED'

/**
 * Emits one INTERNAL_ACCOUNT.BALANCE_UPDATED for each account and commit, with the state after all movements: a later
 * event of the same transaction replaces an earlier one.
 */
export async function emitBalances(
  work: Work,
  { accountIds, balances }: InternalEvents['balances.changed'],
): Promise<void> {
  const { tx, platform, outbox } = work
  const [accounts, changed] = await Promise.all([
    findAccounts(tx, platform.id, accountIds),
    balances,
  ])
  const byId = new Map(changed.map((balance) => [balance.accountId, balance]))
  const emitted = new Set<string>([...byId.keys()].map((id) => formatId('internalAccount', id)))
  const isOutdated = (event: (typeof outbox.events)[number]): boolean =>
    event.type === TYPE && emitted.has(event.resourceId ?? '')
  const kept = outbox.events.filter((event) => !isOutdated(event))
  if (kept.length < outbox.events.length) outbox.events.splice(0, Infinity, ...kept)
  for (const account of accounts) {
    const balance = byId.get(account.id)
    if (balance) emit(work, TYPE, toWire(account, balance))
  }
}
