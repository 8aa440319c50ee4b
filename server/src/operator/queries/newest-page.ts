/** The options of lists that have the newest first, across platforms. */
import { parseId, type IdKind } from '../../kernel/ids.ts'
import { PAGE_LIMIT_MAX } from '../../kernel/page.ts'
import type { Deps } from '../../infra/deps.ts'
import { shownPlatforms } from '../access/visible-platforms.ts'
import { choiceOf, UsageError, type Input, type Option } from '../command.ts'
import { customerIn, PERIOD_OPTIONS, periodOf } from './list-filters.ts'
import type { NewestPage } from './newest-store.ts'

export const newestOptions = (statuses: readonly string[]): Readonly<Record<string, Option>> => ({
  platform: { about: 'Only of this platform.', value: 'ID' },
  customer: { about: 'Only of this customer.', value: 'ID' },
  status: { about: `One of ${statuses.join(', ')}.`, value: 'NAME' },
  ...PERIOD_OPTIONS,
  before: { about: 'Only those older than this one.', value: 'ID' },
  limit: { about: `At most this many (default 50, at most ${PAGE_LIMIT_MAX}).`, value: 'N' },
})

const LIMIT = '50'

export function newestPage(
  deps: Pick<Deps, 'operator'>,
  input: Input,
  { kind, statuses }: Readonly<{ kind: IdKind; statuses: readonly string[] }>,
): NewestPage {
  const before = input.option('before')
  const limit = Number(input.option('limit') ?? LIMIT)
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_LIMIT_MAX)
    throw new UsageError(`--limit is a whole number from 1 to ${PAGE_LIMIT_MAX}.`)
  const place = before === undefined ? null : parseId(kind, before)
  if (place === undefined) throw new UsageError('--before is the id of one in the list.')
  return {
    platformIds: shownPlatforms(deps, input),
    customerId: customerIn(input) ?? null,
    status: choiceOf(input, 'status', statuses) ?? null,
    period: periodOf(input),
    before: place,
    limit,
  }
}
