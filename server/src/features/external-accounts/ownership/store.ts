import type { Id } from '../../../kernel/ids.ts'
import type { WaitingPage } from '../../../kernel/page.ts'
import type { Environment } from '../../../kernel/platform.ts'
import { sql, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { afterPlace, countWaiting, ofPlatforms } from '../../../infra/db/list-rows.ts'
import { CUSTOMER_NAME, nameCustomers, type SealedName } from '../../customers/lists.ts'
import type { OwnershipMethod } from './rules.ts'

type PlatformId = Id<'platform'>
type AccountId = Id<'externalAccount'>

export type ChallengeOutcome = 'PROVEN' | 'FAILED' | 'SUPERSEDED' | 'CANCELLED'

export type OwnershipChallenge = Readonly<{
  id: string
  externalAccountId: AccountId
  method: OwnershipMethod
  /** The text to sign; null for LIVENESS. */
  message: string | null
  expiresAt: Date
  /** When the holder submitted a liveness check. */
  submittedAt: Date | null
  /** Null while the challenge is open. */
  outcome: ChallengeOutcome | null
}>

const COLUMNS = sql`id, external_account_id, method, message, expires_at, submitted_at, outcome`

export type NewChallenge = Omit<OwnershipChallenge, 'submittedAt' | 'outcome'> &
  Readonly<{ linkDigest: Buffer | null; createdAt: Date }>

export async function insertChallenge(
  tx: Tx,
  platformId: PlatformId,
  challenge: NewChallenge,
): Promise<void> {
  await tx.run(
    sql`insert into ownership_challenges (platform_id, id, external_account_id, method, message, link_digest,
          expires_at, created_at)
        values (${platformId}, ${challenge.id}, ${challenge.externalAccountId}, ${challenge.method},
          ${challenge.message}, ${challenge.linkDigest}, ${challenge.expiresAt}, ${challenge.createdAt})`,
  )
}

/** The caller holds the account's lock, so the answer is valid until the transaction ends. */
export async function findOpenChallenge(
  tx: Tx,
  platformId: PlatformId,
  externalAccountId: AccountId,
): Promise<OwnershipChallenge | undefined> {
  return tx.find<OwnershipChallenge>(
    sql`select ${COLUMNS} from ownership_challenges
        where platform_id = ${platformId} and external_account_id = ${externalAccountId} and outcome is null`,
  )
}

export async function endOpenChallenge(
  tx: Tx,
  platformId: PlatformId,
  {
    externalAccountId,
    outcome,
    at,
  }: { externalAccountId: AccountId; outcome: ChallengeOutcome; at: Date },
): Promise<void> {
  await tx.run(
    sql`update ownership_challenges set outcome = ${outcome}, ended_at = ${at}
        where platform_id = ${platformId} and external_account_id = ${externalAccountId} and outcome is null`,
  )
}

export async function saveSubmission(
  tx: Tx,
  platformId: PlatformId,
  { id, at }: { id: string; at: Date },
): Promise<void> {
  await tx.run(
    sql`update ownership_challenges set submitted_at = ${at}
        where platform_id = ${platformId} and id = ${id} and submitted_at is null`,
  )
}

export type LinkedChallenge = OwnershipChallenge & Readonly<{ platformId: PlatformId }>

/** The visitor has only the link's secret, which also determines the platform. */
export async function findChallengeByLink(
  tx: Tx,
  linkDigest: Buffer,
): Promise<LinkedChallenge | undefined> {
  return tx.find<LinkedChallenge>(
    sql`select platform_id, ${COLUMNS} from ownership_challenges where link_digest = ${linkDigest}`,
  )
}

export type OwnershipReview = Readonly<{
  platformId: PlatformId
  environment: Environment
  externalAccountId: AccountId
  customerId: Id<'customer'> | null
  /** Null for the platform's own wallets. */
  customerName: string | null
  accountType: string
  createdAt: Date
  expiresAt: Date
  submittedAt: Date | null
}>

/** Open liveness checks for the operator, oldest first, without expired ones. */
const waiting =
  (now: Date) =>
  ({ platformIds, after, limit }: WaitingPage): Sql =>
    sql`select o.platform_id, p.environment, o.external_account_id, a.customer_id, a.account_type, o.created_at,
          o.expires_at, o.submitted_at,
          ${CUSTOMER_NAME}
        from ownership_challenges o
          join platforms p on p.id = o.platform_id
          join external_accounts a on a.platform_id = o.platform_id and a.id = o.external_account_id
          left join customers c on c.platform_id = o.platform_id and c.id = a.customer_id
        where o.method = 'LIVENESS' and o.outcome is null ${ofPlatforms(platformIds, sql`o.platform_id`)}
          and (o.submitted_at is not null
            or o.expires_at > ${now}::timestamptz + p.clock_offset_ms * interval '1 millisecond')
          ${afterPlace(after, sql`o.created_at, o.external_account_id`)}
        order by o.created_at, o.external_account_id limit ${limit}`

export const listOwnershipReviews = async (
  tx: Tx,
  { now, ...page }: WaitingPage & Readonly<{ now: Date }>,
): Promise<OwnershipReview[]> =>
  nameCustomers(tx.keyring, await tx.many<OwnershipReview & SealedName>(waiting(now)(page)))

export const countOwnershipReviews = (
  tx: Tx,
  { now, ...bound }: Readonly<{ now: Date; atMost: number }>,
): Promise<number> => countWaiting(tx, waiting(now), bound)
