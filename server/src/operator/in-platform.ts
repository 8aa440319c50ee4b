import { mustParseId, newUuid } from '../kernel/ids.ts'
import { fail } from '../kernel/errors.ts'
import { audit } from '../infra/audit.ts'
import type { Deps } from '../infra/deps.ts'
import { inWork } from '../infra/in-work.ts'
import { findPlatform } from '../infra/platforms.ts'
import type { Work } from '../infra/work.ts'

/** Runs an operator's change as a Work of the platform it concerns, and leaves an audit entry (CORE-92). */
export async function inPlatform<T>(
  deps: Deps,
  { platformId, action, resource }: { platformId: string; action: string; resource?: string },
  body: (work: Work) => Promise<T>,
): Promise<T> {
  const id = mustParseId('platform', platformId)
  const platform = (await findPlatform(deps.db.read, id)) ?? fail('REFERENCE_NOT_FOUND')
  const actor = { kind: 'operator', name: 'florin' } as const
  return inWork(deps, { platform, actor, requestId: newUuid() }, async (work) => {
    const result = await body(work)
    audit(work, { action, resource: resource ?? platformId })
    return result
  })
}
