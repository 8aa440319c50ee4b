import type { PasskeyAlgorithm } from '../../../crypto/passkey/algorithms.ts'
import type { Passkey } from '../../../crypto/passkey/verify-registration.ts'
import type { Id } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { EnrolledFactor, TotpFactor } from '../factors/factor.ts'
import type { SecurityState } from './security-state.ts'

type PlatformId = Id<'platform'>
type CustomerId = Id<'customer'>

/** The stored factors and security state of one customer, without challenges. */
export type ScaRecord = Readonly<{
  security: SecurityState
  smsSentAt: readonly Date[]
  /** No code was answered from the customer's number yet (SCA-58). */
  isPhoneUnproven: boolean
  totp: TotpFactor | undefined
  passkey: Passkey | undefined
}>

/** All columns are null if there is no passkey. */
type PasskeyRow = Readonly<{
  credentialId: string | null
  publicKey: Buffer | null
  algorithm: PasskeyAlgorithm | null
  counter: number | null
  rpId: string | null
}>

export type RecordRow = PasskeyRow &
  Readonly<{
    failedAttempts: number | null
    lockedUntil: Date | null
    sessionExpiresAt: Date | null
    loggedInAt: Date | null
    isPhoneUnproven: boolean | null
    smsSentAt: Date[] | null
    secret: Buffer | null
    usedSteps: number[] | null
    recoveryCodes: Buffer[] | null
  }>

export const RECORD_COLUMNS = sql`s.failed_attempts, s.locked_until, s.session_expires_at, s.logged_in_at,
  s.is_phone_unproven, s.sms_sent_at, t.secret, t.used_steps, t.recovery_codes,
  p.credential_id, p.public_key, p.algorithm, p.counter::float8 as counter, p.rp_id`

/** One statement, so that it sees all changes that the previous holder of the customer's lock committed. */
export async function findRecord(
  tx: Tx,
  platformId: PlatformId,
  customerId: CustomerId,
): Promise<ScaRecord> {
  const row = await tx.one<RecordRow>(
    sql`select ${RECORD_COLUMNS}
        from (select ${platformId}::uuid as platform_id, ${customerId}::uuid as customer_id) c
        left join sca_states s using (platform_id, customer_id)
        left join sca_totp_factors t using (platform_id, customer_id)
        left join sca_passkeys p using (platform_id, customer_id)`,
  )
  return toRecord(row)
}

export function toRecord(row: RecordRow): ScaRecord {
  return {
    security: {
      failedAttempts: row.failedAttempts ?? 0,
      lockedUntil: row.lockedUntil,
      sessionExpiresAt: row.sessionExpiresAt,
      loggedInAt: row.loggedInAt,
    },
    isPhoneUnproven: row.isPhoneUnproven ?? false,
    smsSentAt: row.smsSentAt ?? [],
    totp: totpOf(row),
    passkey: passkeyOf(row),
  }
}

function totpOf({ secret, usedSteps, recoveryCodes }: RecordRow): TotpFactor | undefined {
  if (secret === null || usedSteps === null || recoveryCodes === null) return undefined
  return { secret, usedSteps, recoveryCodes }
}

function passkeyOf(row: PasskeyRow): Passkey | undefined {
  const { credentialId, publicKey, algorithm, counter, rpId } = row
  if (!credentialId || !publicKey || !algorithm || counter === null || !rpId) return undefined
  return { credentialId, publicKey, algorithm, counter, rpId }
}

export function saveSecurity(
  tx: Tx,
  platformId: PlatformId,
  { customerId, security }: { customerId: CustomerId; security: SecurityState },
): void {
  const { failedAttempts, lockedUntil, sessionExpiresAt, loggedInAt } = security
  tx.queueWrite(
    sql`insert into sca_states (platform_id, customer_id, failed_attempts, locked_until, session_expires_at,
          logged_in_at)
        values (${platformId}, ${customerId}, ${failedAttempts}, ${lockedUntil}, ${sessionExpiresAt}, ${loggedInAt})
        on conflict (platform_id, customer_id) do update set failed_attempts = excluded.failed_attempts,
          locked_until = excluded.locked_until, session_expires_at = excluded.session_expires_at,
          logged_in_at = excluded.logged_in_at`,
  )
}

export function savePhoneProof(
  tx: Tx,
  platformId: PlatformId,
  { customerId, isPhoneUnproven }: { customerId: CustomerId; isPhoneUnproven: boolean },
): void {
  tx.queueWrite(
    sql`insert into sca_states (platform_id, customer_id, is_phone_unproven)
        values (${platformId}, ${customerId}, ${isPhoneUnproven})
        on conflict (platform_id, customer_id) do update set is_phone_unproven = excluded.is_phone_unproven`,
  )
}

export function saveSmsSends(
  tx: Tx,
  platformId: PlatformId,
  { customerId, smsSentAt }: { customerId: CustomerId; smsSentAt: readonly Date[] },
): void {
  tx.queueWrite(
    sql`insert into sca_states (platform_id, customer_id, sms_sent_at)
        values (${platformId}, ${customerId}, ${smsSentAt}::timestamptz[])
        on conflict (platform_id, customer_id) do update set sms_sent_at = excluded.sms_sent_at`,
  )
}

/** When proofs of trust changes were wrong, oldest first. */
export async function readTrustFailures(
  tx: Tx,
  platformId: PlatformId,
  customerId: CustomerId,
): Promise<readonly Date[]> {
  const row = await tx.find<{ trustFailedAt: Date[] }>(
    sql`select trust_failed_at from sca_states
        where platform_id = ${platformId} and customer_id = ${customerId}`,
  )
  return row?.trustFailedAt ?? []
}

