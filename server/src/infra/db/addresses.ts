import type { Settings } from '../settings/settings.ts'
import type { EmbeddedPostgres } from './embedded-postgres.ts'

/** Where the service connects, and where migrations do: the owner of the tables is another role, if there is one (OPER-52). */
export function addressesOf(
  settings: Pick<Settings, 'databaseUrl' | 'databaseOwnerUrl'>,
  embedded: EmbeddedPostgres | undefined,
): Readonly<{ databaseUrl: string; databaseOwnerUrl: string }> {
  if (embedded) return { databaseUrl: embedded.serviceUrl, databaseOwnerUrl: embedded.url }
  const { databaseUrl = '', databaseOwnerUrl = databaseUrl } = settings
  return { databaseUrl, databaseOwnerUrl }
}
