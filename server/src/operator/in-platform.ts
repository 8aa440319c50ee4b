import { formatId, mustParseId, newUuid, type Id } from '../kernel/ids.ts'
import type { OperatorActor } from '../kernel/access/actor.ts'
import { fail } from '../kernel/errors.ts'
import {
  DEFAULT_ENVIRONMENT,
  HOUSE_PLATFORM_IDS,
  type Environment,
  type Platform,
} from '../kernel/platform.ts'
import { audit } from '../infra/work/audit.ts'
import type { Deps } from '../infra/deps.ts'
import { inWork } from '../infra/work/in-work.ts'
import { findPlatform } from '../infra/platforms.ts'
import type { Work } from '../infra/work/work.ts'
import { callerOf } from './access/caller.ts'
import { isVisible } from './access/visible-platforms.ts'

/** The caller as audit entries name it (OPER-9). */
export const operatorOf = (deps: Deps): OperatorActor => callerOf(deps).actor

type AuditAction<T = unknown> = Readonly<{
  action: string
  resource?: string
  /** The note of the audit entry, from the result. */
  note?: (result: T) => string | undefined
}>

/** Runs an operator's change as a Work of its platform, with an audit entry (CORE-92). The house is not changed so. */
export async function inPlatform<T>(
  deps: Deps,
  { platformId, ...entry }: AuditAction<T> & { platformId: string },
  body: (work: Work) => Promise<T>,
): Promise<T> {
  const id = mustParseId('platform', platformId)
  // The house platform cannot be changed: it has no tokens and no configuration.
  if (Object.values(HOUSE_PLATFORM_IDS).includes(id)) fail('REFERENCE_NOT_FOUND')
  return inAnyPlatform(deps, { id, ...entry }, body)
}

/**
 * The same for what belongs to no platform (CORE-23): unattributed money lies in the house of its environment; what
 * concerns the whole installation, as its terms, is remembered in the house of production, whose time is real.
 */
export const inHouse = <T>(
  deps: Deps,
  { environment = DEFAULT_ENVIRONMENT, ...entry }: AuditAction<T> & { environment?: Environment },
  body: (work: Work) => Promise<T>,
): Promise<T> => inAnyPlatform(deps, { id: HOUSE_PLATFORM_IDS[environment], ...entry }, body)

/** Guards every command, also one that does not check the platform itself (OPER-3). Fails: REFERENCE_NOT_FOUND. */
const mustFindVisible = async (deps: Deps, id: Id<'platform'>): Promise<Platform> =>
  (isVisible(deps, id) && (await findPlatform(deps.db.read, id))) || fail('REFERENCE_NOT_FOUND')

/** Reads in a Work of the platform, with its clock and keys, without an audit entry. */
export async function readInPlatform<T>(
  deps: Deps,
  id: Id<'platform'>,
  body: (work: Work) => Promise<T>,
): Promise<T> {
  const platform = await mustFindVisible(deps, id)
  return inWork(deps, { platform, actor: operatorOf(deps), requestId: newUuid() }, body)
}

/** As inPlatform, also on the house platform, for resources addressed by their own id, such as a job. */
export async function inAnyPlatform<T>(
  deps: Deps,
  { id, action, resource, note }: AuditAction<T> & { id: Id<'platform'> },
  body: (work: Work) => Promise<T>,
): Promise<T> {
  const platform = await mustFindVisible(deps, id)
  return inWork(deps, { platform, actor: operatorOf(deps), requestId: newUuid() }, async (work) => {
    const result = await body(work)
    audit(work, { action, resource: resource ?? formatId('platform', id), note: note?.(result) })
    return result
  })
}
