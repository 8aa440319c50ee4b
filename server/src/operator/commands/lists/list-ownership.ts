import { Type } from '../../../infra/http/schema/type.ts'
import { environmentSchema, idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { formatId } from '../../../kernel/ids.ts'
import {
  listOwnershipReviews,
  type OwnershipReview,
} from '../../../features/external-accounts/lists.ts'
import { defineCommand, record } from '../../command.ts'
import { WAITING_OPTIONS, waitingPage } from '../../queries/waiting-page.ts'

const ReviewSchema = record({
  platformId: idField('platform'),
  environment: environmentSchema(),
  externalAccountId: idField('externalAccount'),
  customerId: Type.Optional(idField('customer')),
  customerName: Type.Optional(Type.String()),
  accountType: Type.String(),
  askedAt: timestamp(),
  expiresAt: timestamp(),
  submittedAt: Type.Optional(timestamp()),
})

const toShown = (review: OwnershipReview) => ({
  platformId: formatId('platform', review.platformId),
  environment: review.environment,
  externalAccountId: formatId('externalAccount', review.externalAccountId),
  ...(review.customerId && { customerId: formatId('customer', review.customerId) }),
  ...(review.customerName !== null && { customerName: review.customerName }),
  accountType: review.accountType,
  askedAt: toWireTime(review.createdAt),
  expiresAt: toWireTime(review.expiresAt),
  ...(review.submittedAt && { submittedAt: toWireTime(review.submittedAt) }),
})

export const listOwnership = defineCommand({
  name: 'ownership list',
  access: { roles: ['VIEWER'] },
  about: 'Liveness checks that wait for a decision, oldest first.',
  options: WAITING_OPTIONS,
  answers: Type.Array(ReviewSchema),
  async run(deps, input) {
    const { db, clock } = deps
    const page = waitingPage(deps, input, 'externalAccount')
    return (await listOwnershipReviews(db.read, { ...page, now: clock.now() })).map(toShown)
  },
})
