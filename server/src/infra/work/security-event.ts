import { newUuid } from '../../kernel/ids.ts'
import { DEFAULT_ENVIRONMENT, HOUSE_PLATFORM_IDS } from '../../kernel/platform.ts'
import type { Deps } from '../deps.ts'
import { invariant } from '../../kernel/invariant.ts'
import { findPlatform } from '../platforms.ts'
import { audit } from './audit.ts'
import { inWork } from './in-work.ts'

type SecurityEvent = Readonly<{ action: string; resource?: string; note?: string }>

/** Leaves an audit entry about something that the installation itself noticed, in the house of production (OPER-56). */
export async function recordSecurityEvent(deps: Deps, event: SecurityEvent): Promise<void> {
  const platform = await findPlatform(deps.db.read, HOUSE_PLATFORM_IDS[DEFAULT_ENVIRONMENT])
  invariant(platform, 'the house is a platform')
  const actor = { kind: 'system', name: 'florin' } as const
  await inWork(deps, { platform, actor, requestId: newUuid() }, async (work) => audit(work, event))
}
