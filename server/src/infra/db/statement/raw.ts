import type { Sql } from './sql.ts'

/** Inserts text into a statement unescaped, such as the name of a table from a list; never for input of a caller. */
export const raw = (text: string): Sql => ({ parts: [text], values: [] })
