import type { Id } from '../../../kernel/ids.ts'
import { sql, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { ChallengeSubject, ScaChallenge } from './challenge.ts'

type PlatformId = Id<'platform'>

const COLUMNS = sql`id, customer_id, purpose, quote_id, external_account_id, factor, available_factors, sms,
  passkey_challenge, passkey_credential_id, passkey_rp_id, wrong_proofs, resends, sent_at, expires_at, created_at`

function isOf(subject: ChallengeSubject): Sql {
  switch (subject.purpose) {
    case 'LOGIN':
      return sql`customer_id = ${subject.customerId} and purpose = 'LOGIN'`
    case 'TRUST_BENEFICIARY':
    case 'UNTRUST_BENEFICIARY':
      return sql`external_account_id = ${subject.externalAccountId} and purpose = ${subject.purpose}`
    default:
      return sql`quote_id = ${subject.quoteId}`
  }
}

export function findChallenge(
  tx: Tx,
  platformId: PlatformId,
  subject: ChallengeSubject,
): Promise<ScaChallenge | undefined> {
  return tx.find<ScaChallenge>(
    sql`select ${COLUMNS} from sca_challenges where platform_id = ${platformId} and ${isOf(subject)}`,
  )
}

export function findChallengeById(
  tx: Tx,
  platformId: PlatformId,
  id: Id<'scaChallenge'>,
): Promise<ScaChallenge | undefined> {
  return tx.find<ScaChallenge>(
    sql`select ${COLUMNS} from sca_challenges where platform_id = ${platformId} and id = ${id}`,
  )
}

export function listChallengesOfQuotes(
  tx: Tx,
  platformId: PlatformId,
  quoteIds: readonly Id<'quote'>[],
): Promise<ScaChallenge[]> {
  return tx.many<ScaChallenge>(
    sql`select ${COLUMNS} from sca_challenges
        where platform_id = ${platformId} and quote_id = any (${quoteIds}::uuid[])`,
  )
}

/** The quotes that wait for a proof of this customer. */
export async function listQuotesChallenged(
  tx: Tx,
  platformId: PlatformId,
  customerId: Id<'customer'>,
): Promise<Id<'quote'>[]> {
  const rows = await tx.many<{ quoteId: Id<'quote'> }>(
    sql`select quote_id from sca_challenges
        where platform_id = ${platformId} and customer_id = ${customerId} and quote_id is not null
        order by quote_id`,
  )
  return rows.map(({ quoteId }) => quoteId)
}

/** Replaces the challenge of the same subject. */
export function replaceChallenge(
  tx: Tx,
  platformId: PlatformId,
  { subject, challenge }: { subject: ChallengeSubject; challenge: ScaChallenge },
): void {
  deleteChallenge(tx, platformId, subject)
  tx.queueWrite(
    sql`insert into sca_challenges (platform_id, id, customer_id, purpose, quote_id, external_account_id, factor,
          available_factors, sms, passkey_challenge, passkey_credential_id, passkey_rp_id, sent_at, expires_at,
          created_at)
        values (${platformId}, ${challenge.id}, ${challenge.customerId}, ${challenge.purpose},
          ${challenge.quoteId}, ${challenge.externalAccountId}, ${challenge.factor},
          ${challenge.availableFactors}::text[], ${challenge.sms}, ${challenge.passkeyChallenge},
          ${challenge.passkeyCredentialId}, ${challenge.passkeyRpId}, ${challenge.sentAt}, ${challenge.expiresAt}, ${challenge.createdAt})`,
  )
}

export function deleteChallenge(tx: Tx, platformId: PlatformId, subject: ChallengeSubject): void {
  tx.queueWrite(
    sql`delete from sca_challenges where platform_id = ${platformId} and ${isOf(subject)}`,
  )
}

export function countWrongChallengeProof(
  tx: Tx,
  platformId: PlatformId,
  id: Id<'scaChallenge'>,
): void {
  tx.queueWrite(
    sql`update sca_challenges set wrong_proofs = wrong_proofs + 1
        where platform_id = ${platformId} and id = ${id}`,
  )
}

/** Saves a new code of the same challenge. */
export function saveResend(
  tx: Tx,
  platformId: PlatformId,
  { id, sms, sentAt }: { id: Id<'scaChallenge'>; sms: Buffer; sentAt: Date },
): void {
  tx.queueWrite(
    sql`update sca_challenges set sms = ${sms}, sent_at = ${sentAt}, resends = resends + 1
        where platform_id = ${platformId} and id = ${id}`,
  )
}

/** Deletes a customer's challenges, except those of quotes, which end with the quote. */
export function deleteChallengesOfCustomer(
  tx: Tx,
  platformId: PlatformId,
  customerId: Id<'customer'>,
): void {
  tx.queueWrite(
    sql`delete from sca_challenges
        where platform_id = ${platformId} and customer_id = ${customerId} and quote_id is null`,
  )
}
