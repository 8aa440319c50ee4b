import { Type } from '../../../infra/http/schema/type.ts'
import { idField, MoneySchema, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { fail } from '../../../kernel/errors.ts'
import { formatId, parseAnyId, type Id } from '../../../kernel/ids.ts'
import type { Deps } from '../../../infra/deps.ts'
import { visibleOwner } from '../../access/visible-platforms.ts'
import { defineCommand, onlyWord, record } from '../../command.ts'
import { readInPlatform } from '../../in-platform.ts'
import { findByUuid } from '../../queries/look-up-store.ts'
import { timelineOf } from '../../queries/timeline.ts'

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

async function ownerOf({ db }: Deps, text: string): Promise<Id<'platform'> | undefined> {
  const known = parseAnyId(text)
  if (!known) return undefined
  const [found] = await findByUuid(db.read, known.id, known.kind)
  return found?.platformId
}

const show = defineCommand({
  name: 'timeline show',
  access: { roles: ['VIEWER'] },
  about:
    'What happened to something, oldest first: who did what and why, what was booked and sent, and what comes next.',
  takes: ['id'],
  answers: record({ platformId: idField('platform'), entries: Type.Array(EntrySchema) }),
  async run(deps, given) {
    const text = onlyWord(given, 'id')
    const owner = await visibleOwner(deps, ownerOf(deps, text))
    const resource = parseAnyId(text)
    if (!owner || !resource) return fail('REFERENCE_NOT_FOUND')
    return readInPlatform(deps, owner, async (work) => ({
      platformId: formatId('platform', owner),
      entries: await timelineOf(work, resource),
    }))
  },
})

export const timelineCommands = { show }
