/** Operations of an agent: quotes, transfers and its actions. */
import { Type } from '../../../infra/http/schema/type.ts'
import { SECOND_MS } from '../../../kernel/clock.ts'
import type { ErrorCode, FieldError } from '../../../kernel/errors.ts'
import { failNotFound, mustParseId, parseId } from '../../../kernel/ids.ts'
import { lane, read, type Operation } from '../../../infra/http/operation.ts'
import { reply } from '../../../infra/http/reply.ts'
import { pathId } from '../../../infra/http/schema/wire-schema.ts'
import {
  EXECUTION_ERRORS,
  GATE_ERRORS,
  lookUpReceiver,
  commandOf,
  quoteErrors,
  QuoteRequestSchema,
  QuoteSchema,
  readQuote,
  showQuote,
  UMA_ERRORS,
} from '../../quotes/index.ts'
import { TransferInRequestSchema, TransferOutRequestSchema } from '../../transfers/index.ts'
import { readSignedHeaders } from '../../wallet-auth/index.ts'
import { createOwnQuote } from './create-own-quote.ts'
import { mustFindOwnAgent } from '../record/find-agent.ts'
import { listOwnActions, showOwnAction } from '../actions/list-actions.ts'
import { ActionListSchema, ActionSchema, AgentSchema, OwnActionsQuerySchema } from '../schema.ts'
import { submitAction } from '../actions/submit-action.ts'
import { agentToWire } from '../record/wire.ts'

const tag = 'Agent Operations'
const INTERNAL = 'InternalAccount:0199e7a5-0000-7000-8000-000000000001'
const EXTERNAL = 'ExternalAccount:0199e7a5-0000-7000-8000-000000000002'

const PRICING: readonly ErrorCode[] = [
  'REFERENCE_NOT_FOUND',
  'INVALID_CURRENCY',
  'INVALID_AMOUNT',
  'AMOUNT_OUT_OF_RANGE',
  'TRANSACTION_SIZE_LIMIT_EXCEEDED',
  'QUOTE_REQUEST_FAILED',
]

/**
 * An agent's quote is paid from an account and executed by a separate call, because only that call checks the policy
 * (ACT-8). An agent may not set the platform's fee, as it could waive it. Accepts unvalidated input.
 */
function ownQuoteErrors(body: unknown): FieldError[] {
  const { source, immediatelyExecute, platformFeeOverride } = Object(body) as Readonly<
    Record<string, unknown>
  >
  const { sourceType } = Object(source) as Readonly<Record<string, unknown>>
  const errors: FieldError[] = []
  if (sourceType === 'REALTIME_FUNDING') {
    const constraint = { enum: ['ACCOUNT'] }
    const message = 'must be ACCOUNT where an agent asks'
    errors.push({ field: 'source.sourceType', constraint, message })
  }
  if (immediatelyExecute === true) {
    const message = 'is not possible here: execution passes through the policy'
    errors.push({ field: 'immediatelyExecute', message })
  }
  if (platformFeeOverride !== undefined) {
    errors.push({ field: 'platformFeeOverride', message: 'is only the platform’s to set' })
  }
  return errors
}

