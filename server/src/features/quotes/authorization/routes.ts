import { Type } from '../../../infra/http/schema/type.ts'
import { mustParseId } from '../../../kernel/ids.ts'
import { write, type Operation } from '../../../infra/http/operation.ts'
import { noContent, reply } from '../../../infra/http/reply.ts'
import { pathId } from '../../../infra/http/schema/wire-schema.ts'
import {
  challengeToWire,
  checkIpAddress,
  checkProof,
  endUserNote,
  proofOf,
  ScaAuthorizationSchema,
} from '../../sca/index.ts'
import { authorizeQuote, resendQuoteCode } from './authorize-quote.ts'
import { QuoteSchema } from '../record/schema.ts'
import { quoteToWire } from '../record/wire.ts'

const tag = 'Strong Customer Authentication'
const params = Type.Object({ quoteId: pathId('Id of the quote, `Quote:<uuid>`.') })

export const authorizationRoutes: readonly Operation[] = [
  write({
    id: 'authorizeQuote',
    method: 'POST',
    path: '/quotes/{quoteId}/authorize',
    tag,
    needs: 'TRANSACT',
    summary: 'Prove that the customer wants a payment',
    description:
      'Needs a session (login). A quote of several steps answers with the next challenge. In the sandbox the code is `123456`.',
    params,
    body: ScaAuthorizationSchema,
    example: { code: '123456', endUserIpAddress: '203.0.113.7' },
    replies: { 200: QuoteSchema },
    errors: [
      'QUOTE_NOT_FOUND',
      'CONFLICT',
      'SCA_SESSION_REQUIRED',
      'ACCOUNT_LOCKED',
      'AMOUNT_OUT_OF_RANGE',
      'RATE_LIMITED',
      'NOT_IMPLEMENTED',
    ],
    check: ({ body }) => [...checkProof(body), ...checkIpAddress(body)],
    auditNote: ({ body }) => endUserNote(body),
    settlesAtOnce: true,
    handler: async ({ work, params, body }) => {
      const quoteId = mustParseId('quote', params.quoteId)
      const result = await authorizeQuote(work, { quoteId, proof: proofOf(body) })
      if ('ok' in result) return result
      const { challenge, check } = result
      const shown = challenge && challengeToWire(challenge, check.payer.use)
      return reply(200, quoteToWire(result, work.now, shown))
    },
  }),
  write({
    id: 'resendQuoteScaCode',
    method: 'POST',
    path: '/quotes/{quoteId}/authorize/resend',
    tag,
    needs: 'TRANSACT',
    summary: 'Send the code of a payment again',
    description: 'A new code; the old one is void. At most three times, 30 seconds apart.',
    params,
    replies: { 204: null },
    errors: ['QUOTE_NOT_FOUND', 'CONFLICT', 'RATE_LIMITED', 'NOT_IMPLEMENTED'],
    handler: async ({ work, params }) => {
      await resendQuoteCode(work, mustParseId('quote', params.quoteId))
      return noContent()
    },
  }),
]
