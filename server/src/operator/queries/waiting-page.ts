/** The options of every list of open work. */
import { parseWireTime } from '../../kernel/clock.ts'
import { parseId, type IdKind } from '../../kernel/ids.ts'
import type { Place, WaitingPage } from '../../kernel/page.ts'
import type { Deps } from '../../infra/deps.ts'
import { shownPlatforms } from '../access/visible-platforms.ts'
import { UsageError, type Input, type Option } from '../command.ts'
import { LIMIT, limitOf, PLATFORM } from './list-filters.ts'

const AFTER: Option = {
  about: 'Go on after this row: its time and id, as in 2026-01-31T08:00:00.000Z/Transaction:….',
  value: 'TIME/ID',
}

export const WAITING_OPTIONS: Readonly<Record<'platform' | 'after' | 'limit', Option>> = {
  platform: PLATFORM,
  after: AFTER,
  limit: LIMIT,
}

function placeOf(input: Input, kind: IdKind): Place | null {
  const text = input.option('after')
  if (text === undefined) return null
  const [time = '', word = ''] = text.split('/')
  const [at, id] = [parseWireTime(time), parseId(kind, word)]
  if (!at || !id) throw new UsageError('--after is the time and the id of a row, TIME/ID.')
  return { at, id }
}

/** `kind` is the kind of the ids in the list. */
export function waitingPage(deps: Deps, input: Input, kind: IdKind): WaitingPage {
  return {
    platformIds: shownPlatforms(deps, input),
    after: placeOf(input, kind),
    limit: limitOf(input),
  }
}
