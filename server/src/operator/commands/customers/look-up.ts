import { Type } from '../../../infra/http/schema/type.ts'
import { idField, oneOf } from '../../../infra/http/schema/wire-schema.ts'
import { formatId, isUuid, parseAnyId, type Id, type IdKind } from '../../../kernel/ids.ts'
import { defineCommand, onlyArg, record } from '../../command.ts'
import { findByName, findByUuid, type FoundLine } from '../../queries/look-up-store.ts'
import { FOUND_BY, search, type FoundBy } from '../../queries/search.ts'
import { callerOf } from '../../access/caller.ts'

const FoundSchema = record({
  kind: Type.String(),
  id: Type.String(),
  platformId: idField('platform'),
  customerId: Type.Optional(idField('customer')),
  foundBy: oneOf(FOUND_BY),
  /** The value that matched, where that is not the id. */
  title: Type.Optional(Type.String()),
})

/** A quote and its transaction share their uuid; the transaction is shown, because it has more fields. */
const withoutTwins = (lines: readonly FoundLine[]): readonly FoundLine[] =>
  lines.filter(
    ({ kind, id }) =>
      kind !== 'quote' || !lines.some((one) => one.kind === 'transaction' && one.id === id),
  )

type Shown = FoundLine & Readonly<{ by: FoundBy; title?: string | null }>

const toShown = ({ kind, id, platformId, customerId, by, title }: Shown) => ({
  kind,
  id: formatId(kind, id as Id<IdKind>),
  platformId: formatId('platform', platformId),
  ...(customerId && { customerId: formatId('customer', customerId) }),
  foundBy: by,
  title: title ?? undefined,
})

const foundBy =
  (by: FoundBy) =>
  (line: FoundLine): Shown => ({ ...line, by })

const lookUp = defineCommand({
  name: 'look-up',
  access: { roles: ['VIEWER'] },
  about:
    'What has this id, in whichever platform, or is called so. Also a bare uuid, a platformCustomerId, a UMA address, a reference of a payment or refund, a name, e-mail address or phone number, an amount, the last four digits of a card.',
  takes: ['id'],
  answers: Type.Array(FoundSchema),
  async run(deps, input) {
    const { db } = deps
    const platforms = callerOf(deps).platforms ?? null
    const isSeen = ({ platformId }: FoundLine) => platforms?.includes(platformId) ?? true
    const asked = onlyArg(input, 'id').trim()
    const known = parseAnyId(asked)
    if (known) {
      const lines = await findByUuid(db.read, known.id, known.kind)
      return lines.filter(isSeen).map(foundBy('ID')).map(toShown)
    }
    const uuid = asked.toLowerCase()
    const [byUuid, byName, searched] = await Promise.all([
      isUuid(uuid) ? findByUuid(db.read, uuid, undefined) : [],
      findByName(db.read, asked, platforms),
      search(db, asked, platforms),
    ])
    const found = [
      ...withoutTwins(byUuid).filter(isSeen).map(foundBy('ID')),
      ...byName,
      ...searched,
    ]
    // A customer whom the platform gave no id of its own is called by its uuid.
    return found
      .filter(({ id }, index) => found.findIndex((one) => one.id === id) === index)
      .map(toShown)
  },
})

export const lookUpCommands = { lookUp }
