import type { Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Channel } from '../customers/index.ts'
import type { SentCode } from './rules.ts'

export type ChannelKey = Readonly<{ customerId: Id<'customer'>; channel: Channel }>
export type ChannelRow = SentCode & Readonly<{ sentAt: readonly Date[] }>

/** Callers hold the customer's lock, so this row needs none. */
export function findChannel(
  tx: Tx,
  platformId: Id<'platform'>,
  { customerId, channel }: ChannelKey,
): Promise<ChannelRow | undefined> {
  return tx.find<ChannelRow>(
    sql`select code_digest, code_expires_at, wrong_codes, sent_at from contact_channels
        where platform_id = ${platformId} and customer_id = ${customerId} and channel = ${channel}`,
  )
}

export function saveSentCode(
  tx: Tx,
  platformId: Id<'platform'>,
  {
    customerId,
    channel,
    codeDigest,
    codeExpiresAt,
    sentAt,
  }: ChannelKey & Omit<ChannelRow, 'wrongCodes'>,
): void {
  tx.queueWrite(
    sql`insert into contact_channels
          (platform_id, customer_id, channel, code_digest, code_expires_at, wrong_codes, sent_at)
        values (${platformId}, ${customerId}, ${channel}, ${codeDigest}, ${codeExpiresAt}, 0,
          ${sentAt}::timestamptz[])
        on conflict (platform_id, customer_id, channel) do update set code_digest = excluded.code_digest,
          code_expires_at = excluded.code_expires_at, wrong_codes = 0, sent_at = excluded.sent_at`,
  )
}

export function countWrongCode(
  tx: Tx,
  platformId: Id<'platform'>,
  { customerId, channel }: ChannelKey,
): void {
  tx.queueWrite(
    sql`update contact_channels set wrong_codes = wrong_codes + 1
        where platform_id = ${platformId} and customer_id = ${customerId} and channel = ${channel}`,
  )
}

export function clearCode(
  tx: Tx,
  platformId: Id<'platform'>,
  { customerId, channel }: ChannelKey,
): void {
  tx.queueWrite(
    sql`update contact_channels set code_digest = null, code_expires_at = null, wrong_codes = 0
        where platform_id = ${platformId} and customer_id = ${customerId} and channel = ${channel}`,
  )
}
