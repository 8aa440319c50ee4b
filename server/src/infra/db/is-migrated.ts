import { readMigrations } from './migrate.ts'
import { sql } from './statement/sql.ts'
import type { Tx } from './tx.ts'

/** Whether the database knows every migration of this build; a newer database serves older processes too. */
export async function isMigrated(tx: Tx): Promise<boolean> {
  const rows = await tx.many<{ version: number }>(sql`select version from schema_migrations`)
  const applied = new Set(rows.map(({ version }) => version))
  const wanted = await readMigrations()
  return wanted.every(({ version }) => applied.has(version))
}
