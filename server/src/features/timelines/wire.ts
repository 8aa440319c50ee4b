/**
 * A timeline as its platform sees it. What operators do is shown where the platform sees its effect anyway, without their
 * names and notes; what providers are asked about sanctions, errors of jobs and everything unlisted stays inside.
 */
import { toWireTime } from '../../kernel/clock.ts'
import { asId, formatId } from '../../kernel/ids.ts'
import { moneyToWire } from '../../kernel/money/wire-money.ts'
import { internalAccountOf, type LedgerAccount } from '../../ledger/chart.ts'
import { REFUSAL_REASONS } from '../../providers/http/messages/reasons.ts'
import { SHOWN_ACTIONS, SHOWN_JOBS } from './shown.ts'
import type { TimelineEntry } from './schema.ts'
import type { TimelineRow } from './store.ts'

type By = TimelineEntry['by']

const ACTORS: Readonly<Record<string, By>> = {
  Token: 'PLATFORM',
  Agent: 'AGENT',
  page: 'CUSTOMER',
  provider: 'PROVIDER',
  system: 'SERVICE',
}

const byOf = ({ actor }: TimelineRow): By => {
  if (actor === null) return 'SERVICE'
  return ACTORS[actor.slice(0, actor.indexOf(':'))] ?? 'OPERATOR'
}

const OWN: readonly By[] = ['PLATFORM', 'AGENT', 'CUSTOMER']

export function isShown(row: TimelineRow): boolean {
  if (row.kind === 'ACTION') return OWN.includes(byOf(row)) || SHOWN_ACTIONS.has(row.what)
  if (row.kind === 'DUE') return SHOWN_JOBS.has(row.what)
  return row.kind !== 'ORDER' || row.what !== 'SCREENING'
}

/** A provider may have said anything. */
const reasonOf = (why: string): string =>
  REFUSAL_REASONS.find((reason) => reason === why) ?? 'OTHER'

/** Notes of audit entries and errors of jobs are the operator's. */
function whyOf({ kind, why }: TimelineRow): string | undefined {
  if (why === null || kind === 'ACTION' || kind === 'DUE') return undefined
  return kind === 'ORDER' ? reasonOf(why) : why
}

function bookedOn(state: string | null): Partial<TimelineEntry> {
  const booked = internalAccountOf((state ?? '') as LedgerAccount)
  return booked
    ? {
        accountId: formatId('internalAccount', booked.id),
        part: booked.part === 'held' ? 'HELD' : 'AVAILABLE',
      }
    : {}
}

function detailsOf({ kind, id, at, what, state }: TimelineRow): Partial<TimelineEntry> {
  switch (kind) {
    case 'BOOKED':
      return bookedOn(state)
    case 'EVENT':
      return {
        event: {
          id: formatId('webhook', asId('webhook', id)),
          type: what,
          deliveryStatus: state as NonNullable<TimelineEntry['event']>['deliveryStatus'],
        },
      }
    case 'DUE':
      return { dueAt: toWireTime(at) }
    default:
      return state === null ? {} : { status: state }
  }
}

export function entryToWire(row: TimelineRow): TimelineEntry {
  const { at, kind, what, actor, amount, currency } = row
  const [by, why] = [byOf(row), whyOf(row)]
  return {
    at: toWireTime(at),
    kind,
    what,
    by,
    ...((by === 'PLATFORM' || by === 'AGENT') && actor !== null && { byId: actor }),
    ...(why !== undefined && { why }),
    ...(amount !== null && currency !== null && { amount: moneyToWire({ amount, currency }) }),
    ...detailsOf(row),
  }
}
