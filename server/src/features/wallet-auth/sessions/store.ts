import type { Id } from '../../../kernel/ids.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { sql, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Session } from '../credentials/auth-method.ts'
import { nicknameColumns, openNickname } from '../credentials/nickname.ts'

type PlatformId = Id<'platform'>
type AccountId = Id<'internalAccount'>

/** An older process leaves the column empty; its passkey sessions count as not verified. */
const COLUMNS = sql`s.id, s.account_id, s.credential_id, s.type, s.nickname, s.sealed_nickname, s.public_key,
  coalesce(s.is_user_verified, s.type <> 'PASSKEY') as is_user_verified, s.created_at, s.expires_at, s.ended_at`

type Row = Session & Readonly<{ sealedNickname: Buffer | null }>

function toSession({ keyring }: Tx, row: Row): Session {
  const { sealedNickname, ...session } = row
  return { ...session, nickname: openNickname(keyring, row) }
}

async function findOne(tx: Tx, where: Sql): Promise<Session | undefined> {
  const row = await tx.find<Row>(sql`select ${COLUMNS} from wallet_sessions s where ${where}`)
  return row && toSession(tx, row)
}

/** Finds ended sessions too. */
export function findSession(
  tx: Tx,
  platformId: PlatformId,
  id: Id<'session'>,
): Promise<Session | undefined> {
  return findOne(tx, sql`s.platform_id = ${platformId} and s.id = ${id}`)
}

/** Newest first. */
export async function listActiveSessions(
  tx: Tx,
  platformId: PlatformId,
  { accountId, now }: { accountId: AccountId; now: Date },
): Promise<Session[]> {
  const rows = await tx.many<Row>(
    sql`select ${COLUMNS} from wallet_sessions s
        where s.platform_id = ${platformId} and s.account_id = ${accountId} and s.ended_at is null
          and s.expires_at > ${now}
        order by s.created_at desc, s.id desc`,
  )
  return rows.map((row) => toSession(tx, row))
}

export function findActiveSessionByKey(
  tx: Tx,
  platformId: PlatformId,
  { accountId, publicKey, now }: { accountId: AccountId; publicKey: string; now: Date },
): Promise<Session | undefined> {
  return findOne(
    tx,
    sql`s.platform_id = ${platformId} and s.account_id = ${accountId} and s.public_key = ${publicKey}
        and s.ended_at is null and s.expires_at > ${now}`,
  )
}

export type SessionKey = Readonly<{
  platformId: PlatformId
  accountId: AccountId
  publicKey: string
  now: Date
}>

const SESSION_KEY: Columns<SessionKey> = {
  platform_id: ['uuid', (key) => key.platformId],
  account_id: ['uuid', (key) => key.accountId],
  public_key: ['text', (key) => key.publicKey],
  now: ['timestamptz', (key) => key.now],
}

/** Active sessions with these keys, of wallets of any platforms. */
export async function listSessionsByKey(
  tx: Tx,
  keys: readonly SessionKey[],
): Promise<readonly Session[]> {
  if (keys.length === 0) return []
  const rows = await tx.many<Row>(
    sql`select ${COLUMNS} from wallet_sessions s
        join ${given('k', SESSION_KEY, keys)} using (platform_id, account_id, public_key)
        where s.ended_at is null and s.expires_at > k.now`,
  )
  return rows.map((row) => toSession(tx, row))
}

/** Ends sessions with the same key, and the oldest ones beyond the maximum (VRFY-13). */
export function replaceOldSessions(
  tx: Tx,
  platformId: PlatformId,
  { session, activeMax }: { session: Session; activeMax: number },
): void {
  const { accountId, publicKey, createdAt } = session
  tx.queueWrite(
    sql`update wallet_sessions set ended_at = ${createdAt}
        where platform_id = ${platformId} and account_id = ${accountId} and ended_at is null
          and (public_key = ${publicKey} or expires_at <= ${createdAt} or id in (
            select id from wallet_sessions where platform_id = ${platformId} and account_id = ${accountId}
              and ended_at is null and expires_at > ${createdAt} and public_key <> ${publicKey}
            order by created_at desc, id desc offset ${activeMax - 1}))`,
  )
}

export function insertSession(tx: Tx, platformId: PlatformId, session: Session): void {
  const { nickname, sealedNickname } = nicknameColumns(tx.keyring, session)
  tx.queueWrite(
    sql`insert into wallet_sessions (platform_id, id, account_id, credential_id, type, nickname, sealed_nickname,
          public_key, is_user_verified, created_at, expires_at)
        values (${platformId}, ${session.id}, ${session.accountId}, ${session.credentialId}, ${session.type},
          ${nickname}, ${sealedNickname}, ${session.publicKey}, ${session.isUserVerified}, ${session.createdAt},
          ${session.expiresAt})`,
  )
}

export function endSession(
  tx: Tx,
  platformId: PlatformId,
  { id, at }: { id: Id<'session'>; at: Date },
): void {
  tx.queueWrite(
    sql`update wallet_sessions set ended_at = ${at} where platform_id = ${platformId} and id = ${id}`,
  )
}
