import { digestSecret, newSecret } from '../../crypto/secret-hash.ts'
import { fail } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import { includesRole } from '../access/must-be-allowed.ts'
import { TOKEN_PREFIX } from './identify-token.ts'
import type { Operator } from './operator.ts'
import { noteSeen } from './store.ts'
import { insertToken, type OperatorToken } from './token-store.ts'

export type TokenRequest = Pick<
  OperatorToken,
  'name' | 'isPersonal' | 'roles' | 'platforms' | 'commands' | 'addresses' | 'expiresAt'
>

/** At most what the operator has: else FORBIDDEN (OPER-40). */
function mustBeWithin({ roles, platforms }: TokenRequest, operator: Operator): void {
  const missing = roles.find((role) => !includesRole(operator.roles, role))
  if (missing) fail('FORBIDDEN', { requiredRole: missing })
  if (operator.platforms && platforms?.some((id) => !operator.platforms?.includes(id)))
    fail('FORBIDDEN', { reason: 'PLATFORM_SCOPE' })
}

/** Answers the token with its secret, which is shown this once. The first token makes an invited operator active. */
export async function createToken(
  { tx, now }: Pick<Work, 'tx' | 'now'>,
  operator: Operator,
  request: TokenRequest,
): Promise<Readonly<{ token: OperatorToken; secret: string }>> {
  if (operator.status === 'DISABLED') fail('CONFLICT', { status: operator.status })
  mustBeWithin(request, operator)
  const secret = `${TOKEN_PREFIX}${newSecret()}`
  const made = { ...request, id: newId('operatorToken'), operatorId: operator.id, createdAt: now }
  await insertToken(tx, { ...made, digest: digestSecret(secret) })
  if (operator.status === 'INVITED') await noteSeen(tx, operator.id, now)
  return { token: { ...made, lastUsedAt: null, revokedAt: null }, secret }
}
