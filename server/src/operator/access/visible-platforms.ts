/** What an operator who is limited to some platforms sees (OPER-3). */
import { mustParseId, type Id } from '../../kernel/ids.ts'
import { HOUSE_PLATFORM_IDS } from '../../kernel/platform.ts'
import type { Deps } from '../../infra/deps.ts'
import type { Given } from '../command.ts'
import { callerOf } from './caller.ts'
import { failScope } from './may-run.ts'

const HOUSES: readonly string[] = Object.values(HOUSE_PLATFORM_IDS)

/** A house platform is of the whole installation: what lies there is refused, not hidden. */
export function isVisible(deps: Pick<Deps, 'operator'>, id: Id<'platform'>): boolean {
  const { platforms } = callerOf(deps)
  if (!platforms || platforms.includes(id)) return true
  return HOUSES.includes(id) ? failScope() : false
}

/** The platform that something belongs to; undefined, as for what is unknown, where the operator does not see it. */
export async function visibleOwner(
  deps: Pick<Deps, 'operator'>,
  owner: Promise<Id<'platform'> | undefined>,
): Promise<Id<'platform'> | undefined> {
  const id = await owner
  return id && isVisible(deps, id) ? id : undefined
}

/** The same for what says itself where it belongs. */
export async function visibleOnly<T extends Readonly<{ platformId: Id<'platform'> }>>(
  deps: Pick<Deps, 'operator'>,
  found: Promise<T | undefined>,
): Promise<T | undefined> {
  const one = await found
  return one && isVisible(deps, one.platformId) ? one : undefined
}

/** The platforms whose rows a list shows: the one named, or all that the operator sees; null for every one. */
export function shownPlatforms(
  deps: Pick<Deps, 'operator'>,
  given: Given,
): readonly Id<'platform'>[] | null {
  const text = given.text('platform')
  return text === undefined ? (callerOf(deps).platforms ?? null) : [mustParseId('platform', text)]
}
