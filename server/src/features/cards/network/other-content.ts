import type { Work } from '../../../infra/work/work.ts'
import { openException } from '../../../orders/index.ts'
import { saveOtherDigest, type StoredAuthorization } from './store.ts'

type Known = Pick<StoredAuthorization, 'digest' | 'otherDigest'>

/** Whether this content came under the reference for the first time. */
export const isOther = ({ digest, otherDigest }: Known, given: Buffer): boolean =>
  !digest.equals(given) && otherDigest?.equals(given) !== true

type Recording = Readonly<{ platform: Pick<Work['platform'], 'id'> }> & Pick<Work, 'tx' | 'now'>

/** Other content under a reference changes nothing, and is for the operator to see (PROV-115). */
export function recordOther(work: Recording, stored: StoredAuthorization, digest: Buffer): void {
  const { providerId, networkReference: subject, kind, decision } = stored
  saveOtherDigest(work.tx, stored, digest)
  const details = { kind, decision }
  openException(work, { type: 'AUTHORIZATION_CHANGED', providerId, subject, details })
}
