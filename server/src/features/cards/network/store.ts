import type { Id } from '../../../kernel/ids.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'

export type StatedMoney = Readonly<{ amount: number; currency: string }>

/** What a provider is answered (PROV-113). */
export type NetworkDecision = Readonly<{
  decision: 'APPROVED' | 'DECLINED'
  declineReason?: string
  cardTransactionId?: string
  approvedAmount?: StatedMoney
  availableBalance?: StatedMoney
}>

/** What makes two messages the same question. */
export type AuthorizationKey = Readonly<{
  providerId: Id<'provider'>
  networkReference: string
  kind: string
}>

export type StoredAuthorization = AuthorizationKey &
  Readonly<{ digest: Buffer; otherDigest: Buffer | null; decision: NetworkDecision }>

export type NewAuthorization = AuthorizationKey &
  Readonly<{
    platformId: Id<'platform'>
    cardId: Id<'card'>
    cardTransactionId: Id<'cardTransaction'> | null
    digest: Buffer
    decision: NetworkDecision
    createdAt: Date
  }>

const KEY: Columns<AuthorizationKey> = {
  provider_id: ['uuid', (row) => row.providerId],
  network_reference: ['text', (row) => row.networkReference],
  kind: ['text', (row) => row.kind],
}

const WHOLE: Columns<NewAuthorization> = {
  provider_id: ['uuid', (row) => row.providerId],
  network_reference: ['text', (row) => row.networkReference],
  kind: ['text', (row) => row.kind],
  platform_id: ['uuid', (row) => row.platformId],
  card_id: ['uuid', (row) => row.cardId],
  card_transaction_id: ['uuid', (row) => row.cardTransactionId],
  digest: ['bytea', (row) => row.digest],
  decision: ['jsonb', (row) => sql.json(row.decision)],
  created_at: ['timestamptz', (row) => row.createdAt],
}

export const nameOf = ({ providerId, networkReference, kind }: AuthorizationKey): string =>
  `${providerId} ${kind} ${networkReference}`

export async function findAuthorizations(
  tx: Tx,
  keys: readonly AuthorizationKey[],
): Promise<ReadonlyMap<string, StoredAuthorization>> {
  const rows = await tx.many<StoredAuthorization>(
    sql`select a.provider_id, a.network_reference, a.kind, a.digest, a.other_digest, a.decision
        from card_authorizations a join ${given('k', KEY, keys)} using (provider_id, network_reference, kind)`,
  )
  return new Map(rows.map((row) => [nameOf(row), row]))
}

/** Queued for the commit. A row that another transaction wrote meanwhile fails it, and the decision is made again. */
export function insertAuthorizations(tx: Tx, rows: readonly NewAuthorization[]): void {
  tx.trail(
    sql`insert into card_authorizations (provider_id, network_reference, kind, platform_id, card_id, card_transaction_id,
          digest, decision, created_at)
        select * from ${given('n', WHOLE, rows)}`,
  )
}

export function saveOtherDigest(
  tx: Tx,
  { providerId, networkReference, kind }: AuthorizationKey,
  digest: Buffer,
): void {
  tx.trail(
    sql`update card_authorizations set other_digest = ${digest}
        where provider_id = ${providerId} and network_reference = ${networkReference} and kind = ${kind}`,
  )
}

type NamedCard = Readonly<{ cardId: Id<'card'> | undefined; processorRef: string | undefined }>

/** A card that the provider issued, by either of its names. */
export const findCardOfProvider = (
  tx: Tx,
  providerId: Id<'provider'>,
  { cardId, processorRef }: NamedCard,
): Promise<Readonly<{ id: Id<'card'>; platformId: Id<'platform'> }> | undefined> =>
  tx.maybe(
    sql`select id, platform_id from cards where provider_id = ${providerId}
        and (${cardId ?? null}::uuid is null or id = ${cardId ?? null}::uuid)
        and (${processorRef ?? null}::text is null or processor_ref = ${processorRef ?? null}::text) limit 1`,
  )
