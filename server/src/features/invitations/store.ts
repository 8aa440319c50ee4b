import type { Id } from '../../kernel/ids.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { PLATFORM_COLUMNS, toPlatform, type PlatformRow } from '../../infra/platforms.ts'
import type { Invitation, OpenedInvitation } from './invitation.ts'

type PlatformId = Id<'platform'>
type Found = Omit<OpenedInvitation, 'now'>
type Row = Invitation & PlatformRow

const COLUMNS = sql`i.platform_id, i.code, i.inviter_id, i.inviter_uma, i.first_name, i.amount, i.currency, i.status,
  i.expires_at, i.invitee_platform_id, i.invitee_uma, i.claimed_at, i.created_at`

/** An invitation of any platform is found by its code (INV-5). */
const byCode = (code: string): Sql =>
  sql`select ${COLUMNS}, ${PLATFORM_COLUMNS} from invitations i join platforms p on p.id = i.platform_id
      where i.code = ${code}`

function toFound(row: Row | undefined): Found | undefined {
  if (!row) return undefined
  const { platformId, code, inviterId, inviterUma, firstName, amount, currency } = row
  const { status, expiresAt, inviteePlatformId, inviteeUma, claimedAt, createdAt } = row
  const invitation = {
    ...{ platformId, code, inviterId, inviterUma, firstName, amount, currency },
    ...{ status, expiresAt, inviteePlatformId, inviteeUma, claimedAt, createdAt },
  }
  return { invitation, platform: toPlatform(row) }
}

export const findByCode = async (tx: Tx, code: string): Promise<Found | undefined> =>
  toFound(await tx.maybe<Row>(byCode(code)))

export const lockByCode = async (tx: Tx, code: string): Promise<Found> => {
  const row = await tx.one<Row>(sql`${byCode(code)} for no key update of i`)
  return toFound(row) as Found
}

export function insertInvitation(tx: Tx, invitation: Invitation): void {
  tx.queueWrite(
    sql`insert into invitations (platform_id, code, inviter_id, inviter_uma, first_name, amount, currency, status,
          expires_at, created_at)
        values (${invitation.platformId}, ${invitation.code}, ${invitation.inviterId}, ${invitation.inviterUma},
          ${invitation.firstName}, ${invitation.amount}, ${invitation.currency}, ${invitation.status},
          ${invitation.expiresAt}, ${invitation.createdAt})`,
  )
}

/** Saves the columns of a locked invitation that may change. */
export function saveInvitation(tx: Tx, invitation: Invitation): void {
  const { platformId, code, status, inviteePlatformId, inviteeUma, claimedAt } = invitation
  tx.queueWrite(
    sql`update invitations set status = ${status}, invitee_platform_id = ${inviteePlatformId},
          invitee_uma = ${inviteeUma}, claimed_at = ${claimedAt}
        where platform_id = ${platformId} and code = ${code}`,
  )
}

/** Cancels pending invitations that have not expired. */
export async function cancelPendingOf(
  tx: Tx,
  platformId: PlatformId,
  { inviterId, now }: { inviterId: Id<'customer'>; now: Date },
): Promise<void> {
  await tx.run(
    sql`update invitations set status = 'CANCELLED'
        where platform_id = ${platformId} and inviter_id = ${inviterId} and status = 'PENDING'
          and (expires_at is null or expires_at > ${now})`,
  )
}
