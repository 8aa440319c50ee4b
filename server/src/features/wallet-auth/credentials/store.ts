import { hash } from 'node:crypto'
import { invariant } from '../../../kernel/invariant.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { PasskeyAlgorithm } from '../../../crypto/passkey/algorithms.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { sql, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { AuthMethodType, Credential, OtpType } from './auth-method.ts'
import { nicknameColumns, openNickname, nicknameCandidates } from './nickname.ts'

type PlatformId = Id<'platform'>

type Row = Readonly<{
  id: Id<'authMethod'>
  accountId: Id<'internalAccount'>
  customerId: Id<'customer'>
  type: AuthMethodType
  nickname: string
  sealedNickname: Buffer | null
  webauthnId: string | null
  publicKey: Buffer | null
  algorithm: number | null
  counter: number | null
  rpId: string | null
  transports: string[] | null
  issuer: string | null
  audience: string | null
  subject: string | null
  createdAt: Date
  updatedAt: Date
}>

const COLUMNS = sql`c.id, c.account_id, c.customer_id, c.type, c.nickname, c.sealed_nickname, c.webauthn_id, c.public_key,
  c.algorithm, c.counter::float8 as counter, c.rp_id, c.transports, c.issuer, c.audience, c.subject, c.created_at, c.updated_at`

function toCredential({ keyring }: Tx, row: Row): Credential {
  const { id, accountId, customerId, type, createdAt, updatedAt } = row
  const nickname = openNickname(keyring, row)
  const common = { id, accountId, customerId, nickname, createdAt, updatedAt }
  if (type === 'EMAIL_OTP' || type === 'SMS_OTP') return { ...common, type }
  if (type === 'OAUTH') {
    const { issuer, audience, subject } = row
    invariant(issuer && audience && subject, 'An OAUTH credential has an identity.')
    return { ...common, type, identity: { issuer, audience, subject } }
  }
  const { webauthnId, publicKey, algorithm, counter, rpId, transports } = row
  invariant(webauthnId && publicKey && rpId && transports, 'A PASSKEY credential has its key.')
  const passkey = {
    credentialId: webauthnId,
    publicKey,
    algorithm: algorithm as PasskeyAlgorithm,
    counter: counter ?? 0,
    rpId,
  }
  return { ...common, type, passkey, transports }
}

export async function findCredential(
  tx: Tx,
  platformId: PlatformId,
  id: Id<'authMethod'>,
): Promise<Credential | undefined> {
  const row = await tx.find<Row>(
    sql`select ${COLUMNS} from wallet_credentials c where c.platform_id = ${platformId} and c.id = ${id}`,
  )
  return row && toCredential(tx, row)
}

/** Oldest first. */
export async function listCredentials(
  tx: Tx,
  platformId: PlatformId,
  accountId: Id<'internalAccount'>,
): Promise<Credential[]> {
  const rows = await tx.many<Row>(
    sql`select ${COLUMNS} from wallet_credentials c
        where c.platform_id = ${platformId} and c.account_id = ${accountId} order by c.created_at, c.id`,
  )
  return rows.map((row) => toCredential(tx, row))
}

const passkeyOf = (one: Credential) => (one.type === 'PASSKEY' ? one.passkey : undefined)
const identityOf = (one: Credential) => (one.type === 'OAUTH' ? one.identity : undefined)

type NewCredential = Credential & Readonly<{ sealedNickname: Buffer | null }>

const NEW_CREDENTIAL: Columns<NewCredential> = {
  id: ['uuid', (one) => one.id],
  account_id: ['uuid', (one) => one.accountId],
  customer_id: ['uuid', (one) => one.customerId],
  type: ['text', (one) => one.type],
  nickname: ['text', (one) => one.nickname],
  sealed_nickname: ['bytea', (one) => one.sealedNickname],
  webauthn_id: ['text', (one) => passkeyOf(one)?.credentialId],
  public_key: ['bytea', (one) => passkeyOf(one)?.publicKey],
  algorithm: ['integer', (one) => passkeyOf(one)?.algorithm],
  counter: ['bigint', (one) => passkeyOf(one)?.counter],
  rp_id: ['text', (one) => passkeyOf(one)?.rpId],
  transports: ['jsonb', (one) => (one.type === 'PASSKEY' ? sql.json(one.transports) : null)],
  issuer: ['text', (one) => identityOf(one)?.issuer],
  audience: ['text', (one) => identityOf(one)?.audience],
  subject: ['text', (one) => identityOf(one)?.subject],
  created_at: ['timestamptz', (one) => one.createdAt],
}

export function insertCredentials(
  tx: Tx,
  platformId: PlatformId,
  credentials: readonly Credential[],
): void {
  const added = credentials.map((one) => ({ ...one, ...nicknameColumns(tx.keyring, one) }))
  tx.queueWrite(
    sql`insert into wallet_credentials (platform_id, id, account_id, customer_id, type, nickname, sealed_nickname,
          webauthn_id, public_key, algorithm, counter, rp_id, transports, issuer, audience, subject, created_at, updated_at)
        select ${platformId}, id, account_id, customer_id, type, nickname, sealed_nickname, webauthn_id, public_key,
          algorithm, counter, rp_id, case when transports is not null then array(select jsonb_array_elements_text(transports)) end,
          issuer, audience, subject, created_at, created_at
        from ${given('n', NEW_CREDENTIAL, added)}`,
  )
}

/** Ends the credential's sessions and voids its OTP and signature requests too (CRED-20). */
export function deleteCredential(
  tx: Tx,
  platformId: PlatformId,
  { id, at }: { id: Id<'authMethod'>; at: Date },
): void {
  const ofCredential = sql`platform_id = ${platformId} and credential_id = ${id}`
  tx.queueWrite(
    sql`delete from wallet_credentials where platform_id = ${platformId} and id = ${id}`,
  )
  tx.queueWrite(
    sql`update wallet_sessions set ended_at = ${at} where ${ofCredential} and ended_at is null`,
  )
  tx.queueWrite(sql`delete from wallet_otps where ${ofCredential}`)
  tx.queueWrite(sql`delete from wallet_requests where ${ofCredential} and state = 'PENDING'`)
}

export function saveCounter(
  tx: Tx,
  platformId: PlatformId,
  { id, counter }: { id: Id<'authMethod'>; counter: number },
): void {
  tx.queueWrite(
    sql`update wallet_credentials set counter = ${counter} where platform_id = ${platformId} and id = ${id}`,
  )
}

export type CountedTimes = 'issued' | 'challenged' | 'failed'

const TIMES: Readonly<Record<CountedTimes, Sql>> = {
  issued: sql`issued_at`,
  challenged: sql`challenged_at`,
  failed: sql`failed_at`,
}

export async function readTimes(
  tx: Tx,
  platformId: PlatformId,
  { id, counted }: { id: Id<'authMethod'>; counted: CountedTimes },
): Promise<readonly Date[]> {
  const row = await tx.find<{ times: Date[] }>(
    sql`select ${TIMES[counted]} as times from wallet_credentials
        where platform_id = ${platformId} and id = ${id}`,
  )
  return row?.times ?? []
}

export function saveTimes(
  tx: Tx,
  platformId: PlatformId,
  { id, counted, times }: { id: Id<'authMethod'>; counted: CountedTimes; times: readonly Date[] },
): void {
  tx.queueWrite(
    sql`update wallet_credentials set ${TIMES[counted]} = ${times}::timestamptz[]
        where platform_id = ${platformId} and id = ${id}`,
  )
}

/** Serializes transactions that claim the same address or number. */
export async function lockContact(
  tx: Tx,
  platformId: PlatformId,
  { type, contact }: { type: OtpType; contact: string },
): Promise<void> {
  const name = `contact ${platformId} ${type} ${contact.toLowerCase()}`
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

/** Whether a credential of another customer uses the address or number (SIGN-16). */
export async function isContactTaken(
  tx: Tx,
  platformId: PlatformId,
  { type, contact, customerId }: { type: OtpType; contact: string; customerId: Id<'customer'> },
): Promise<boolean> {
  const { taken } = await tx.one<{ taken: boolean }>(
    sql`select exists (select 1 from wallet_credentials c where c.platform_id = ${platformId}
          and c.type = ${type} and lower(c.nickname) = any(${nicknameCandidates(tx.keyring, contact)}::text[]) and c.type in ('EMAIL_OTP', 'SMS_OTP')
          and c.customer_id <> ${customerId}) as taken`,
  )
  return taken
}

type NewContact = Readonly<{
  id: Id<'authMethod'>
  nickname: string
  sealedNickname: Buffer | null
}>

const NEW_CONTACT: Columns<NewContact> = {
  id: ['uuid', (one) => one.id],
  nickname: ['text', (one) => one.nickname],
  sealed_nickname: ['bytea', (one) => one.sealedNickname],
}

/** Saves the new contact of these credentials; codes sent to the old one are void. */
export function saveContact(
  tx: Tx,
  platformId: PlatformId,
  { ids, contact, at }: { ids: readonly Id<'authMethod'>[]; contact: string; at: Date },
): void {
  const changed = ids.map((id) => ({
    id,
    ...nicknameColumns(tx.keyring, { id, nickname: contact }),
  }))
  tx.queueWrite(
    sql`delete from wallet_otps where platform_id = ${platformId} and credential_id = any(${ids}::uuid[])`,
  )
  tx.queueWrite(
    sql`update wallet_credentials c set nickname = n.nickname, sealed_nickname = n.sealed_nickname, updated_at = ${at}
        from ${given('n', NEW_CONTACT, changed)} where c.platform_id = ${platformId} and c.id = n.id`,
  )
}

/** A challenge may be longer than an index key of the database. */
const digestOf = (challenge: Buffer): Buffer => hash('sha256', challenge, 'buffer')

export async function isChallengeUsed(
  tx: Tx,
  platformId: PlatformId,
  { accountId, challenge }: { accountId: Id<'internalAccount'>; challenge: Buffer },
): Promise<boolean> {
  const { used } = await tx.one<{ used: boolean }>(
    sql`select exists (select 1 from wallet_used_challenges where platform_id = ${platformId}
          and account_id = ${accountId} and challenge = ${digestOf(challenge)}) as used`,
  )
  return used
}

export function insertUsedChallenge(
  tx: Tx,
  platformId: PlatformId,
  { accountId, challenge }: { accountId: Id<'internalAccount'>; challenge: Buffer },
): void {
  tx.queueWrite(
    sql`insert into wallet_used_challenges (platform_id, account_id, challenge)
        values (${platformId}, ${accountId}, ${digestOf(challenge)})`,
  )
}

/** False when the token was used on this credential before (VRFY-7). */
export async function useToken(
  tx: Tx,
  platformId: PlatformId,
  token: { credentialId: Id<'authMethod'>; digest: Buffer; expiresAt: Date },
): Promise<boolean> {
  const inserted = await tx.run(
    sql`insert into wallet_used_tokens (platform_id, credential_id, token_digest, expires_at)
        values (${platformId}, ${token.credentialId}, ${token.digest}, ${token.expiresAt})
        on conflict do nothing`,
  )
  return inserted > 0
}
