import { seal, unseal, type Keyring } from '../../../crypto/seal.ts'
import type { Id } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Order, OrderState } from '../../../orders/index.ts'

/** The current file of a submitted document. */
export type SubmittedFile = Readonly<{
  documentId: Id<'document'>
  fileId: string
  mediaType: string
  bytes: number
  digest: Buffer
}>

export const listSubmittedFiles = (
  { tx, platform }: Pick<Work, 'tx' | 'platform'>,
  snapshotId: string,
): Promise<SubmittedFile[]> =>
  tx.many<SubmittedFile>(
    sql`select d.id as document_id, d.file_id, d.media_type, f.bytes::float8 as bytes, d.digest
        from verification_snapshot_documents s
        join documents d on d.platform_id = s.platform_id and d.id = s.document_id
        join stored_files f on f.platform_id = d.platform_id and f.id = d.file_id
        where s.platform_id = ${platform.id} and s.snapshot_id = ${snapshotId} order by d.created_at, d.id`,
  )

type NewLinks = Readonly<{
  platformId: Id<'platform'>
  orderId: Id<'order'>
  files: readonly SubmittedFile[]
  /** One for each file. */
  tokenDigests: readonly Buffer[]
  expiresAt: Date
}>

export function insertFileLinks(tx: Tx, links: NewLinks): void {
  const { platformId, orderId, files, tokenDigests, expiresAt } = links
  if (files.length === 0) return
  tx.queueWrite(
    sql`insert into provider_file_links (token_digest, platform_id, order_id, document_id, file_id, expires_at)
        select t, ${platformId}, ${orderId}, d, f, ${expiresAt}
        from unnest(${tokenDigests}::bytea[], ${files.map(({ documentId }) => documentId)}::uuid[],
          ${files.map(({ fileId }) => fileId)}::uuid[]) as l (t, d, f)`,
  )
}

export type FileLink = Readonly<{
  platformId: Id<'platform'>
  orderId: Id<'order'>
  providerId: Id<'provider'>
  documentId: Id<'document'>
  /** Null if the file has been replaced since. */
  fileId: string | null
  mediaType: string | null
  expiresAt: Date
  state: OrderState
}>

export const findFileLink = (tx: Tx, tokenDigest: Buffer): Promise<FileLink | undefined> =>
  tx.find<FileLink>(
    sql`select l.platform_id, l.order_id, o.provider_id, l.document_id, d.file_id, d.media_type,
          l.expires_at, o.state
        from provider_file_links l
        join provider_orders o on o.platform_id = l.platform_id and o.id = l.order_id
        left join documents d on d.platform_id = l.platform_id and d.id = l.document_id and d.file_id = l.file_id
        where l.token_digest = ${tokenDigest}`,
  )

/** A provider's decision about a verification, with its evidence. */
export type IdentityDecision = Readonly<{
  orderId: Id<'order'>
  providerId: Id<'provider'>
  decision: string
  decidedAt: Date
  evidence: unknown
}>

const PURPOSE = 'identity-evidence'

type NewDecision = Readonly<{
  verificationId: Id<'verification'>
  decision: string
  evidence?: unknown
}>

export function insertDecision(
  { tx, keyring, now }: Pick<Work, 'tx' | 'keyring' | 'now'>,
  { platformId, id, providerId }: Order,
  { verificationId, decision, evidence }: NewDecision,
): void {
  const sealed =
    evidence === undefined ? null : seal(keyring, PURPOSE, JSON.stringify(evidence), id)
  tx.queueWrite(
    sql`insert into identity_decisions (platform_id, order_id, provider_id, verification_id, decision, evidence,
          decided_at)
        values (${platformId}, ${id}, ${providerId}, ${verificationId}, ${decision}, ${sealed}, ${now})`,
  )
}

/** Oldest first. */
export async function listDecisions(
  {
    tx,
    platform,
    keyring,
  }: Readonly<{ tx: Tx; platform: { id: Id<'platform'> }; keyring: Keyring }>,
  verificationId: Id<'verification'>,
): Promise<IdentityDecision[]> {
  const rows = await tx.many<Omit<IdentityDecision, 'evidence'> & { evidence: Buffer | null }>(
    sql`select order_id, provider_id, decision, decided_at, evidence from identity_decisions
        where platform_id = ${platform.id} and verification_id = ${verificationId} order by decided_at, order_id`,
  )
  return rows.map(({ evidence, ...row }) => ({
    ...row,
    evidence: evidence
      ? (JSON.parse(unseal(keyring, PURPOSE, evidence, row.orderId).toString('utf8')) as unknown)
      : undefined,
  }))
}
