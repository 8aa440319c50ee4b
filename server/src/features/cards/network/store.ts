import type { Id } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { PLATFORM_COLUMNS, toPlatform, type PlatformRow } from '../../../infra/platforms.ts'

export type StatedMoney = Readonly<{ amount: number; currency: string }>

/** The answer to a provider (PROV-113). */
export type NetworkDecision = Readonly<{
  decision: 'APPROVED' | 'DECLINED'
  declineReason?: string
  cardTransactionId?: string
  approvedAmount?: StatedMoney
  availableBalance?: StatedMoney
}>

/** Two messages with the same key are repetitions of one authorization. */
export type AuthorizationKey = Readonly<{
  providerId: Id<'provider'>
  networkReference: string
  kind: string
}>

type Decided = Readonly<{
  /** Null for a balance inquiry. */
  cardTransactionId: Id<'cardTransaction'> | null
  /** The answer to repetitions. */
  decision: NetworkDecision
  /** The decision that the provider made by itself (PROV-116). */
  standIn: NetworkDecision['decision'] | null
}>

export type StoredAuthorization = AuthorizationKey &
  Decided &
  Readonly<{ digest: Buffer; otherDigest: Buffer | null }>

export type NewAuthorization = AuthorizationKey &
  Decided &
  Readonly<{
    platformId: Id<'platform'>
    cardId: Id<'card'>
    digest: Buffer
    createdAt: Date
  }>

const KEY: Columns<AuthorizationKey> = {
  provider_id: ['uuid', (row) => row.providerId],
  network_reference: ['text', (row) => row.networkReference],
  kind: ['text', (row) => row.kind],
}

const WHOLE: Columns<NewAuthorization> = {
  ...KEY,
  platform_id: ['uuid', (row) => row.platformId],
  card_id: ['uuid', (row) => row.cardId],
  card_transaction_id: ['uuid', (row) => row.cardTransactionId],
  digest: ['bytea', (row) => row.digest],
  decision: ['jsonb', (row) => sql.json(row.decision)],
  stand_in: ['text', (row) => row.standIn],
  created_at: ['timestamptz', (row) => row.createdAt],
}

export const authorizationMapKey = ({
  providerId,
  networkReference,
  kind,
}: AuthorizationKey): string => `${providerId} ${kind} ${networkReference}`

export async function findAuthorizations(
  tx: Tx,
  keys: readonly AuthorizationKey[],
): Promise<ReadonlyMap<string, StoredAuthorization>> {
  const rows = await tx.many<StoredAuthorization>(
    sql`select a.provider_id, a.network_reference, a.kind, a.card_transaction_id, a.digest, a.other_digest, a.decision,
          a.stand_in
        from card_authorizations a join ${given('k', KEY, keys)} using (provider_id, network_reference, kind)`,
  )
  return new Map(rows.map((row) => [authorizationMapKey(row), row]))
}

/** Queues the insert for the commit. If another transaction wrote the row first, the commit fails and is retried. */
export function insertAuthorizations(tx: Tx, rows: readonly NewAuthorization[]): void {
  tx.queueWrite(
    sql`insert into card_authorizations (provider_id, network_reference, kind, platform_id, card_id, card_transaction_id,
          digest, decision, stand_in, created_at)
        select * from ${given('n', WHOLE, rows)}`,
  )
}

export function saveOtherDigest(
  tx: Tx,
  { providerId, networkReference, kind }: AuthorizationKey,
  digest: Buffer,
): void {
  tx.queueWrite(
    sql`update card_authorizations set other_digest = ${digest}
        where provider_id = ${providerId} and network_reference = ${networkReference} and kind = ${kind}`,
  )
}

/** Replaces the decision by the one that the provider made by itself. */
export function saveStandIn(
  tx: Tx,
  { providerId, networkReference, kind }: AuthorizationKey,
  { cardTransactionId, decision, standIn }: Decided,
): void {
  tx.queueWrite(
    sql`update card_authorizations set card_transaction_id = ${cardTransactionId}, decision = ${sql.json(decision)},
          stand_in = ${standIn}
        where provider_id = ${providerId} and network_reference = ${networkReference} and kind = ${kind}`,
  )
}

/** A card by one or both of its names. */
export type NamedCard = Readonly<{
  providerId: Id<'provider'>
  cardId: Id<'card'> | undefined
  processorRef: string | undefined
}>

export type OutsideCard = Readonly<{ id: Id<'card'>; platform: Platform }>

const NAMED: Columns<NamedCard & Readonly<{ index: number }>> = {
  index: ['integer', ({ index }) => index],
  provider_id: ['uuid', ({ providerId }) => providerId],
  card_id: ['uuid', ({ cardId }) => cardId],
  processor_ref: ['text', ({ processorRef }) => processorRef],
}

/** Finds cards that the providers issued, with their platforms, in the order of the names; undefined if not found. */
export async function findCardsOfProviders(
  tx: Tx,
  names: readonly NamedCard[],
): Promise<readonly (OutsideCard | undefined)[]> {
  const indexed = names.map((name, index) => ({ ...name, index }))
  const rows = await tx.many<PlatformRow & Readonly<{ index: number; cardId: Id<'card'> }>>(
    sql`select n.index, c.card_id, ${PLATFORM_COLUMNS} from ${given('n', NAMED, indexed)}
        cross join lateral (
          select c.platform_id, c.id as card_id from cards c
          where n.card_id is not null and c.provider_id = n.provider_id and c.id = n.card_id
            and (n.processor_ref is null or c.processor_ref = n.processor_ref)
          union all
          select c.platform_id, c.id from cards c
          where n.card_id is null and c.provider_id = n.provider_id and c.processor_ref = n.processor_ref) c
        join platforms p on p.id = c.platform_id`,
  )
  const found = new Map(rows.map((row) => [row.index, row]))
  return names.map((_, index) => {
    const row = found.get(index)
    return row && { id: row.cardId, platform: toPlatform(row) }
  })
}
