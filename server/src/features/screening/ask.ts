import { formatId } from '../../kernel/ids.ts'
import { isRemote } from '../../kernel/ports.ts'
import type { InternalEvents } from '../../infra/work/internal-events.ts'
import type { Work } from '../../infra/work/work.ts'
import { placeOrder } from '../../orders/index.ts'

/** Asks about something that is new: no other order about it is open. Nothing is asked where no provider outside serves. */
function ask(work: Work, subject: string, currency?: string): void {
  const provider = work.ports.providerOf({ port: 'screening', currency })
  if (provider && isRemote(provider)) placeOrder(work, { type: 'SCREENING', provider, subject })
}

/** Reacts to a new external account (PROV-102, PROV-103). */
export async function screenNewAccount(
  work: Work,
  { externalAccountId, currency }: InternalEvents['externalAccounts.created'],
): Promise<void> {
  ask(work, formatId('externalAccount', externalAccountId), currency)
}
