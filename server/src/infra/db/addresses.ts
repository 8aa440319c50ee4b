import type { Settings } from '../settings/settings.ts'
import type { EmbeddedPostgres } from './embedded-postgres.ts'

/** The addresses for the service and for migrations, which may connect as another role that owns the tables (OPER-52). */
export function addressesOf(
  settings: Pick<Settings, 'databaseUrl' | 'databaseOwnerUrl'>,
  embedded: EmbeddedPostgres | undefined,
): Readonly<{ databaseUrl: string; databaseOwnerUrl: string }> {
  if (embedded) return { databaseUrl: embedded.serviceUrl, databaseOwnerUrl: embedded.url }
  const { databaseUrl = '', databaseOwnerUrl = databaseUrl } = settings
  return { databaseUrl, databaseOwnerUrl }
}
