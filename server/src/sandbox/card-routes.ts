import { Type } from '../infra/http/schema/type.ts'
import { mustParseId, newUuid, parseId } from '../kernel/ids.ts'
import { amountFromWire, moneyToWire } from '../kernel/money/wire-money.ts'
import type { FieldError } from '../kernel/errors.ts'
import { checkedWhenUsed } from '../infra/http/schema/checked-when-used.ts'
import { lane, write, type Operation } from '../infra/http/operation.ts'
import { reply } from '../infra/http/reply.ts'
import {
  amount,
  MoneySchema,
  object,
  oneOf,
  pathId,
  UUID,
} from '../infra/http/schema/wire-schema.ts'
import { requestValidator } from '../infra/http/schema/validate.ts'
import type { Work } from '../infra/work/work.ts'
import {
  adviseCardTransaction,
  authorizeCard,
  cardTransactionToWire,
  clearCard,
  DECLINE_REASONS,
  inquireBalance,
  merchantFromWire,
  returnCardTransaction,
  reverseCardReturn,
  type AuthorizationKind,
  simulatedBy,
} from '../features/cards/index.ts'
import { CardTransactionSchema } from '../features/transactions/index.ts'

const tag = 'Sandbox'
const needs = 'TRANSACT'
const params = Type.Object({ cardId: pathId('Id of the card, `Card:<uuid>`.') })
const pathOf = (kind: string): string => `/sandbox/cards/{cardId}/simulate/${kind}`

const MerchantSchema = object('SandboxCardMerchant', {
  descriptor: Type.String({
    minLength: 1,
    maxLength: 255,
  }),
  mcc: Type.Optional(Type.String({ pattern: '^[0-9]{4}$' })),
  country: Type.Optional(Type.String({ format: 'iso3166-1-alpha-2' })),
})

/** Only the code of the currency counts (AUTHZ-22). */
const CurrencySchema = object('SandboxCardCurrency', {
  code: Type.String(),
  name: Type.Optional(Type.Unknown()),
  symbol: Type.Optional(Type.Unknown()),
  decimals: Type.Optional(Type.Unknown()),
})

const AuthorizationSchema = object('SandboxCardAuthorizationRequest', {
  amount: amount(),
  currency: CurrencySchema,
  merchant: MerchantSchema,
})

const MERCHANT_EXAMPLE = { descriptor: 'BLUE DOOR COFFEE', mcc: '5814', country: 'US' }

type Decision = Readonly<{ kind: AuthorizationKind; id: string; path: string; summary: string }>

const DECISIONS: readonly Decision[] = [
  {
    kind: 'AUTHORIZATION',
    id: 'sandboxSimulateCardAuthorization',
    path: 'authorization',
    summary: 'Authorize a purchase',
  },
  {
    kind: 'FINANCIAL_AUTHORIZATION',
    id: 'sandboxSimulateCardFinancialAuthorization',
    path: 'financial_authorization',
    summary: 'Authorize and clear a purchase in one message',
  },
  {
    kind: 'CREDIT_AUTHORIZATION',
    id: 'sandboxSimulateCardCreditAuthorization',
    path: 'credit_authorization',
    summary: 'Authorize a credit',
  },
  {
    kind: 'CREDIT_AUTHORIZATION_ADVICE',
    id: 'sandboxSimulateCardCreditAuthorizationAdvice',
    path: 'credit_authorization_advice',
    summary: 'Tell of a credit that was authorized elsewhere',
  },
  {
    kind: 'FINANCIAL_CREDIT_AUTHORIZATION',
    id: 'sandboxSimulateCardFinancialCreditAuthorization',
    path: 'financial_credit_authorization',
    summary: 'Authorize and clear a credit in one message',
  },
]

