/** Filters of lists that operators keep under a name, each for themselves (OPER-124). */
import { Type } from '../../../infra/http/schema/type.ts'
import { ANY_ROLE } from '../../../kernel/access/operator.ts'
import { fail } from '../../../kernel/errors.ts'
import { callerOf, personOf } from '../../access/caller.ts'
import { defineCommand, record, UsageError, type Input } from '../../command.ts'
import { deleteFilter, listSavedFilters, saveFilter } from '../../operators/saved-filter-store.ts'
import type { Deps } from '../../../infra/deps.ts'

const SAVED_MAX = 100
const QUERY_LENGTH_MAX = 2_000

const FilterSchema = record({
  section: Type.String(),
  name: Type.String(),
  query: Type.String(),
})

const SECTION = { about: 'The list, as the dashboard’s address calls it.', value: 'NAME' }
const NAME = { about: 'What it is kept under.', value: 'TEXT', required: true }

/** Fails with a UsageError for what no address can have. */
function placeOf(deps: Deps, input: Input) {
  const section = input.option('section') ?? ''
  if (!/^[a-z-]{1,40}$/.test(section))
    throw new UsageError('--section is the name of a list, as transactions.')
  const name = (input.option('name') ?? '').trim()
  if (name === '' || name.length > 60) throw new UsageError('--name has 1 to 60 characters.')
  return { person: personOf(callerOf(deps)), section, name }
}

const list = defineCommand({
  name: 'filters list',
  access: { roles: ANY_ROLE },
  about: 'The filters that you keep.',
  options: { section: SECTION },
  answers: Type.Array(FilterSchema),
  run: (deps, input) =>
    listSavedFilters(deps.db.read, {
      person: personOf(callerOf(deps)),
      section: input.option('section') ?? null,
    }),
})

const save = defineCommand({
  name: 'filters save',
  access: { roles: ANY_ROLE, writes: true },
  about: 'Keep the filters of a list under a name; one of the same name is replaced.',
  options: {
    section: { ...SECTION, required: true },
    name: NAME,
    query: {
      about: 'The filters as in the address, status=FAILED&currency=USD.',
      value: 'QUERY',
      required: true,
    },
  },
  answers: FilterSchema,
  async run(deps, input) {
    const { db, clock } = deps
    const query = new URLSearchParams(input.option('query')).toString()
    if (query === '' || query.length > QUERY_LENGTH_MAX)
      throw new UsageError('--query is as in an address, status=FAILED&currency=USD.')
    const place = placeOf(deps, input)
    const bounds = { at: clock.now(), atMost: SAVED_MAX }
    const isSaved = await db.transaction((tx) => saveFilter(tx, { ...place, query }, bounds))
    if (!isSaved) throw new UsageError(`--name is one too many: at most ${SAVED_MAX} are kept.`)
    const { section, name } = place
    return { section, name, query }
  },
})

const remove = defineCommand({
  name: 'filters delete',
  access: { roles: ANY_ROLE, writes: true },
  about: 'Keep the filters of a list no longer.',
  options: { section: { ...SECTION, required: true }, name: NAME },
  answers: record({ section: Type.String(), name: Type.String() }),
  async run(deps, input) {
    const { person, section, name } = placeOf(deps, input)
    const isDeleted = await deps.db.transaction((tx) => deleteFilter(tx, { person, section, name }))
    return isDeleted ? { section, name } : fail('REFERENCE_NOT_FOUND')
  },
})

export const filterCommands = { list, save, delete: remove }
