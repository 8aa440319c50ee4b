import type { Id } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { PLATFORM_COLUMNS, toPlatform, type PlatformRow } from '../../../infra/platforms.ts'

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

type Decided = Readonly<{
  /** Null for a balance inquiry. */
  cardTransactionId: Id<'cardTransaction'> | null
  /** What a repetition is answered. */
  decision: NetworkDecision
  /** What the provider decided by itself (PROV-116). */
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
  provider_id: ['uuid', (row) => row.providerId],
  network_reference: ['text', (row) => row.networkReference],
  kind: ['text', (row) => row.kind],
  platform_id: ['uuid', (row) => row.platformId],
  card_id: ['uuid', (row) => row.cardId],
  card_transaction_id: ['uuid', (row) => row.cardTransactionId],
  digest: ['bytea', (row) => row.digest],
  decision: ['jsonb', (row) => sql.json(row.decision)],
  stand_in: ['text', (row) => row.standIn],
  created_at: ['timestamptz', (row) => row.createdAt],
}

export const nameOf = ({ providerId, networkReference, kind }: AuthorizationKey): string =>
  `${providerId} ${kind} ${networkReference}`

export async function findAuthorizations(
  tx: Tx,
  keys: readonly AuthorizationKey[],
): Promise<ReadonlyMap<string, StoredAuthorization>> {
  const rows = await tx.many<StoredAuthorization>(
    sql`select a.provider_id, a.network_reference, a.kind, a.card_transaction_id, a.digest, a.other_digest, a.decision,
          a.stand_in
        from card_authorizations a join ${given('k', KEY, keys)} using (provider_id, network_reference, kind)`,
  )
  return new Map(rows.map((row) => [nameOf(row), row]))
}

/** Queued for the commit. A row that another transaction wrote meanwhile fails it, and the decision is made again. */
export function insertAuthorizations(tx: Tx, rows: readonly NewAuthorization[]): void {
  tx.trail(
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
  tx.trail(
    sql`update card_authorizations set other_digest = ${digest}
        where provider_id = ${providerId} and network_reference = ${networkReference} and kind = ${kind}`,
  )
}

/** What the provider decided by itself is in force from now on. */
export function saveStandIn(
  tx: Tx,
  { providerId, networkReference, kind }: AuthorizationKey,
  { cardTransactionId, decision, standIn }: Decided,
): void {
  tx.trail(
    sql`update card_authorizations set card_transaction_id = ${cardTransactionId}, decision = ${sql.json(decision)},
          stand_in = ${standIn}
        where provider_id = ${providerId} and network_reference = ${networkReference} and kind = ${kind}`,
  )
}

type NamedCard = Readonly<{ cardId: Id<'card'> | undefined; processorRef: string | undefined }>

type OutsideCard = Readonly<{ id: Id<'card'>; platform: Platform }>

/** A card that the provider issued, by either of its names, with its platform. */
export async function findCardOfProvider(
  tx: Tx,
  providerId: Id<'provider'>,
  { cardId, processorRef }: NamedCard,
): Promise<OutsideCard | undefined> {
  const row = await tx.maybe<PlatformRow & Readonly<{ cardId: Id<'card'> }>>(
    sql`select c.id as card_id, ${PLATFORM_COLUMNS} from cards c join platforms p on p.id = c.platform_id
        where c.provider_id = ${providerId}
          ${cardId === undefined ? sql.empty : sql`and c.id = ${cardId}`}
          ${processorRef === undefined ? sql.empty : sql`and c.processor_ref = ${processorRef}`} limit 1`,
  )
  return row && { id: row.cardId, platform: toPlatform(row) }
}
