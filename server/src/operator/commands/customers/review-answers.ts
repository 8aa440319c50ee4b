import { Type } from '../../../infra/http/schema/type.ts'
import { idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { BeneficialOwnerSchema, CustomerSchema } from '../../../features/customers/index.ts'
import { DocumentSchema } from '../../../features/documents/index.ts'
import { VerificationSchema } from '../../../features/verifications/index.ts'
import { record } from '../../command.ts'
import { AlertSchema, ScreeningSchema } from '../../queries/shown-screenings.ts'

const decided = { customer: CustomerSchema, verification: Type.Optional(VerificationSchema) }

export const DecidedSchema = record(decided)

/** The submission is stored as it was sent, so it has no schema. */
const Submitted = Type.Record(Type.String(), Type.Unknown())

export const ShownSchema = record({
  ...decided,
  platformId: idField('platform'),
  state: Type.String(),
  isOwnerReview: Type.Boolean(),
  ownerIds: Type.Array(idField('beneficialOwner')),
  beneficialOwners: Type.Array(
    record({ ...BeneficialOwnerSchema.properties, covered: Type.Boolean() }),
  ),
  documents: Type.Array(record({ ...DocumentSchema.properties, mediaType: Type.String() })),
  /** Why a person has to look at it, beside a submission. */
  flags: Type.Array(
    record({
      subject: Type.String(),
      reason: Type.String(),
      level: Type.String(),
      raisedAt: timestamp(),
    }),
  ),
  /** Of the customer and its owners. */
  screenings: Type.Array(ScreeningSchema),
  alerts: Type.Array(AlertSchema),
  /** What providers decided, with what they rest on. */
  decisions: Type.Array(
    record({
      orderId: idField('order'),
      providerId: idField('provider'),
      decision: Type.String(),
      decidedAt: timestamp(),
      evidence: Type.Optional(Type.Unknown()),
    }),
  ),
  snapshot: Type.Optional(
    record({
      id: Type.String(),
      takenAt: timestamp(),
      customer: Submitted,
      beneficialOwners: Type.Array(Submitted),
      documents: Type.Array(Submitted),
    }),
  ),
})
