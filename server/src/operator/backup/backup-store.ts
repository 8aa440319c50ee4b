/** What a backup asks of the database, on a connection of its own: pool and limits of the service are not for it. */
import pg from 'pg'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'

/** Keeps the log from here on until it is copied; gone with the connection. */
export async function keepLog(client: pg.Client, slot: string): Promise<void> {
  await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot])
}

/** Answers the first file of the log that the copy needs. */
export async function startCopy(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ wal: string }>(
    `select pg_walfile_name(pg_backup_start('florin', true)) as wal`,
  )
  return rows[0]?.wal ?? ''
}

/** Answers the last file of the log that the copy needs, and what its label file says. */
export async function stopCopy(
  client: pg.Client,
): Promise<Readonly<{ wal: string; label: string }>> {
  const { rows } = await client.query<{ wal: string; label: string }>(
    `select pg_walfile_name(lsn) as wal, labelfile as label from pg_backup_stop(false)`,
  )
  return rows[0] ?? { wal: '', label: '' }
}

export async function readSchemaVersion(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    'select max(version) as version from schema_migrations',
  )
  return rows[0]?.version ?? 0
}

/** Opens a connection for as long as `use` lasts. */
export async function withConnection<T>(
  url: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** So that no event number is used twice after events were sent that the restored database knows nothing of. */
export async function passOverEventNumbers(tx: Tx, count: bigint): Promise<void> {
  await tx.run(sql`update event_counters set last_sequence = last_sequence + ${count}`)
}
