import type { Id } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { PLATFORM_COLUMNS, toPlatform, type PlatformRow } from '../../../infra/platforms.ts'

type PlatformId = Id<'platform'>

export type DeviceCode = Readonly<{
  agentId: Id<'agent'>
  expiresAt: Date
  redeemedAt: Date | null
  supersededAt: Date | null
}>

/** Inserts a new code and supersedes the agent's unredeemed ones. */
export async function replaceDeviceCode(
  tx: Tx,
  platformId: PlatformId,
  code: Readonly<{ digest: Buffer; agentId: Id<'agent'>; createdAt: Date; expiresAt: Date }>,
): Promise<void> {
  await tx.run(
    sql`with ended as (
          update agent_device_codes set superseded_at = ${code.createdAt}
          where platform_id = ${platformId} and agent_id = ${code.agentId} and redeemed_at is null
            and superseded_at is null)
        insert into agent_device_codes (platform_id, digest, agent_id, created_at, expires_at)
        values (${platformId}, ${code.digest}, ${code.agentId}, ${code.createdAt}, ${code.expiresAt})`,
  )
}

/** Codes of deleted agents are not found. */
export function findDeviceCode(
  tx: Tx,
  platformId: PlatformId,
  digest: Buffer,
): Promise<DeviceCode | undefined> {
  return tx.find<DeviceCode>(
    sql`select c.agent_id, c.expires_at, c.redeemed_at, c.superseded_at
        from agent_device_codes c join agents a on a.platform_id = c.platform_id and a.id = c.agent_id
        where c.platform_id = ${platformId} and c.digest = ${digest} and a.deleted_at is null`,
  )
}

export async function markRedeemed(
  tx: Tx,
  platformId: PlatformId,
  { digest, at }: { digest: Buffer; at: Date },
): Promise<void> {
  await tx.run(
    sql`update agent_device_codes set redeemed_at = ${at}
        where platform_id = ${platformId} and digest = ${digest}`,
  )
}

/** Searches all platforms, because the caller presents nothing but the code. */
export async function findOwnerOfCode(
  tx: Tx,
  digest: Buffer,
): Promise<
  Readonly<{ platform: Platform; agentId: Id<'agent'>; customerId: Id<'customer'> }> | undefined
> {
  const row = await tx.find<
    PlatformRow & Readonly<{ agentId: Id<'agent'>; customerId: Id<'customer'> }>
  >(
    sql`select a.id as agent_id, a.customer_id, ${PLATFORM_COLUMNS}
        from agent_device_codes c
        join agents a on a.platform_id = c.platform_id and a.id = c.agent_id and a.deleted_at is null
        join platforms p on p.id = c.platform_id
        where c.digest = ${digest}`,
  )
  return row && { platform: toPlatform(row), agentId: row.agentId, customerId: row.customerId }
}
