import { Type } from '../../../infra/http/schema/type.ts'
import { idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { formatId } from '../../../kernel/ids.ts'
import { CUSTOMER_STATUSES } from '../../../features/customers/lists.ts'
import {
  listReviews as listLines,
  OPEN_STATUSES,
  type ReviewLine,
} from '../../../features/verifications/lists.ts'
import { shownPlatforms } from '../../access/visible-platforms.ts'
import { choiceOf, defineCommand, record } from '../../command.ts'
import { limitOf } from '../../queries/list-filters.ts'

const LineSchema = record({
  verificationId: Type.Optional(idField('verification')),
  customerId: idField('customer'),
  platformId: idField('platform'),
  customerType: Type.String(),
  customerName: Type.Optional(Type.String()),
  verificationStatus: Type.Optional(Type.String()),
  status: Type.String(),
  submittedAt: timestamp(),
  reasons: Type.Array(Type.String()),
  ownerIds: Type.Optional(Type.Array(idField('beneficialOwner'))),
  ownerNames: Type.Optional(Type.Array(Type.String())),
})

/** A decided verification has the status of its customer. */
const STATUSES = [...OPEN_STATUSES, ...CUSTOMER_STATUSES]

/** Of an approved business only its owners wait. */
const reasonsOf = ({ status, isOwnerReview, ownerIds, flags }: ReviewLine): readonly string[] => [
  ...(status === 'PENDING' || status === 'HOLD' ? ['SUBMITTED'] : []),
  ...(isOwnerReview || ownerIds.length > 0 ? ['OWNERS_NOT_COVERED'] : []),
  ...flags,
]

export const listReviews = defineCommand({
  name: 'review list',
  access: { roles: ['VIEWER'] },
  about:
    'Undecided customers and verifications, oldest first, and owners who were added or changed since.',
  options: {
    platform: { about: 'Only of this platform.', value: 'ID' },
    status: { about: 'Only with this status, of the customer or the verification.', value: 'NAME' },
    limit: { about: 'At most this many (default all).', value: 'N' },
  },
  answers: Type.Array(LineSchema),
  async run(deps, input) {
    const platformIds = shownPlatforms(deps, input)
    const limit = input.option('limit') === undefined ? undefined : limitOf(input)
    const lines = await listLines(deps.db.read, {
      platformIds,
      status: choiceOf(input, 'status', STATUSES),
      limit,
    })
    return lines.map((line) => ({
      ...(line.verificationId && { verificationId: formatId('verification', line.verificationId) }),
      customerId: formatId('customer', line.customerId),
      platformId: formatId('platform', line.platformId),
      customerType: line.customerType,
      ...(line.customerName && { customerName: line.customerName }),
      ...(line.verificationStatus && { verificationStatus: line.verificationStatus }),
      status: line.status,
      submittedAt: toWireTime(line.submittedAt),
      reasons: reasonsOf(line),
      ...(line.ownerIds.length > 0 && {
        ownerIds: line.ownerIds.map((id) => formatId('beneficialOwner', id)),
        ownerNames: line.ownerNames,
      }),
    }))
  },
})
