/** One line through time about one thing: who did what and why, what it booked, what was sent, and what comes next. */
import { addMs, toWireTime } from '../../kernel/clock.ts'
import { firstUuidAt, formatId, type AnyId, type Id } from '../../kernel/ids.ts'
import { moneyToWire } from '../../kernel/money/wire-money.ts'
import type { Work } from '../../infra/work/work.ts'
import { eventsNear } from './events-near.ts'
import { listActions, listFacts, type Subject, type TimelineRow } from './timeline-store.ts'

/** A card's transaction books each of its messages under a number. */
const CARD_MESSAGES_MAX = 64
const MARGIN_MS = 1_000

function subjectOf(platformId: Id<'platform'>, { kind, id }: AnyId): Subject {
  const resource = formatId(kind, id as never)
  const twins = ['quote', 'transaction'].includes(kind)
    ? [formatId('quote', id as Id<'quote'>), formatId('transaction', id as Id<'transaction'>)]
    : [resource]
  const steps = Array.from({ length: CARD_MESSAGES_MAX }, (_, step) => `${id}/${step}`)
  const references = kind === 'cardTransaction' ? steps : [id]
  return { platformId, uuid: id, resources: twins, references }
}

const toLine = (row: TimelineRow, now: Date) => ({
  at: toWireTime(row.at),
  kind: row.kind,
  what: row.what,
  ...(row.actor !== null && { by: row.actor }),
  ...(row.why !== null && { why: row.why }),
  ...(row.amount !== null &&
    row.currency !== null && {
      amount: moneyToWire({ amount: row.amount, currency: row.currency }),
    }),
  ...(row.state !== null && { state: row.state }),
  isAhead: row.kind === 'DUE' || row.at > now,
})

/** Oldest first, on the platform's clock. */
export async function timelineOf(work: Work, resource: AnyId) {
  const { tx, platform, now } = work
  const subject = subjectOf(platform.id, resource)
  const facts = await listFacts(tx, subject)
  const times = facts.filter(({ kind }) => kind !== 'DUE').map(({ at }) => at)
  const places = times.map((at) => firstUuidAt(addMs(at, -platform.clockOffsetMs - MARGIN_MS)))
  const [actions, events] = await Promise.all([
    listActions(tx, subject, [...new Set([subject.uuid, ...places])]),
    eventsNear(work, { resourceIds: subject.resources, ids: [subject.uuid], times }),
  ])
  const sent = events.map(({ at, type, deliveryStatus, eventId }) => ({
    at,
    kind: 'EVENT' as const,
    what: type,
    state: deliveryStatus,
    eventId,
    isAhead: false,
  }))
  return [...[...facts, ...actions].map((row) => toLine(row, now)), ...sent].toSorted(
    (one, other) => one.at.localeCompare(other.at),
  )
}
