/** Where words stand in the open in a database. */
import { sql } from '../../../src/infra/db/statement/sql.ts'
import type { Tx } from '../../../src/infra/db/tx.ts'

/** Rows of any table that show one of the words; bytes are searched as they are. */
export async function findWords(read: Tx, words: readonly string[]): Promise<string[]> {
  const tables = await read.many<{ name: string }>(
    sql`select table_name as name from information_schema.tables
        where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`,
  )
  const wanted = words.flatMap((word) => [word, Buffer.from(word).toString('hex')])
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await read.many<{ row: string }>(
      sql`select t::text as row from ${{ parts: [name], values: [] }} t`,
    )
    for (const { row } of rows)
      for (const word of wanted) if (row.includes(word)) found.push(`${name}: ${word} in ${row}`)
  }
  return found
}
