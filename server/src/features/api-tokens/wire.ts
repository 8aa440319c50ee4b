import type { Id } from '../../kernel/ids.ts'

/** TOK-2: the id's uuid as 32 hex digits, fit for a Basic user name. */
export const clientIdOf = (id: Id<'token'>): string => id.replaceAll('-', '')
