import { addMs } from '../../../kernel/clock.ts'
import { formatId, type Id } from '../../../kernel/ids.ts'
import { nextState } from '../../../kernel/machine.ts'
import { audit } from '../../../infra/work/audit.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { IssuanceStatus, TokenDescription } from '../../../providers/stablecoin-issuer.ts'
import { lockStablecoin, saveIssuanceStatus } from './store.ts'
import { followIssuanceJob } from '../job-definitions.ts'
import { issuance, type IssuanceEvent } from '../machine.ts'

const EVENTS: Readonly<Partial<Record<IssuanceStatus, IssuanceEvent>>> = {
  PROVISIONING: 'provision',
  PROVISIONED: 'finish',
  REJECTED: 'reject',
  FAILED: 'fail',
}

/** Records the issuance status that the provider reports, and asks again when the provider says so. Refuses nothing. */
export async function followIssuance(
  work: Work,
  id: Id<'stablecoin'>,
  { issuanceStatus, describeAgainAfterMs }: TokenDescription,
): Promise<void> {
  const { tx, platform, now } = work
  const coin = await lockStablecoin(tx, platform.id, id)
  if (!coin) return
  const event = EVENTS[issuanceStatus]
  const status = event && nextState(issuance, coin.issuanceStatus, event)
  if (status) {
    await saveIssuanceStatus(tx, platform.id, { id, status, at: now })
    audit(work, { action: `stablecoin.${status}`, resource: formatId('stablecoin', id) })
  }
  if (describeAgainAfterMs !== undefined) {
    const dueAt = addMs(coin.createdAt, describeAgainAfterMs)
    enqueue(work, followIssuanceJob, { stablecoinId: id }, { dueAt })
  }
}
