/** One line through time about one thing: who did what and why, what it booked, what was sent, and what comes next. */
import { addMs, toWireTime } from '../../kernel/clock.ts'
import { firstUuidAt, formatId, type AnyId, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import { availableOf, heldOf } from '../../ledger/chart.ts'
import { listEventsNear } from '../events/index.ts'
import { LINE_KINDS, listActions, listFacts, type Subject, type TimelineRow } from './store.ts'

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
  const accounts = kind === 'internalAccount' ? [availableOf(id), heldOf(id)] : []
  return { platformId, uuid: id, resources: twins, references, accounts }
}

/** The sort key of a row, most significant part first. */
export const placeOf = ({ at, kind, id }: TimelineRow): readonly [string, string, string] => [
  toWireTime(at),
  String(LINE_KINDS.indexOf(kind)),
  id.padStart(20, '0'),
]

type Place = ReturnType<typeof placeOf>

export function comparePlaces(one: readonly string[], other: Place): number {
  const index = other.findIndex((part, at) => part !== one[at])
  if (index === -1) return 0
  return (one[index] ?? '') < (other[index] ?? '') ? -1 : 1
}

/** Oldest first, on the platform's clock. */
export async function timelineOf(work: Work, resource: AnyId): Promise<readonly TimelineRow[]> {
  const { tx, platform } = work
  const subject = subjectOf(platform.id, resource)
  const facts = await listFacts(tx, subject)
  const times = facts.filter(({ kind }) => kind !== 'DUE').map(({ at }) => at)
  const changes = times.map((at) => firstUuidAt(addMs(at, -platform.clockOffsetMs - MARGIN_MS)))
  const places = [...new Set([subject.uuid, ...changes])]
  const [actions, events] = await Promise.all([
    listActions(tx, subject, places),
    listEventsNear(tx, platform.id, { resourceIds: subject.resources, places }),
  ])
  const sent = events.map(({ id, at, type, status, reason }) => ({
    ...{ id, at, kind: 'EVENT' as const, what: type, actor: null, why: reason },
    ...{ amount: null, currency: null, state: status },
  }))
  return [...facts, ...actions, ...sent].toSorted((one, other) =>
    comparePlaces(placeOf(one), placeOf(other)),
  )
}
