import type { Static } from '../../../infra/http/schema/type.ts'
import type { FieldError } from '../../../kernel/errors.ts'
import { bodyValidator } from '../../../infra/http/schema/validate.ts'
import { DECISIONS } from '../../../providers/http/messages/decisions.ts'
import { checkEntries } from '../review/complete-entries.ts'
import type { Packet } from '../submission/packet.ts'
import type { SnapshotContent } from '../submission/snapshot.ts'

const EVIDENCE_BYTES_MAX = 64 * 1024

export type Decision = Static<(typeof DECISIONS)['IDENTITY_CHECK']>

type Submitted = Readonly<{ packet: Packet; submitted: SnapshotContent }>

const isDecision = bodyValidator(DECISIONS.IDENTITY_CHECK)

/** All errors of a decision (PROV-92, PROV-93); empty if it can be applied. */
export function findBreaches(
  stated: unknown,
  { packet, submitted }: Submitted,
): readonly FieldError[] {
  const malformed = isDecision(stated)
  if (malformed.length > 0) return malformed
  const { decision, errors = [], owners = [], evidence } = stated as Decision
  const isReturn = decision === 'MORE_NEEDED'
  const checked = isReturn || decision === 'REJECTED' ? errors : []
  return [
    ...(isReturn && errors.length === 0
      ? [{ field: 'errors', message: 'must name what is needed' }]
      : []),
    ...checkEntries(packet, checked, { isRejection: !isReturn }),
    ...owners.flatMap(({ id }, index) =>
      submitted.beneficialOwners.some((owner) => owner['id'] === id)
        ? []
        : [{ field: `owners.${index}.id`, message: 'is no owner of this submission' }],
    ),
    ...(sizeOf(evidence) > EVIDENCE_BYTES_MAX
      ? [{ field: 'evidence', message: `must be at most ${EVIDENCE_BYTES_MAX} bytes` }]
      : []),
  ]
}

const sizeOf = (evidence: unknown): number =>
  evidence === undefined ? 0 : Buffer.byteLength(JSON.stringify(evidence))