const decisionRoute = ({ kind, id, path, summary }: Decision): Operation =>
  lane({
    id,
    path: pathOf(path),
    tag,
    needs,
    summary,
    description: 'A decline is an answer too: a transaction that is `DECLINED`, with its reason.',
    params,
    body: AuthorizationSchema,
    example: { amount: 1250, currency: { code: 'USD' }, merchant: MERCHANT_EXAMPLE },
    replies: { 202: CardTransactionSchema },
    errors: ['REFERENCE_NOT_FOUND', 'INVALID_CURRENCY', 'AMOUNT_OUT_OF_RANGE'],
    command: authorizeCard,
    input: ({ params: { cardId }, body }) => ({
      cardId: parseId('card', cardId),
      kind,
      amount: amountFromWire(body.amount),
      currency: body.currency.code,
      merchant: merchantFromWire(body.merchant),
      simulated: simulatedBy(body.merchant.descriptor),
    }),
  })

/** Any id has the right form; an id of another kind is not found (CTXN-3). */
const cardTransactionId = Type.String({ pattern: `^[A-Z][A-Za-z]*:${UUID}$` })
const TRANSACTION_EXAMPLE = 'CardTransaction:01994d2e-7c1a-7f00-8000-000000000003'

type FollowUp = Readonly<{
  id: string
  path: string
  summary: string
  description: string
  schema: string
  run: typeof adviseCardTransaction
}>

const FOLLOW_UPS: readonly FollowUp[] = [
  {
    id: 'sandboxSimulateCardAuthorizationAdvice',
    path: 'authorization_advice',
    summary: 'Change the amount of an authorization',
    description: 'The hold on the account becomes more or less; not below what is cleared already.',
    schema: 'SandboxCardAuthorizationAdviceRequest',
    run: adviseCardTransaction,
  },
  {
    id: 'sandboxSimulateCardReturn',
    path: 'return',
    summary: 'Give back what was cleared',
    description:
      'At most what is cleared and not returned yet; the money is credited to the account.',
    schema: 'SandboxCardReturnRequest',
    run: returnCardTransaction,
  },
]

const namedFrom = (cardId: string, transactionId: string) => ({
  cardId: mustParseId('card', cardId),
  id: parseId('cardTransaction', transactionId),
})

const followUpRoute = ({ id, path, summary, description, schema, run }: FollowUp): Operation =>
  write({
    id,
    method: 'POST',
    path: pathOf(path),
    tag,
    needs,
    summary,
    description,
    params,
    body: object(schema, { cardTransactionId, amount: amount() }),
    example: { cardTransactionId: TRANSACTION_EXAMPLE, amount: 1250 },
    replies: { 202: CardTransactionSchema },
    errors: ['REFERENCE_NOT_FOUND', 'TRANSACTION_NOT_FOUND', 'AMOUNT_OUT_OF_RANGE'],
    handler: async ({ work, params: { cardId }, body }) => {
      const named = namedFrom(cardId, body.cardTransactionId)
      const followed = await run(work, { ...named, amount: amountFromWire(body.amount) })
      return reply(202, cardTransactionToWire(work.platform.id, followed))
    },
  })

const ClearingSchema = object('SandboxCardClearingRequest', {
  cardTransactionId: Type.Optional(cardTransactionId),
  amount: amount({
    minimum: 0,
    description:
      "In the smallest unit of `currency`, or else of the card's. With 0 the authorization ends.",
  }),
  currency: Type.Optional(CurrencySchema),
  merchant: Type.Optional(
    checkedWhenUsed(
      object('SandboxCardClearingMerchant', MerchantSchema.properties, {
        description: 'In place of `cardTransactionId`: a clearing without authorization.',
      }),
    ),
  ),
})

const merchantErrors = requestValidator(object('Merchant', { merchant: MerchantSchema }))

/** A force post needs a merchant and an amount above zero (CTXN-19). */
function checkClearing(body: unknown): FieldError[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  const { cardTransactionId: id, merchant, amount: given } = body as Record<string, unknown>
  if (id !== undefined) return []
  if (merchant === undefined) return [{ field: 'cardTransactionId', message: 'is required' }]
  const [minimum, message] = [1, 'must be at least 1 without an authorization']
  const ofAmount = given === 0 ? [{ field: 'amount', constraint: { minimum }, message }] : []
  return [...merchantErrors(body), ...ofAmount]
}

