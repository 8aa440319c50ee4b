import { toWireTime } from '../../kernel/clock.ts'
import { formatId, type Id } from '../../kernel/ids.ts'
import type { ApiTokenBody } from './schema.ts'
import type { ApiToken } from './store.ts'

/** The id's uuid as 32 hex digits, which a Basic user name may hold (TOK-2). */
export const clientIdOf = (id: Id<'token'>): string => id.replaceAll('-', '')

export function tokenToWire(token: ApiToken): ApiTokenBody {
  return {
    id: formatId('token', token.id),
    name: token.name,
    permissions: [...token.permissions],
    clientId: clientIdOf(token.id),
    createdAt: toWireTime(token.createdAt),
    updatedAt: toWireTime(token.updatedAt),
  }
}
