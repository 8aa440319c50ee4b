import { Type } from '../../../infra/http/schema/type.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { formatId, mustParseId } from '../../../kernel/ids.ts'
import { read, write, type Operation } from '../../../infra/http/operation.ts'
import { noContent, reply } from '../../../infra/http/reply.ts'
import { pathId } from '../../../infra/http/schema/wire-schema.ts'
import { mustFindCustomer } from '../../customers/index.ts'
import { completeReset } from './complete-reset.ts'
import { mustFindReset } from './reset.ts'
import { mustNeedSca } from '../customers/sca-customer.ts'
import {
  ResetCompleteRequestSchema,
  ResetStartRequestSchema,
  ResetStartSchema,
  ResetStatusSchema,
  ScaQuerySchema,
} from '../schema.ts'
import { startReset } from './start-reset.ts'
import { resetToWire } from '../wire.ts'

const tag = 'Strong Customer Authentication'
const query = ScaQuerySchema
const params = Type.Object({ resetId: pathId('Id of the reset, `ScaReset:<uuid>`.') })

export const resetRoutes: readonly Operation[] = [
  write({
    id: 'startTwoFactorReset',
    method: 'POST',
    path: '/sca/factors/reset',
    tag,
    needs: 'MANAGE',
    summary: 'Begin to reset a lost factor',
    description:
      'The customer shows on the page behind the link that it is a living person; then the reset is reviewed. At most five in 24 hours. In the sandbox both happen by themselves within ten seconds.',
    query,
    body: ResetStartRequestSchema,
    example: { factor: 'TOTP' },
    replies: { 201: ResetStartSchema },
    errors: ['USER_NOT_FOUND', 'CONFLICT', 'RATE_LIMITED'],
    sealStoredReply: true,
    handler: async ({ work, query, body: { factor } }) => {
      const customerId = mustParseId('customer', query.customerId)
      const { reset, secret, verificationLink } = await startReset(work, { customerId, factor })
      return reply(201, {
        resetId: formatId('scaReset', reset.id),
        livenessAccessToken: secret,
        verificationLink,
        expiresAt: toWireTime(reset.expiresAt),
      })
    },
  }),
  read({
    id: 'getTwoFactorResetStatus',
    path: '/sca/factors/reset/{resetId}',
    tag,
    needs: 'VIEW',
    summary: 'How a reset stands',
    description: 'Ask until it is `LIVENESS_PASSED`, then complete it.',
    params,
    query,
    replies: { 200: ResetStatusSchema },
    errors: ['USER_NOT_FOUND', 'REFERENCE_NOT_FOUND', 'CONFLICT'],
    handler: async ({ work, query, params: { resetId } }) => {
      const customer = await mustFindCustomer(work, mustParseId('customer', query.customerId))
      const key = { customerId: customer.id, resetId: mustParseId('scaReset', resetId) }
      const reset = await mustFindReset(work, key)
      mustNeedSca(customer)
      return reply(200, resetToWire(reset))
    },
  }),
  write({
    id: 'completeTwoFactorReset',
    method: 'POST',
    path: '/sca/factors/reset/{resetId}/complete',
    tag,
    needs: 'MANAGE',
    summary: 'Complete a reset that was approved',
    description:
      'Removes the factor and ends all sessions. Of SMS_OTP, `mobile` becomes the customer’s phone number; otherwise the body is ignored.',
    params,
    query,
    body: ResetCompleteRequestSchema,
    bodyOptional: true,
    replies: { 204: null },
    errors: ['USER_NOT_FOUND', 'REFERENCE_NOT_FOUND', 'CONFLICT'],
    handler: async ({ work, query, params: { resetId }, body: { mobile } }) => {
      const customerId = mustParseId('customer', query.customerId)
      await completeReset(work, { customerId, resetId: mustParseId('scaReset', resetId), mobile })
      return noContent()
    },
  }),
]
