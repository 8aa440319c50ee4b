import { Type } from '../../infra/http/schema/type.ts'
import { idField, timestamp } from '../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../kernel/clock.ts'
import { formatId } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import { listAlerts, listScreenings } from '../../features/screening/lists.ts'
import { record } from '../command.ts'

const matches = Type.Array(Type.Record(Type.String(), Type.Unknown()))

export const ScreeningSchema = record({
  orderId: idField('order'),
  subject: Type.String(),
  providerId: idField('provider'),
  verdict: Type.String(),
  listVersion: Type.String(),
  matches,
  decidedAt: timestamp(),
})

export const AlertSchema = record({
  alertId: Type.String(),
  subject: Type.String(),
  providerId: idField('provider'),
  kind: Type.String(),
  level: Type.String(),
  message: Type.String(),
  matches: Type.Optional(matches),
  raisedAt: timestamp(),
  receivedAt: timestamp(),
})

/** The results of screening providers about the subjects, newest first (PROV-107). */
export const shownScreenings = async (
  reading: Pick<Work, 'tx' | 'keyring'>,
  subjects: readonly string[],
) =>
  (await listScreenings(reading, subjects)).map((one) => ({
    ...one,
    orderId: formatId('order', one.orderId),
    providerId: formatId('provider', one.providerId),
    matches: [...one.matches],
    decidedAt: toWireTime(one.decidedAt),
  }))

/** The alerts of providers about the subjects, newest first (PROV-96). */
export const shownAlerts = async (work: Work, subjects: readonly string[]) =>
  (await listAlerts(work, subjects)).map(({ outsideId, matches: found, ...one }) => ({
    ...one,
    alertId: outsideId,
    providerId: formatId('provider', one.providerId),
    ...(found && { matches: [...found] }),
    raisedAt: toWireTime(one.raisedAt),
    receivedAt: toWireTime(one.receivedAt),
  }))
