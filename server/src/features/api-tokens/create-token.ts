import { digestSecret, newSecret } from '../../crypto/secret-hash.ts'
import type { Actor } from '../../kernel/access/actor.ts'
import { fail } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { orderPermissions, type Permission } from '../../kernel/access/permissions.ts'
import type { Work } from '../../infra/work/work.ts'
import { insertToken, type ApiToken } from './store.ts'

export type CreatedToken = Readonly<{ token: ApiToken; clientSecret: string }>

/**
 * Creates a token. Its secret is answered once; only a digest is stored.
 * Fails: FORBIDDEN when a token would grant a permission it does not hold itself (TOK-4).
 */
export async function createToken(
  work: Work,
  { name, permissions }: { name: string; permissions: readonly Permission[] },
): Promise<CreatedToken> {
  const granted = orderPermissions(permissions)
  const missing = granted.find((permission) => !mayGrant(work.actor, permission))
  if (missing) fail('FORBIDDEN', { requiredPermission: missing })
  const clientSecret = newSecret()
  const token: ApiToken = {
    id: newId('token'),
    name: name.trim(),
    permissions: granted,
    createdAt: work.now,
    updatedAt: work.now,
  }
  const secretDigest = digestSecret(clientSecret)
  await insertToken(work.tx, work.platform.id, { ...token, secretDigest })
  return { token, clientSecret }
}

const mayGrant = (actor: Actor, permission: Permission): boolean =>
  actor.kind === 'operator' || (actor.kind === 'token' && actor.permissions.includes(permission))
