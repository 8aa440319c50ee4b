import type { Role } from '../../kernel/access/operator.ts'
import type { Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { OperatorStatus } from './operator.ts'

export type OperatorToken = Readonly<{
  id: Id<'operatorToken'>
  operatorId: Id<'operator'>
  name: string
  isPersonal: boolean
  roles: readonly Role[]
  /** Null for all that the operator has. */
  platforms: readonly Id<'platform'>[] | null
  /** As settlements.confirm; null for all. */
  commands: readonly string[] | null
  addresses: readonly string[] | null
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
  revokedAt: Date | null
}>

const TOKEN = sql`id, operator_id, name, is_personal, roles, platforms, commands, addresses, created_at, expires_at,
  last_used_at, revoked_at`

/** Those that still work, of one operator or of all. */
export const listTokens = (
  tx: Tx,
  { operatorId, now }: Readonly<{ operatorId: Id<'operator'> | null; now: Date }>,
): Promise<OperatorToken[]> =>
  tx.many<OperatorToken>(
    sql`select ${TOKEN} from operator_tokens
        where (${operatorId}::uuid is null or operator_id = ${operatorId})
          and revoked_at is null and expires_at > ${now}
        order by created_at, id`,
  )

export const findToken = (tx: Tx, id: Id<'operatorToken'>): Promise<OperatorToken | undefined> =>
  tx.maybe<OperatorToken>(sql`select ${TOKEN} from operator_tokens where id = ${id}`)

export type NewToken = Omit<OperatorToken, 'lastUsedAt' | 'revokedAt'> &
  Readonly<{ digest: Buffer }>

export async function insertToken(tx: Tx, token: NewToken): Promise<void> {
  const { id, digest, operatorId, name, isPersonal, roles, createdAt, expiresAt } = token
  const { platforms, commands, addresses } = token
  await tx.run(
    sql`insert into operator_tokens (id, digest, operator_id, name, is_personal, roles, platforms, commands, addresses,
          created_at, expires_at)
        values (${id}, ${digest}, ${operatorId}, ${name}, ${isPersonal}, ${roles}, ${platforms}::uuid[],
          ${commands}::text[], ${addresses}::text[], ${createdAt}, ${expiresAt})`,
  )
}

export async function revokeToken(tx: Tx, id: Id<'operatorToken'>, now: Date): Promise<boolean> {
  const revoked = await tx.run(
    sql`update operator_tokens set revoked_at = ${now} where id = ${id} and revoked_at is null`,
  )
  return revoked === 1
}

export type TokenWithOperator = OperatorToken &
  Readonly<{
    operatorName: string
    operatorStatus: OperatorStatus
    operatorRoles: readonly Role[]
    operatorPlatforms: readonly Id<'platform'>[] | null
  }>

/** With the operator as it is now: a token is never more than that (OPER-40). */
export const findTokenByDigest = (
  tx: Tx,
  { digest, now }: Readonly<{ digest: Buffer; now: Date }>,
): Promise<TokenWithOperator | undefined> =>
  tx.maybe<TokenWithOperator>(
    sql`select t.id, t.operator_id, t.name, t.is_personal, t.roles, t.platforms, t.commands, t.addresses, t.created_at,
          t.expires_at, t.last_used_at, t.revoked_at, o.name as operator_name, o.status as operator_status,
          o.roles as operator_roles, o.platforms as operator_platforms
        from operator_tokens t join operators o on o.id = t.operator_id
        where t.digest = ${digest} and t.revoked_at is null and t.expires_at > ${now} and o.status = 'ACTIVE'`,
  )

export async function touchToken(
  tx: Tx,
  { id, operatorId }: Pick<OperatorToken, 'id' | 'operatorId'>,
  now: Date,
): Promise<void> {
  await tx.run(sql`update operator_tokens set last_used_at = ${now} where id = ${id}`)
  await tx.run(sql`update operators set last_seen_at = ${now} where id = ${operatorId}`)
}
