import type { Id } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'

type PlatformId = Id<'platform'>

/** The current one-time code of a credential. */
export type Otp = Readonly<{
  credentialId: Id<'authMethod'>
  id: string
  codeDigest: Buffer
  /** Sealed. */
  targetScalar: Buffer
  wrongCodes: number
  readyAt: Date
  shown: boolean
  expiresAt: Date
}>

export function findOtp(
  tx: Tx,
  platformId: PlatformId,
  credentialId: Id<'authMethod'>,
): Promise<Otp | undefined> {
  return tx.find<Otp>(
    sql`select credential_id, id, code_digest, target_scalar, wrong_codes, ready_at, shown, expires_at
        from wallet_otps where platform_id = ${platformId} and credential_id = ${credentialId}`,
  )
}

/** Replaces the credential's current OTP, which is void from then on. */
export function replaceOtp(tx: Tx, platformId: PlatformId, otp: Otp): void {
  tx.queueWrite(
    sql`insert into wallet_otps (platform_id, credential_id, id, code_digest, target_scalar, wrong_codes, ready_at,
          shown, expires_at)
        values (${platformId}, ${otp.credentialId}, ${otp.id}, ${otp.codeDigest}, ${otp.targetScalar},
          ${otp.wrongCodes}, ${otp.readyAt}, ${otp.shown}, ${otp.expiresAt})
        on conflict (platform_id, credential_id) do update set id = excluded.id, code_digest = excluded.code_digest,
          target_scalar = excluded.target_scalar, wrong_codes = excluded.wrong_codes, ready_at = excluded.ready_at,
          shown = excluded.shown, expires_at = excluded.expires_at`,
  )
}

/** Returns whether it was still the current OTP. */
export async function deleteOtp(
  tx: Tx,
  platformId: PlatformId,
  { credentialId, id }: Pick<Otp, 'credentialId' | 'id'>,
): Promise<boolean> {
  const deleted = await tx.run(
    sql`delete from wallet_otps
        where platform_id = ${platformId} and credential_id = ${credentialId} and id = ${id}`,
  )
  return deleted > 0
}
