import { newUuid } from '../../kernel/ids.ts'
import { DEFAULT_ENVIRONMENT, HOUSE_PLATFORM_IDS } from '../../kernel/platform.ts'
import type { Deps } from '../deps.ts'
import { invariant } from '../../kernel/invariant.ts'
import { findPlatform } from '../platforms.ts'
import { audit } from './audit.ts'
import { inWork } from './in-work.ts'
import type { Work } from './work.ts'

type SecurityEvent = Readonly<{ action: string; resource?: string; note?: string }>

/** A Work of the service itself, on the house platform of production. */
export async function inServiceWork<T>(
  deps: Deps,
  body: (work: Work) => Promise<T>,
  actorName = 'florin',
): Promise<T> {
  const platform = await findPlatform(deps.db.read, HOUSE_PLATFORM_IDS[DEFAULT_ENVIRONMENT])
  invariant(platform, 'The house platform exists.')
  const actor = { kind: 'system', name: actorName } as const
  return inWork(deps, { platform, actor, requestId: newUuid() }, body)
}

/** Writes an audit entry about something that the service itself noticed (OPER-56). */
export const recordSecurityEvent = (deps: Deps, event: SecurityEvent): Promise<void> =>
  inServiceWork(deps, async (work) => audit(work, event))
