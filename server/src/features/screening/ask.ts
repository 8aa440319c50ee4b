import { formatId } from '../../kernel/ids.ts'
import { isRemote, type RegisteredProvider } from '../../kernel/ports.ts'
import type { InternalEvents } from '../../infra/work/internal-events.ts'
import type { Work } from '../../infra/work/work.ts'
import { placeOrder, supersedeOrder } from '../../orders/index.ts'

/** Undefined where nothing is asked, since no provider outside serves the port. */
function screenerOf({ ports }: Work, currency?: string): RegisteredProvider | undefined {
  const provider = ports.providerOf({ port: 'screening', currency })
  return provider && isRemote(provider) ? provider : undefined
}

/** Reacts to a new external account (PROV-102, PROV-103). */
export async function screenNewAccount(
  work: Work,
  { externalAccountId, currency }: InternalEvents['externalAccounts.created'],
): Promise<void> {
  await ask(work, [formatId('externalAccount', externalAccountId)], { currency, isNew: true })
}

/** Reacts to new customers, and to another name, birth date or country of one (PROV-100). Nothing waits for it. */
export async function screenCustomers(
  work: Work,
  { customerIds, isNew }: InternalEvents['customers.identityChanged'],
): Promise<void> {
  const subjects = customerIds.map((id) => formatId('customer', id))
  await ask(work, subjects, { isNew })
}

/** The same for an owner of a business (PROV-101). */
export async function screenOwner(
  work: Work,
  { ownerId, isNew }: InternalEvents['beneficialOwners.identityChanged'],
): Promise<void> {
  await ask(work, [formatId('beneficialOwner', ownerId)], { isNew })
}

type Asking = Readonly<{ currency?: string; isNew: boolean }>

/** A question about what is no longer so is replaced; whatever is new has none. The caller holds the subjects' locks. */
async function ask(
  work: Work,
  subjects: readonly string[],
  { currency, isNew }: Asking,
): Promise<void> {
  const provider = screenerOf(work, currency)
  if (!provider) return
  const type = 'SCREENING'
  if (!isNew) await Promise.all(subjects.map((subject) => supersedeOrder(work, { type, subject })))
  for (const subject of subjects) placeOrder(work, { type, provider, subject })
}
