import { Type } from '../../../infra/http/schema/type.ts'
import { idField, MoneySchema, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import { asId, formatId, parseAnyId, type Id } from '../../../kernel/ids.ts'
import { moneyToWire } from '../../../kernel/money/wire-money.ts'
import type { Deps } from '../../../infra/deps.ts'
import { findDeposit } from '../../../features/deposits/index.ts'
import { timelineOf, type TimelineRow } from '../../../features/timelines/index.ts'
import { HOUSE_PLATFORM_IDS } from '../../../kernel/platform.ts'
import { visibleOwner } from '../../access/visible-platforms.ts'
import { defineCommand, onlyArg, record } from '../../command.ts'
import { readInPlatform } from '../../in-platform.ts'
import { findByUuid } from '../../queries/look-up-store.ts'

const EntrySchema = record({
  at: timestamp(),
  kind: Type.String(),
  what: Type.String(),
  by: Type.Optional(Type.String()),
  why: Type.Optional(Type.String()),
  amount: Type.Optional(MoneySchema),
  state: Type.Optional(Type.String()),
  eventId: Type.Optional(idField('webhook')),
  isAhead: Type.Boolean(),
})

const toShown = (row: TimelineRow, now: Date) => ({
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
  ...(row.kind === 'EVENT' && { eventId: formatId('webhook', asId('webhook', row.id)) }),
  isAhead: row.kind === 'DUE' || row.at > now,
})

async function ownerOf({ db }: Deps, text: string): Promise<Id<'platform'> | undefined> {
  const known = parseAnyId(text)
  if (!known) return undefined
  const [found] = await findByUuid(db.read, known.id, known.kind)
  if (found) return found.platformId
  // A deposit has the id of the transaction that it makes, once it has an owner.
  const deposit = known.kind === 'transaction' ? await findDeposit(db.read, known.id) : undefined
  return deposit && (deposit.ownerPlatformId ?? HOUSE_PLATFORM_IDS[deposit.environment])
}

const show = defineCommand({
  name: 'timeline show',
  access: { roles: ['VIEWER'] },
  about:
    'What happened to something, oldest first: who did what and why, what was booked and sent, and what comes next.',
  takes: ['id'],
  answers: record({ platformId: idField('platform'), entries: Type.Array(EntrySchema) }),
  async run(deps, input) {
    const text = onlyArg(input, 'id')
    const owner = await visibleOwner(deps, ownerOf(deps, text))
    const resource = parseAnyId(text)
    if (!owner || !resource) return fail('REFERENCE_NOT_FOUND')
    return readInPlatform(deps, owner, async (work) => ({
      platformId: formatId('platform', owner),
      entries: (await timelineOf(work, resource)).map((row) => toShown(row, work.now)),
    }))
  },
})

export const timelineCommands = { show }
