import { scaRelyingParty, type ScaRelyingParty } from '../../crypto/passkey/relying-party.ts'
import { fail } from '../../kernel/errors.ts'
import type { Work } from '../../infra/work.ts'
import { readPasskeyOrigins } from '../platform/index.ts'

/** SCA-7. Fails: CONFLICT where a production platform has no passkey origins. */
export async function mustFindRelyingParty(
  work: Pick<Work, 'tx' | 'platform'>,
): Promise<ScaRelyingParty> {
  const origins = await readPasskeyOrigins(work)
  const relyingParty = scaRelyingParty(origins, work.platform.environment)
  return relyingParty ?? fail('CONFLICT', { reason: 'PASSKEY_ORIGINS_NOT_CONFIGURED' })
}
