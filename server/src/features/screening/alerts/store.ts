import { seal, unseal } from '../../../crypto/seal.ts'
import { newUuid, parseId, type Id } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { findPlatformOf } from '../../../infra/platforms.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { AlertBody } from '../../../providers/http/messages/pushes.ts'

export type Alert = Readonly<{
  providerId: Id<'provider'>
  /** The provider's own id of it. */
  outsideId: string
  subject: string
  kind: AlertBody['kind']
  level: AlertBody['level']
  raisedAt: Date
  receivedAt: Date
}> &
  Content

type Content = Pick<AlertBody, 'message' | 'matches'>

const PURPOSE = 'alert'

/** Answers false where the provider has sent it before. */
export async function insertAlert(
  { tx, platform, keyring, now }: Work,
  providerId: Id<'provider'>,
  { alertId, subject, kind, level, at, message, matches }: AlertBody,
): Promise<boolean> {
  const id = newUuid()
  const content = seal(keyring, PURPOSE, JSON.stringify({ message, matches }), id)
  const inserted = await tx.run(
    sql`insert into alerts (platform_id, id, provider_id, outside_id, subject, kind, level, content, raised_at,
          received_at)
        values (${platform.id}, ${id}, ${providerId}, ${alertId}, ${subject}, ${kind}, ${level}, ${content}, ${at},
          ${now})
        on conflict do nothing`,
  )
  return inserted === 1
}

/** About any of the subjects, newest first, for reviewers. */
export async function listAlerts(
  { tx, platform, keyring }: Pick<Work, 'tx' | 'platform' | 'keyring'>,
  subjects: readonly string[],
): Promise<Alert[]> {
  const rows = await tx.many<Omit<Alert, keyof Content> & { id: string; content: Buffer }>(
    sql`select id, provider_id, outside_id, subject, kind, level, content, raised_at, received_at from alerts
        where platform_id = ${platform.id} and subject = any(${subjects}::text[]) and content is not null order by received_at desc, id desc`,
  )
  return rows.map(({ id, content, ...row }) => {
    const opened = JSON.parse(unseal(keyring, PURPOSE, content, id).toString('utf8')) as Content
    return { ...row, ...opened }
  })
}

const platformOfOwner = (tx: Tx, id: Id<'beneficialOwner'>) =>
  findPlatformOf(tx, sql`beneficial_owners`, id)

const platformOfCustomer = (tx: Tx, id: Id<'customer'>) => findPlatformOf(tx, sql`customers`, id)

export function findPlatformOfSubject(
  tx: Tx,
  subject: string,
): Promise<Id<'platform'> | undefined> {
  const ownerId = parseId('beneficialOwner', subject)
  if (ownerId) return platformOfOwner(tx, ownerId)
  const customerId = parseId('customer', subject)
  return customerId ? platformOfCustomer(tx, customerId) : Promise.resolve(undefined)
}
