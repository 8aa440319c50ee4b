import type { FieldError } from '../../kernel/errors.ts'
import { isDomainName } from '../../kernel/text/formats.ts'
import type { Platform } from '../../kernel/platform.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { isUmaDomainHeld } from './store.ts'

/** Production platforms do not share a domain; sandboxes may, since they receive nothing by it (CFG-14). */
export async function checkUmaDomain(
  tx: Tx,
  platform: Platform,
  umaDomain: unknown,
): Promise<FieldError[]> {
  const { id, environment } = platform
  if (!traitsOf(platform).reachesCounterparties) return []
  if (typeof umaDomain !== 'string' || !isDomainName(umaDomain)) return []
  const domain = umaDomain.toLowerCase()
  const isHeld = await isUmaDomainHeld(tx, { domain, besides: id, environment })
  return isHeld ? [{ field: 'umaDomain', message: 'is held by another platform' }] : []
}
