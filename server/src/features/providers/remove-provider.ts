import type { Id } from '../../kernel/ids.ts'
import type { RegisteredProvider } from '../../kernel/ports.ts'
import { announceProviderChange } from '../../infra/providers/provider-rows.ts'
import type { Work } from '../../infra/work/work.ts'
import { mustFindProvider } from './save-provider.ts'
import { lockRegistrations, markRemoved } from './store.ts'

/** Ends a registration for good. Fails: REFERENCE_NOT_FOUND; CONFLICT while orders or exceptions of it are open. */
export async function removeProvider(
  work: Work,
  providerId: Id<'provider'>,
): Promise<RegisteredProvider> {
  await lockRegistrations(work.tx)
  const provider = await mustFindProvider(work, providerId)
  await work.react('providers.removing', { providerId })
  await markRemoved(work.tx, providerId, work.now)
  announceProviderChange(work.tx)
  return provider
}
