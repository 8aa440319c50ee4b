import { seal } from '../../crypto/seal.ts'
import { addMs, HOUR_MS, toWireTime } from '../../kernel/clock.ts'
import { fail, failFields } from '../../kernel/errors.ts'
import { failNotFound, type Id } from '../../kernel/ids.ts'
import { announceProviderChange, readProviders } from '../../infra/providers/provider-rows.ts'
import type { Work } from '../../infra/work/work.ts'
import { newSecret } from '../../providers/http/sign-message.ts'
import { lockRegistrations, replaceSecrets } from './store.ts'

const OVERLAP_MAX_HOURS = 168

type Rotation = Readonly<{ id: Id<'provider'>; overlapHours: number }>

/**
 * Makes a second secret, which is shown this once; the former one holds for the overlap (PROV-23).
 * Fails: REFERENCE_NOT_FOUND, INVALID_INPUT, CONFLICT while two secrets hold.
 */
export async function rotateSecret(
  { tx, keyring, now }: Work,
  { id, overlapHours }: Rotation,
): Promise<Readonly<{ secret: string; formerSecretUntil: Date }>> {
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > OVERLAP_MAX_HOURS)
    failFields([{ field: 'overlapHours', message: `must be from 0 to ${OVERLAP_MAX_HOURS}` }])
  await lockRegistrations(tx)
  const row = (await readProviders(tx)).find((one) => one.id === id) ?? failNotFound('provider')
  const { sealedSecret, formerSecretUntil } = row
  if (sealedSecret === null)
    failFields([{ field: 'providerId', message: `is of kind ${row.kind}, which has no secret` }])
  if (formerSecretUntil && formerSecretUntil > now)
    fail('CONFLICT', { formerSecretUntil: toWireTime(formerSecretUntil) })
  const secret = newSecret()
  const until = addMs(now, overlapHours * HOUR_MS)
  await replaceSecrets(tx, {
    id,
    at: now,
    sealedSecret: seal(keyring, 'provider-secret', secret, id),
    sealedFormerSecret: sealedSecret,
    formerSecretUntil: until,
  })
  announceProviderChange(tx)
  return { secret, formerSecretUntil: until }
}