export const ownRoutes: readonly Operation[] = [
  read({
    id: 'getAgentMe',
    path: '/agents/me',
    tag,
    needs: 'AGENT',
    summary: 'Read the agent that calls',
    description: 'Name, policy and use of limits, for the program to know what it may do.',
    replies: { 200: AgentSchema },
    handler: async ({ work }) => reply(200, agentToWire(await mustFindOwnAgent(work), work.now)),
  }),
  lane({
    id: 'agentCreateQuote',
    path: '/agents/me/quotes',
    tag,
    needs: 'AGENT',
    agentPermission: 'CREATE_QUOTES',
    summary: 'Create a quote as an agent',
    description: 'From an account of its customer; it is executed by a call of its own.',
    body: QuoteRequestSchema,
    example: {
      source: { sourceType: 'ACCOUNT', accountId: INTERNAL },
      destination: { destinationType: 'ACCOUNT', accountId: EXTERNAL },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000,
    },
    replies: { 201: QuoteSchema },
    errors: [
      ...GATE_ERRORS,
      ...PRICING,
      ...UMA_ERRORS,
      'SELF_PAYMENT',
      'NOT_IMPLEMENTED',
      'CONFLICT',
    ],
    check: ({ body }) => [...ownQuoteErrors(body), ...quoteErrors(body)],
    lookUp: lookUpReceiver,
    command: createOwnQuote,
    input: ({ body, ...context }) => ({
      ...commandOf(body, context),
      approvalLifetimeMs: context.settings.quoteTtlApprovalSeconds * SECOND_MS,
    }),
  }),
  read({
    id: 'agentGetQuote',
    path: '/agents/me/quotes/{quoteId}',
    tag,
    needs: 'AGENT',
    summary: 'Read a quote of the agent’s own',
    description: 'Only quotes that the agent itself created.',
    params: Type.Object({ quoteId: pathId('Id of the quote, `Quote:<uuid>`.') }),
    replies: { 200: QuoteSchema },
    errors: ['QUOTE_NOT_FOUND'],
    handler: async ({ work, params }) => {
      const { id } = await mustFindOwnAgent(work)
      const found = await readQuote(work, mustParseId('quote', params.quoteId))
      if (found.transaction.agentId !== id) return failNotFound('quote')
      return reply(200, await showQuote(work, found))
    },
  }),
  lane({
    id: 'agentExecuteQuote',
    path: '/agents/me/quotes/{quoteId}/execute',
    tag,
    needs: 'AGENT',
    agentPermission: 'EXECUTE_QUOTES',
    summary: 'Execute a quote as an agent',
    description: 'Runs at once or waits for the platform’s approval, as the policy says.',
    params: Type.Object({ quoteId: pathId('Id of the quote, `Quote:<uuid>`.') }),
    headers: Type.Object({
      'Service-Wallet-Signature': Type.Optional(
        Type.String({ description: 'The stamp over `payloadToSign`, where a wallet pays.' }),
      ),
    }),
    replies: { 200: ActionSchema },
    errors: [...EXECUTION_ERRORS, 'NOT_IMPLEMENTED', ...GATE_ERRORS],
    command: submitAction,
    input: ({ params, headers }) => {
      const { stamp } = readSignedHeaders(headers)
      return {
        type: 'EXECUTE_QUOTE' as const,
        input: {
          quoteId: parseId('quote', params.quoteId),
          scaFactor: undefined,
          signing: { body: {}, headers: { stamp, requestId: undefined } },
        },
      }
    },
  }),
  lane({
    id: 'agentCreateTransferOut',
    path: '/agents/me/transfer-out',
    tag,
    needs: 'AGENT',
    agentPermission: 'CREATE_TRANSFERS',
    summary: 'Send money out as an agent',
    description:
      'From an account of its customer to an external one of the same currency. Runs at once or waits for approval, as the policy says.',
    body: TransferOutRequestSchema,
    example: {
      source: { accountId: INTERNAL },
      destination: { accountId: EXTERNAL },
      amount: 12_550,
    },
    replies: { 201: ActionSchema },
    errors: [...GATE_ERRORS, ...PRICING, 'CONFLICT'],
    command: submitAction,
    input: ({ body }) => ({ type: 'TRANSFER_OUT' as const, input: body }),
  }),
  lane({
    id: 'agentCreateTransferIn',
    path: '/agents/me/transfer-in',
    tag,
    needs: 'AGENT',
    agentPermission: 'CREATE_TRANSFERS',
    summary: 'Pull money in as an agent',
    description:
      'From an external account of its customer into an internal one of the same currency. Runs at once or waits for approval, as the policy says.',
    body: TransferInRequestSchema,
    example: {
      source: { accountId: EXTERNAL },
      destination: { accountId: INTERNAL },
      amount: 10_000,
    },
    replies: { 201: ActionSchema },
    errors: [...GATE_ERRORS, ...PRICING],
    command: submitAction,
    input: ({ body }) => ({ type: 'TRANSFER_IN' as const, input: body }),
  }),
  read({
    id: 'agentListActions',
    path: '/agents/me/actions',
    tag,
    needs: 'AGENT',
    summary: 'List the agent’s actions',
    description: 'What the agent asked for and how it was decided, newest first.',
    query: OwnActionsQuerySchema,
    replies: { 200: ActionListSchema },
    handler: async ({ work, query }) => {
      const { id } = await mustFindOwnAgent(work)
      const page = await listOwnActions(work, id, query)
      return reply(200, { ...page, data: [...page.data] })
    },
  }),
  read({
    id: 'agentGetAction',
    path: '/agents/me/actions/{actionId}',
    tag,
    needs: 'AGENT',
    summary: 'Read an action of the agent’s own',
    description: 'Whether it waits, ran, was rejected or failed, and why.',
    params: Type.Object({ actionId: pathId('Id of the action, `AgentAction:<uuid>`.') }),
    replies: { 200: ActionSchema },
    errors: ['REFERENCE_NOT_FOUND'],
    handler: async ({ work, params }) => {
      const { id } = await mustFindOwnAgent(work)
      return reply(200, await showOwnAction(work, id, mustParseId('agentAction', params.actionId)))
    },
  }),
]
