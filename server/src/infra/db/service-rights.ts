/** The rights of the service's role, where another role owns the tables (OPER-52). */
import pg from 'pg'
import { createHosts } from './connection/hosts.ts'

/** The service only inserts and reads here; a database function erases notes. */
const ADDED_ONLY = ['audit_entries', 'audit_notes', 'audit_chain']

const grantsTo = (role: string): string => `
  grant usage on schema public to ${role};
  grant select, insert, update, delete on all tables in schema public to ${role};
  grant usage, select, update on all sequences in schema public to ${role};
  revoke update, delete on ${ADDED_ONLY.join(', ')} from ${role};
  revoke insert, update, delete on schema_migrations from ${role}`

const LACKS_RIGHTS = `
  select exists (select from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
      and not has_table_privilege($1, oid, 'select'))
    or has_table_privilege($1, 'audit_entries', 'update') as lacking`

const roleIn = (url: string): string =>
  decodeURIComponent(URL.parse(createHosts(url).current())?.username ?? '')

type Granting = Readonly<{ serviceUrl: string; isChanged: boolean }>

/** Grants the service's role its rights, unless it owns the tables. */
export async function grantRights(
  client: pg.Client,
  { serviceUrl, isChanged }: Granting,
): Promise<void> {
  const role = roleIn(serviceUrl)
  const { rows } = await client.query<{ owner: string }>('select current_user as owner')
  if (role === '' || role === rows[0]?.owner) return
  const found = isChanged || (await client.query<Lacking>(LACKS_RIGHTS, [role])).rows[0]?.lacking
  if (found) await client.query(grantsTo(pg.escapeIdentifier(role)))
}

type Lacking = Readonly<{ lacking: boolean }>
