import { newUuid, type Id } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { EndUserTermsConsent } from './consent-schema.ts'

export type TermsVersion = Readonly<{ version: string; body: string; publishedAt: Date }>

/** The terms belong to the service and are the same for every platform. */
export function findCurrentTerms(tx: Tx): Promise<TermsVersion> {
  return tx.one<TermsVersion>(
    sql`select version, body, published_at from end_user_terms order by position desc limit 1`,
  )
}

export function findTerms(tx: Tx, version: string): Promise<TermsVersion | undefined> {
  return tx.find<TermsVersion>(
    sql`select version, body, published_at from end_user_terms where version = ${version}`,
  )
}

/** Newest first, without their texts. */
export const listTermsVersions = (tx: Tx, limit: number): Promise<Omit<TermsVersion, 'body'>[]> =>
  tx.many(
    sql`select version, published_at from end_user_terms order by position desc limit ${limit}`,
  )

/** False where this version is published already. */
export async function insertTerms(
  tx: Tx,
  { version, body, publishedAt }: TermsVersion,
): Promise<boolean> {
  const inserted = await tx.run(
    sql`insert into end_user_terms (version, body, published_at) values (${version}, ${body}, ${publishedAt})
        on conflict do nothing`,
  )
  return inserted === 1
}

export type RecordedConsent = Readonly<{
  customerId: Id<'customer'>
  consent: EndUserTermsConsent
  at: Date
  requestId: string
}>

export function insertConsent(
  tx: Tx,
  platformId: Id<'platform'>,
  { customerId, consent, at, requestId }: RecordedConsent,
): void {
  tx.queueWrite(
    sql`insert into end_user_terms_consents (platform_id, customer_id, id, terms_version, accepted_at, ip_address,
          acceptance_method, recorded_at, request_id)
        values (${platformId}, ${customerId}, ${newUuid()}, ${consent.termsVersion}, ${consent.acceptedAt},
          ${consent.ipAddress}, ${consent.acceptanceMethod}, ${at}, ${requestId})`,
  )
}
