import { Type } from '../../infra/http/schema/type.ts'
import { mustParseId, parseId } from '../../kernel/ids.ts'
import { lane, read, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { pathId } from '../../infra/http/schema/wire-schema.ts'
import {
  readSignedHeaders,
  signedHeaders,
  SignedRequestChallengeSchema,
} from '../wallet-auth/index.ts'
import { authorizationRoutes } from './authorization/routes.ts'
import { createQuote } from './creation/create-quote.ts'
import { executeQuote } from './execution/execute-quote.ts'
import { EXECUTION_ERRORS, GATE_ERRORS, UMA_ERRORS } from './gate-errors.ts'
import { quoteErrors, commandOf } from './creation/command.ts'
import { lookUpReceiver } from './creation/look-up-receiver.ts'
import { readQuote, showQuote } from './record/read-quote.ts'
import { ExecuteQuoteRequestSchema, QuoteRequestSchema, QuoteSchema } from './record/schema.ts'

const tag = 'Cross-Currency Transfers'

export const routes: readonly Operation[] = [
  lane({
    id: 'createQuote',
    path: '/quotes',
    tag,
    needs: 'TRANSACT',
    summary: 'Create a quote',
    description: 'Locks a price until it expires; with immediatelyExecute also moves the money.',
    body: QuoteRequestSchema,
    example: {
      source: {
        sourceType: 'ACCOUNT',
        accountId: 'InternalAccount:0199e7a5-0000-7000-8000-000000000001',
      },
      destination: {
        destinationType: 'ACCOUNT',
        accountId: 'ExternalAccount:0199e7a5-0000-7000-8000-000000000002',
      },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000,
    },
    replies: { 201: QuoteSchema, 202: QuoteSchema },
    errors: [
      'REFERENCE_NOT_FOUND',
      ...GATE_ERRORS,
      ...UMA_ERRORS,
      'SELF_PAYMENT',
      'INVALID_CURRENCY',
      'INVALID_AMOUNT',
      'AMOUNT_OUT_OF_RANGE',
      'TRANSACTION_SIZE_LIMIT_EXCEEDED',
      'QUOTE_REQUEST_FAILED',
      'NOT_IMPLEMENTED',
      'CONFLICT',
      'SCA_SESSION_REQUIRED',
      'RATE_LIMITED',
    ],
    check: ({ body }) => quoteErrors(body),
    lookUp: lookUpReceiver,
    command: createQuote,
    input: ({ body, ...context }) => commandOf(body, context),
  }),
  read({
    id: 'getQuoteById',
    path: '/quotes/{quoteId}',
    tag,
    needs: 'VIEW',
    summary: 'Read a quote',
    description:
      'Price, both sides and state; while it waits for funds also the payment instructions.',
    params: Type.Object({ quoteId: pathId('Id of the quote, `Quote:<uuid>`.') }),
    replies: { 200: QuoteSchema },
    errors: ['QUOTE_NOT_FOUND'],
    handler: async ({ work, params }) => {
      const found = await readQuote(work, mustParseId('quote', params.quoteId))
      return reply(200, await showQuote(work, found))
    },
  }),
  lane({
    id: 'executeQuote',
    path: '/quotes/{quoteId}/execute',
    tag,
    needs: 'TRANSACT',
    summary: 'Execute a quote',
    params: Type.Object({ quoteId: pathId('Id of the quote, `Quote:<uuid>`.') }),
    body: ExecuteQuoteRequestSchema,
    bodyOptional: true,
    description: 'From a wallet its owner signs first: without a stamp the answer says what.',
    headers: signedHeaders,
    replies: { 200: QuoteSchema, 202: SignedRequestChallengeSchema },
    errors: [
      ...EXECUTION_ERRORS,
      'RATE_LIMITED',
      'NOT_IMPLEMENTED',
      'AMOUNT_OUT_OF_RANGE',
      ...GATE_ERRORS,
    ],
    command: executeQuote,
    input: ({ params, body, headers }) => ({
      quoteId: parseId('quote', params.quoteId),
      scaFactor: body.scaFactor,
      signing: { body, headers: readSignedHeaders(headers) },
    }),
  }),
  ...authorizationRoutes,
]
