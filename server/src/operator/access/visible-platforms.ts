/** Which platforms an operator sees (OPER-3). */
import { failNotFound, mustParseId, type Id, type IdKind } from '../../kernel/ids.ts'
import { HOUSE_PLATFORM_IDS } from '../../kernel/platform.ts'
import type { Deps } from '../../infra/deps.ts'
import type { Input } from '../command.ts'
import { callerOf } from './caller.ts'
import { failScope } from './must-be-allowed.ts'

const HOUSES: readonly string[] = Object.values(HOUSE_PLATFORM_IDS)

/** A house platform belongs to the whole installation, so access to it is refused instead of hidden. */
export function isVisible(deps: Pick<Deps, 'operator'>, id: Id<'platform'>): boolean {
  const { platforms } = callerOf(deps)
  if (!platforms || platforms.includes(id)) return true
  return HOUSES.includes(id) ? failScope() : false
}

/** The platform of a resource; undefined where the operator does not see it, as for an unknown one. */
export async function visibleOwner(
  deps: Pick<Deps, 'operator'>,
  owner: Promise<Id<'platform'> | undefined>,
): Promise<Id<'platform'> | undefined> {
  const id = await owner
  return id && isVisible(deps, id) ? id : undefined
}

/** As visibleOwner. Fails with the error for a resource of this kind that is not found. */
export const mustFindOwner = async (
  deps: Pick<Deps, 'operator'>,
  kind: IdKind,
  owner: Promise<Id<'platform'> | undefined>,
): Promise<Id<'platform'>> => (await visibleOwner(deps, owner)) ?? failNotFound(kind)

/** As visibleOwner, for a row that has its platform's id. */
export async function visibleOnly<T extends Readonly<{ platformId: Id<'platform'> }>>(
  deps: Pick<Deps, 'operator'>,
  found: Promise<T | undefined>,
): Promise<T | undefined> {
  const one = await found
  return one && isVisible(deps, one.platformId) ? one : undefined
}

/** The platforms of a list: the one named, or all that the operator sees; null for every platform. */
export function shownPlatforms(
  deps: Pick<Deps, 'operator'>,
  input: Input,
): readonly Id<'platform'>[] | null {
  const text = input.option('platform')
  return text === undefined ? (callerOf(deps).platforms ?? null) : [mustParseId('platform', text)]
}
