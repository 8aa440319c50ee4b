import type { Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Operator } from './operator.ts'

const OPERATOR = sql`id, name, email, status, roles, platforms, issuer, subject, had_groups, created_at,
  last_seen_at`

export const listOperators = (tx: Tx): Promise<Operator[]> =>
  tx.many<Operator>(sql`select ${OPERATOR} from operators order by created_at, id`)

type OperatorKey = Readonly<
  | { id: Id<'operator'> }
  | { name: string }
  | { identity: Readonly<{ issuer: string; subject: string }> }
>

/** By its id, by its name, or by who it is to the issuer. */
export function findOperator(tx: Tx, by: OperatorKey): Promise<Operator | undefined> {
  if ('id' in by)
    return tx.maybe<Operator>(sql`select ${OPERATOR} from operators where id = ${by.id}`)
  if ('name' in by)
    return tx.maybe<Operator>(sql`select ${OPERATOR} from operators where name = ${by.name}`)
  const { issuer, subject } = by.identity
  return tx.maybe<Operator>(
    sql`select ${OPERATOR} from operators where issuer = ${issuer} and subject = ${subject}`,
  )
}

/** The oldest open invitation to an address; an active operator is never found by it (OPER-34). */
export const findInvited = (tx: Tx, email: string): Promise<Operator | undefined> =>
  tx.maybe<Operator>(
    sql`select ${OPERATOR} from operators
        where status = 'INVITED' and issuer is null and lower(email) = lower(${email})
        order by created_at, id limit 1`,
  )

export async function takenNames(tx: Tx, names: readonly string[]): Promise<string[]> {
  const rows = await tx.many<{ name: string }>(
    sql`select name from operators where name = any (${names}::text[])`,
  )
  return rows.map(({ name }) => name)
}

export async function hasOperators(tx: Tx): Promise<boolean> {
  const { found } = await tx.one<{ found: boolean }>(
    sql`select exists (select from operators) as found`,
  )
  return found
}

/** One change of operators at a time, so that none of two takes the last administrator away (OPER-5). */
export async function lockOperators(tx: Tx): Promise<void> {
  await tx.run(sql`lock table operators in share row exclusive mode`)
}

/** Administrators of the whole installation who can act now. */
export async function countAdmins(tx: Tx): Promise<number> {
  const { count } = await tx.one<{ count: number }>(
    sql`select count(*)::int as count from operators
        where status = 'ACTIVE' and 'ADMIN' = any (roles) and platforms is null`,
  )
  return count
}

export type NewOperator = Pick<Operator, 'id' | 'name' | 'email' | 'roles' | 'platforms'>

export async function insertOperator(
  tx: Tx,
  { id, name, email, roles, platforms }: NewOperator,
  now: Date,
): Promise<void> {
  await tx.run(
    sql`insert into operators (id, name, email, status, roles, platforms, created_at, updated_at)
        values (${id}, ${name}, ${email}, 'INVITED', ${roles}, ${platforms}::uuid[], ${now}, ${now})`,
  )
}

export async function saveOperator(
  tx: Tx,
  operator: Omit<Operator, 'createdAt' | 'lastSeenAt'>,
  now: Date,
): Promise<void> {
  const { id, name, email, status, roles, platforms, issuer, subject, hadGroups } = operator
  await tx.run(
    sql`update operators set name = ${name}, email = ${email}, status = ${status}, roles = ${roles},
          platforms = ${platforms}::uuid[], issuer = ${issuer}, subject = ${subject},
          had_groups = ${hadGroups}, updated_at = ${now}
        where id = ${id}`,
  )
}

/** The first sign-in or the first token makes an invited operator active. */
export async function noteSeen(tx: Tx, id: Id<'operator'>, now: Date): Promise<void> {
  await tx.run(
    sql`update operators set last_seen_at = ${now},
          status = case status when 'INVITED' then 'ACTIVE' else status end
        where id = ${id}`,
  )
}

export async function noteRecovery(tx: Tx, id: Id<'operator'>, now: Date): Promise<void> {
  await tx.run(sql`update operators set recovered_at = ${now} where id = ${id}`)
}

export async function lastRecovery(tx: Tx): Promise<Date | null> {
  const { at } = await tx.one<{ at: Date | null }>(
    sql`select max(recovered_at) as at from operators`,
  )
  return at
}

/** Ends what an operator can come in by. */
export async function endAccess(tx: Tx, id: Id<'operator'>, now: Date): Promise<void> {
  await tx.run(sql`delete from dashboard_sessions where operator_id = ${id}`)
  await tx.run(sql`delete from dashboard_links where operator_id = ${id}`)
  await tx.run(
    sql`update operator_tokens set revoked_at = ${now} where operator_id = ${id} and revoked_at is null`,
  )
}
