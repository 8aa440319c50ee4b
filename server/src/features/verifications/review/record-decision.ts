import { formatId } from '../../../kernel/ids.ts'
import { audit } from '../../../infra/work/audit.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Review } from './lock-review.ts'

/** Writes the audit entry of a decision, with its snapshot and note (VER-25). */
export function recordDecision(
  work: Work,
  { customer, verification }: Review,
  { action, note }: { action: string; note: string | undefined },
): void {
  const resource = verification
    ? formatId('verification', verification.id)
    : formatId('customer', customer.id)
  const basis = verification?.snapshotId ? `snapshot ${verification.snapshotId}` : 'no snapshot'
  audit(work, {
    action: `review ${action}`,
    resource,
    note: note === undefined ? basis : `${basis}: ${note}`,
  })
}
