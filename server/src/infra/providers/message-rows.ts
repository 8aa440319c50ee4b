/** Messages of providers, so that a repetition gets the answer of the first one (PROV-24). */
import { seal, unseal, type Keyring } from '../../crypto/seal.ts'
import { addMs, DAY_MS } from '../../kernel/clock.ts'
import { fail } from '../../kernel/errors.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Database } from '../db/database.ts'
import { given, type Columns } from '../db/statement/given.ts'
import { sql } from '../db/statement/sql.ts'
import type { Tx } from '../db/tx.ts'

/** How long a message is recognised. */
const KEPT_MS = DAY_MS
const PRUNED_AT_ONCE = 5000

export type MessageKey = Readonly<{ providerId: Id<'provider'>; messageId: string }>

type ClaimedRow = Readonly<{ bodyDigest: Buffer; sealedAnswer: Buffer | null }>

/** What is known of a message: that it is new or was not answered yet, its stored answer, or that its id had another body. */
export type Claim = Readonly<
  { state: 'open' } | { state: 'answered'; answer: unknown } | { state: 'reused' }
>

const contextOf = ({ providerId, messageId }: MessageKey): string => `${providerId}/${messageId}`

/** Committed before the message is taken: of two bodies under one id, only the first has an effect. */
export async function claimMessage(
  { db, keyring }: Readonly<{ db: Database; keyring: Keyring }>,
  { providerId, messageId, ...message }: MessageKey & Readonly<{ bodyDigest: Buffer; now: Date }>,
): Promise<Claim> {
  const { bodyDigest, now } = message
  const isNew = await db.read.run(
    sql`insert into provider_messages as m (provider_id, message_id, body_digest, received_at)
        values (${providerId}, ${messageId}, ${bodyDigest}, ${now})
        on conflict (provider_id, message_id) do update
          set body_digest = excluded.body_digest, received_at = excluded.received_at, sealed_answer = null
          where m.received_at <= ${addMs(now, -KEPT_MS)}`,
  )
  if (isNew > 0) return { state: 'open' }
  const known = await db.read.one<ClaimedRow>(
    sql`select body_digest, sealed_answer from provider_messages
        where provider_id = ${providerId} and message_id = ${messageId}`,
  )
  if (!known.bodyDigest.equals(bodyDigest)) return { state: 'reused' }
  const { sealedAnswer } = known
  if (sealedAnswer === null) return { state: 'open' }
  const context = contextOf({ providerId, messageId })
  const answer = unseal(keyring, 'provider-answer', sealedAnswer, context).toString('utf8')
  return { state: 'answered', answer: JSON.parse(answer) }
}

export async function keepAnswer(
  { db, keyring }: Readonly<{ db: Database; keyring: Keyring }>,
  key: MessageKey,
  answer: unknown,
): Promise<void> {
  const sealed = seal(keyring, 'provider-answer', JSON.stringify(answer), contextOf(key))
  await db.read.run(
    sql`update provider_messages set sealed_answer = ${sealed}
        where provider_id = ${key.providerId} and message_id = ${key.messageId} and sealed_answer is null`,
  )
}

export type MessageRow = MessageKey & Readonly<{ bodyDigest: Buffer; receivedAt: Date }>

const MESSAGE: Columns<MessageRow> = {
  provider_id: ['uuid', (row) => row.providerId],
  message_id: ['text', (row) => row.messageId],
  body_digest: ['bytea', (row) => row.bodyDigest],
  received_at: ['timestamptz', (row) => row.receivedAt],
}

/** Of each message, whether its id came with another body within a day; for messages whose answers are kept elsewhere. */
export async function findReusedIds(
  tx: Tx,
  messages: readonly MessageRow[],
): Promise<(message: MessageRow) => boolean> {
  const rows = await tx.many<MessageKey & Readonly<{ bodyDigest: Buffer }>>(
    sql`select m.provider_id, m.message_id, m.body_digest from provider_messages m
          join ${given('n', MESSAGE, messages)} using (provider_id, message_id)
        where m.received_at > n.received_at - interval '24 hours'`,
  )
  const known = new Map(rows.map((row) => [contextOf(row), row.bodyDigest]))
  return (message) => known.get(contextOf(message))?.equals(message.bodyDigest) === false
}

/**
 * Queued for the commit. Another body that was written meanwhile fails it by a digest that is none, and the transaction
 * runs again (DECIDED_TOO_EARLY); two bodies in one call fail it as well.
 */
export function insertMessages(tx: Tx, messages: readonly MessageRow[]): void {
  const different = new Map(
    messages.map((row) => [`${contextOf(row)} ${row.bodyDigest.toString('hex')}`, row]),
  )
  const isOld = sql`m.received_at <= excluded.received_at - interval '24 hours'`
  tx.queueWrite(
    sql`insert into provider_messages as m (provider_id, message_id, body_digest, received_at)
        select * from ${given('n', MESSAGE, [...different.values()])} order by 1, 2
        on conflict (provider_id, message_id) do update
          set body_digest = case when ${isOld} then excluded.body_digest else '' end,
            received_at = excluded.received_at, sealed_answer = null
          where ${isOld} or m.body_digest <> excluded.body_digest`,
  )
}

/** Records a message whose answer is kept elsewhere, with the commit. Fails: CONFLICT where its id had another body. */
export async function recordMessage(tx: Tx, message: MessageRow): Promise<void> {
  const isReused = await findReusedIds(tx, [message])
  if (isReused(message)) fail('CONFLICT', { reason: 'MESSAGE_ID_REUSED' })
  insertMessages(tx, [message])
}

/** Removes messages that are not recognised any more, a bounded number at a time. */
export async function pruneMessages(db: Database, now: Date): Promise<void> {
  const until = addMs(now, -KEPT_MS)
  for (;;) {
    const removed = await db.read.run(
      sql`delete from provider_messages where received_at <= ${until} and ctid = any(array(
            select ctid from provider_messages where received_at <= ${until} limit ${PRUNED_AT_ONCE}))`,
    )
    if (removed < PRUNED_AT_ONCE) return
  }
}