const clearingRoute = write({
  id: 'sandboxSimulateCardClearing',
  method: 'POST',
  path: pathOf('clearing'),
  tag,
  needs,
  summary: 'Clear a purchase, or with 0 end its authorization',
  description:
    'Late, second and forced clearings, and those in another currency, are booked like any other. What cannot be pulled makes the transaction an `EXCEPTION`.',
  params,
  body: ClearingSchema,
  example: { cardTransactionId: TRANSACTION_EXAMPLE, amount: 1250 },
  replies: { 202: CardTransactionSchema },
  errors: [
    'REFERENCE_NOT_FOUND',
    'TRANSACTION_NOT_FOUND',
    'INVALID_CURRENCY',
    'AMOUNT_OUT_OF_RANGE',
  ],
  check: ({ body }) => checkClearing(body),
  handler: async ({ work, params: { cardId }, body }) => {
    const { cardTransactionId: id, merchant } = body
    const cleared = await clearCard(work, {
      cardId: mustParseId('card', cardId),
      by:
        id === undefined && merchant
          ? { merchant: merchantFromWire(merchant) }
          : { transactionId: parseId('cardTransaction', id ?? '') },
      amount: amountFromWire(body.amount),
      currency: body.currency?.code,
    })
    return reply(202, cardTransactionToWire(work.platform.id, cleared))
  },
})

const reversalRoute = write({
  id: 'sandboxSimulateCardReturnReversal',
  method: 'POST',
  path: pathOf('return_reversal'),
  tag,
  needs,
  summary: 'Undo the latest return',
  description: 'The money is debited again, as a whole.',
  params,
  body: object('SandboxCardTransactionRefRequest', { cardTransactionId }),
  example: { cardTransactionId: TRANSACTION_EXAMPLE },
  replies: { 202: CardTransactionSchema },
  errors: ['REFERENCE_NOT_FOUND', 'TRANSACTION_NOT_FOUND'],
  handler: async ({ work, params: { cardId }, body }) => {
    const reversed = await reverseCardReturn(work, namedFrom(cardId, body.cardTransactionId))
    return reply(202, cardTransactionToWire(work.platform.id, reversed))
  },
})

const inquiryRoute = write({
  id: 'sandboxSimulateCardBalanceInquiry',
  method: 'POST',
  path: pathOf('balance_inquiry'),
  tag,
  needs,
  summary: 'Ask for the balance behind a card',
  description: 'As a terminal would ask; nothing is held or booked.',
  params,
  body: object('SandboxCardBalanceInquiryRequest', { merchant: MerchantSchema }),
  example: { merchant: MERCHANT_EXAMPLE },
  replies: {
    202: object('SandboxCardBalanceInquiryResponse', {
      issuerTransactionToken: Type.String(),
      outcome: oneOf(['APPROVED', 'DECLINED']),
      declineReason: Type.Optional(oneOf(DECLINE_REASONS)),
      availableBalance: Type.Optional(MoneySchema),
    }),
  },
  errors: ['REFERENCE_NOT_FOUND'],
  handler: async ({ work, params: { cardId }, body }) =>
    reply(202, await inquire(work, cardId, body.merchant.descriptor)),
})

async function inquire(work: Work, cardId: string, descriptor: string) {
  const answer = await inquireBalance(work, {
    cardId: mustParseId('card', cardId),
    simulated: simulatedBy(descriptor),
  })
  const issuerTransactionToken = newUuid()
  if ('declineReason' in answer) {
    const { declineReason } = answer
    return { issuerTransactionToken, outcome: 'DECLINED' as const, declineReason }
  }
  const availableBalance = moneyToWire(answer.available)
  return { issuerTransactionToken, outcome: 'APPROVED' as const, availableBalance }
}

/** Simulates the card network (chapter 40, section 8). */
export const cardRoutes: readonly Operation[] = [
  ...DECISIONS.map(decisionRoute),
  inquiryRoute,
  clearingRoute,
  ...FOLLOW_UPS.map(followUpRoute),
  reversalRoute,
]
