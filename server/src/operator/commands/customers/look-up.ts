import { Type } from '../../../infra/http/schema/type.ts'
import { idField } from '../../../infra/http/schema/wire-schema.ts'
import { formatId, isUuid, parseAnyId, type Id, type IdKind } from '../../../kernel/ids.ts'
import { defineCommand, onlyWord, record } from '../../command.ts'
import { findByName, findByUuid, type FoundLine } from '../../queries/look-up-store.ts'
import { callerOf } from '../../access/caller.ts'

const FoundSchema = record({
  kind: Type.String(),
  id: Type.String(),
  platformId: idField('platform'),
  customerId: Type.Optional(idField('customer')),
})

/** A quote and its transaction share their uuid; the transaction says more. */
const withoutTwins = (lines: readonly FoundLine[]): readonly FoundLine[] =>
  lines.filter(
    ({ kind, id }) =>
      kind !== 'quote' || !lines.some((one) => one.kind === 'transaction' && one.id === id),
  )

const toShown = ({ kind, id, platformId, customerId }: FoundLine) => ({
  kind,
  id: formatId(kind, id as Id<IdKind>),
  platformId: formatId('platform', platformId),
  ...(customerId && { customerId: formatId('customer', customerId) }),
})

const lookUp = defineCommand({
  name: 'look-up',
  access: { roles: ['VIEWER'] },
  about:
    'What has this id, in whichever platform. Also a bare uuid, a platformCustomerId, a UMA address, or a reference of a payment or refund.',
  takes: ['id'],
  answers: Type.Array(FoundSchema),
  async run(deps, given) {
    const { db } = deps
    const { platforms } = callerOf(deps)
    const isSeen = ({ platformId }: FoundLine) => platforms?.includes(platformId) ?? true
    const asked = onlyWord(given, 'id').trim()
    const known = parseAnyId(asked)
    if (known) return (await findByUuid(db.read, known.id, known.kind)).filter(isSeen).map(toShown)
    // No text of ours has a zero in it, and the database takes none.
    if (asked.includes('\0')) return []
    const uuid = asked.toLowerCase()
    const [byUuid, byName] = await Promise.all([
      isUuid(uuid) ? findByUuid(db.read, uuid, undefined) : [],
      findByName(db.read, asked),
    ])
    // A customer whom the platform gave no id of its own is called by its uuid.
    const others = byName.filter(({ id }) => !byUuid.some((one) => one.id === id))
    return [...withoutTwins(byUuid), ...others].filter(isSeen).map(toShown)
  },
})

export const lookUpCommands = { lookUp }
