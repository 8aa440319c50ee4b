import type { Environment } from '../../../kernel/platform.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Settings } from '../../../infra/settings.ts'
import type { UmaProviderBody } from '../schema.ts'
import { listProviders } from './store.ts'
import { providerToWire } from './wire.ts'

/** More than anybody reads on one page. */
const SHOWN_MAX = 100

type Reading = Readonly<{
  tx: Tx
  environment: Environment
  settings: Pick<Settings, 'sandboxUmaDomains'>
}>

/** The providers of an environment that are not blocked, by name: for a page (INV-14). Refuses nothing. */
export async function listAllowedProviders({
  tx,
  environment,
  settings,
}: Reading): Promise<UmaProviderBody[]> {
  const filters = { countryCode: undefined, currencyCode: undefined, isAllowedOnly: true }
  const page = { filters, after: undefined, fetch: SHOWN_MAX, order: 'asc' } as const
  const providers = await listProviders(tx, environment, page)
  return providers.map((provider) => providerToWire(provider, settings))
}
