import { scaRelyingParty, type ScaRelyingParty } from '../../../crypto/passkey/relying-party.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Work } from '../../../infra/work/work.ts'
import { readPasskeyOrigins } from '../../platform/index.ts'

type Reading = Pick<Work, 'tx' | 'platform'>

/** Undefined if a production platform has no passkey origins (SCA-7). */
export async function findRelyingParty(work: Reading): Promise<ScaRelyingParty | undefined> {
  return scaRelyingParty(await readPasskeyOrigins(work), work.platform.environment)
}

/** Fails: CONFLICT if the platform has no passkey origins. */
export async function mustFindRelyingParty(work: Reading): Promise<ScaRelyingParty> {
  const relyingParty = await findRelyingParty(work)
  return relyingParty ?? fail('CONFLICT', { reason: 'PASSKEY_ORIGINS_NOT_CONFIGURED' })
}
