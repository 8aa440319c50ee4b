import { isJsonObject } from '../../../crypto/encoding/json-object.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import type { FieldError } from '../../../kernel/errors.ts'
import { mustParseId } from '../../../kernel/ids.ts'
import { write, type Operation } from '../../../infra/http/operation.ts'
import { reply } from '../../../infra/http/reply.ts'
import { completeLogin } from './complete-login.ts'
import { checkIpAddress, checkProof, endUserNote, proofOf } from '../challenges/proof.ts'
import { recordEvent } from './record-event.ts'
import {
  LoginCompleteRequestSchema,
  LoginCompleteSchema,
  LoginStartRequestSchema,
  LoginStartSchema,
  RecordEventRequestSchema,
  RecordEventResponseSchema,
  ScaQuerySchema,
} from '../schema.ts'
import { lockDetails } from '../customers/security-state.ts'
import { startLogin } from './start-login.ts'
import { loginToWire } from '../wire.ts'

const tag = 'Strong Customer Authentication'
const query = ScaQuerySchema

/** An SMS code is named by its challenge (SCA-19). Accepts unvalidated input; never throws. */
function checkChallengeId(body: unknown): FieldError[] {
  if (
    !isJsonObject(body) ||
    body['factor'] !== 'SMS_OTP' ||
    typeof body['challengeId'] === 'string'
  ) {
    return []
  }
  return [{ field: 'challengeId', message: 'is required with SMS_OTP' }]
}

export const loginRoutes: readonly Operation[] = [
  write({
    id: 'startScaLogin',
    method: 'POST',
    path: '/sca/login/start',
    tag,
    needs: 'MANAGE',
    summary: 'Begin a login with one factor',
    description:
      'To be completed within five minutes; one begun before is void. In the sandbox no message is sent and the code is `123456`.',
    query,
    body: LoginStartRequestSchema,
    example: { factor: 'SMS_OTP' },
    replies: { 200: LoginStartSchema },
    errors: ['USER_NOT_FOUND', 'CONFLICT', 'RATE_LIMITED', 'NOT_IMPLEMENTED'],
    handler: async ({ work, query, body: { factor } }) => {
      const customerId = mustParseId('customer', query.customerId)
      return reply(200, loginToWire(await startLogin(work, { customerId, factor })))
    },
  }),
  write({
    id: 'completeScaLogin',
    method: 'POST',
    path: '/sca/login/complete',
    tag,
    needs: 'MANAGE',
    summary: 'Complete a login with its proof',
    description:
      'Opens a session of 180 days. The fifth wrong proof locks the login for 15 minutes, each further one for longer; the ninth suspends it.',
    query,
    body: LoginCompleteRequestSchema,
    example: {
      factor: 'SMS_OTP',
      challengeId: 'ScaChallenge:01890a5d-ac96-774b-bcce-b302099a8057',
      code: '123456',
      endUserIpAddress: '203.0.113.7',
    },
    replies: { 200: LoginCompleteSchema },
    errors: ['USER_NOT_FOUND', 'CONFLICT', 'ACCOUNT_LOCKED'],
    check: ({ body }) => [...checkChallengeId(body), ...checkProof(body), ...checkIpAddress(body)],
    auditNote: ({ body }) => endUserNote(body),
    handler: async ({ work, query, body }) => {
      const customerId = mustParseId('customer', query.customerId)
      const { factor, challengeId } = body
      const login = {
        customerId,
        factor,
        challengeId: challengeId ?? undefined,
        proof: proofOf(body),
      }
      const result = await completeLogin(work, login)
      if ('ok' in result) return result
      return reply(200, { status: 'SUCCESS', sessionExpiresAt: toWireTime(result) })
    },
  }),
  write({
    id: 'recordSecurityEvent',
    method: 'POST',
    path: '/sca/record-event',
    tag,
    needs: 'MANAGE',
    summary: 'Tell of a failed login or a new password at the platform',
    description:
      'A failed login counts like a wrong proof here and may lock the customer; a new password ends all sessions.',
    query,
    body: RecordEventRequestSchema,
    example: { eventType: 'FAILED_LOGIN_ATTEMPT' },
    replies: { 200: RecordEventResponseSchema },
    errors: ['USER_NOT_FOUND', 'CONFLICT', 'ACCOUNT_LOCKED'],
    handler: async ({ work, query, body: { eventType } }) => {
      const customerId = mustParseId('customer', query.customerId)
      const state = await recordEvent(work, { customerId, eventType })
      return reply(200, { eventType, ...lockDetails(state, work.now) })
    },
  }),
]
