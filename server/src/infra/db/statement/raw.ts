import type { Sql } from './sql.ts'

/** Text of our own as a part of a statement, as the name of a table from a list; never what a caller sent. */
export const raw = (text: string): Sql => ({ parts: [text], values: [] })
