import { newUuid } from '../../kernel/ids.ts'
import { DEFAULT_ENVIRONMENT, HOUSE_PLATFORM_IDS } from '../../kernel/platform.ts'
import type { Deps } from '../../infra/deps.ts'
import { findPlatform } from '../../infra/platforms.ts'
import { audit } from '../../infra/work/audit.ts'
import { inWork } from '../../infra/work/in-work.ts'

/** FOUR_EYES=off in production declares a single operator: each start says so, in the log and in the audit (OPER-20). */
export async function declareSingleOperator(deps: Deps): Promise<void> {
  const { settings, log, db } = deps
  if (!settings.production || settings.fourEyes === 'on') return
  log.warn('FOUR_EYES is off: one operator alone may do everything')
  const platform = await findPlatform(db.read, HOUSE_PLATFORM_IDS[DEFAULT_ENVIRONMENT])
  if (!platform) return
  const actor = { kind: 'system', name: 'start' } as const
  await inWork(deps, { platform, actor, requestId: newUuid() }, async (work) =>
    audit(work, { action: 'four-eyes off', note: 'FOUR_EYES=off in production' }),
  )
}