export function saveTrustFailures(
  tx: Tx,
  platformId: PlatformId,
  { customerId, trustFailedAt }: { customerId: CustomerId; trustFailedAt: readonly Date[] },
): void {
  tx.queueWrite(
    sql`insert into sca_states (platform_id, customer_id, trust_failed_at)
        values (${platformId}, ${customerId}, ${trustFailedAt}::timestamptz[])
        on conflict (platform_id, customer_id) do update set trust_failed_at = excluded.trust_failed_at`,
  )
}

export function insertTotp(
  tx: Tx,
  platformId: PlatformId,
  { customerId, totp }: { customerId: CustomerId; totp: TotpFactor },
): void {
  tx.queueWrite(
    sql`insert into sca_totp_factors (platform_id, customer_id, secret, used_steps, recovery_codes)
        values (${platformId}, ${customerId}, ${totp.secret}, ${totp.usedSteps}::integer[],
          ${totp.recoveryCodes}::bytea[])`,
  )
}

/** Saves which steps and recovery codes a proof has used up. */
export function saveTotpUse(
  tx: Tx,
  platformId: PlatformId,
  { customerId, totp }: { customerId: CustomerId; totp: TotpFactor },
): void {
  tx.queueWrite(
    sql`update sca_totp_factors set used_steps = ${totp.usedSteps}::integer[],
          recovery_codes = ${totp.recoveryCodes}::bytea[]
        where platform_id = ${platformId} and customer_id = ${customerId}`,
  )
}

export function insertPasskey(
  tx: Tx,
  platformId: PlatformId,
  { customerId, passkey }: { customerId: CustomerId; passkey: Passkey },
): void {
  tx.queueWrite(
    sql`insert into sca_passkeys (platform_id, customer_id, credential_id, public_key, algorithm, counter, rp_id)
        values (${platformId}, ${customerId}, ${passkey.credentialId}, ${passkey.publicKey},
          ${passkey.algorithm}, ${passkey.counter}, ${passkey.rpId})`,
  )
}

export function savePasskeyCounter(
  tx: Tx,
  platformId: PlatformId,
  { customerId, counter }: { customerId: CustomerId; counter: number },
): void {
  tx.queueWrite(
    sql`update sca_passkeys set counter = ${counter}
        where platform_id = ${platformId} and customer_id = ${customerId}`,
  )
}

/** Deletes a factor, with the recovery codes of an authenticator app. */
export function deleteFactor(
  tx: Tx,
  platformId: PlatformId,
  { customerId, factor }: { customerId: CustomerId; factor: EnrolledFactor },
): void {
  const table = factor === 'TOTP' ? sql`sca_totp_factors` : sql`sca_passkeys`
  tx.queueWrite(
    sql`delete from ${table} where platform_id = ${platformId} and customer_id = ${customerId}`,
  )
}

export type EnrolmentKey = Readonly<{ customerId: CustomerId; factor: EnrolledFactor }>
export type Enrolment = Readonly<{ secret: Buffer; wrongProofs: number; expiresAt: Date }>

/** Replaces a pending enrolment. */
export function saveEnrolment(
  tx: Tx,
  platformId: PlatformId,
  { customerId, factor, secret, expiresAt }: EnrolmentKey & Omit<Enrolment, 'wrongProofs'>,
): void {
  tx.queueWrite(
    sql`insert into sca_enrolments (platform_id, customer_id, factor, secret, wrong_proofs, expires_at)
        values (${platformId}, ${customerId}, ${factor}, ${secret}, 0, ${expiresAt})
        on conflict (platform_id, customer_id, factor) do update set secret = excluded.secret,
          wrong_proofs = 0, expires_at = excluded.expires_at`,
  )
}

export function findEnrolment(
  tx: Tx,
  platformId: PlatformId,
  { customerId, factor }: EnrolmentKey,
): Promise<Enrolment | undefined> {
  return tx.find<Enrolment>(
    sql`select secret, wrong_proofs, expires_at from sca_enrolments
        where platform_id = ${platformId} and customer_id = ${customerId} and factor = ${factor}`,
  )
}

export function countWrongEnrolmentProof(
  tx: Tx,
  platformId: PlatformId,
  { customerId, factor }: EnrolmentKey,
): void {
  tx.queueWrite(
    sql`update sca_enrolments set wrong_proofs = wrong_proofs + 1
        where platform_id = ${platformId} and customer_id = ${customerId} and factor = ${factor}`,
  )
}

export function deleteEnrolment(
  tx: Tx,
  platformId: PlatformId,
  { customerId, factor }: EnrolmentKey,
): void {
  tx.queueWrite(
    sql`delete from sca_enrolments
        where platform_id = ${platformId} and customer_id = ${customerId} and factor = ${factor}`,
  )
}

export function deleteEnrolmentsOfCustomer(
  tx: Tx,
  platformId: PlatformId,
  customerId: CustomerId,
): void {
  tx.queueWrite(
    sql`delete from sca_enrolments where platform_id = ${platformId} and customer_id = ${customerId}`,
  )
}

export function endSession(tx: Tx, platformId: PlatformId, customerId: CustomerId): void {
  tx.queueWrite(
    sql`update sca_states set session_expires_at = null
        where platform_id = ${platformId} and customer_id = ${customerId}`,
  )
}
