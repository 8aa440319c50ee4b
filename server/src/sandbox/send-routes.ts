import { Type } from '../infra/http/schema/type.ts'
import { parseId } from '../kernel/ids.ts'
import { amountFromWire } from '../kernel/money/wire-money.ts'
import { lane, type Operation } from '../infra/http/operation.ts'
import { amount, idField, object } from '../infra/http/schema/wire-schema.ts'
import { fundQuote } from '../features/quotes/index.ts'
import { TransactionSchema } from '../features/transactions/index.ts'

/** Simulates the funds of a REALTIME_FUNDING quote, or a push from a quote's external account (chapter 31, 9.5). */
export const sendRoutes: readonly Operation[] = [
  lane({
    id: 'sandboxSend',
    path: '/sandbox/send',
    tag: 'Sandbox',
    needs: 'TRANSACT',
    summary: 'Send the funds of a quote',
    description:
      'As if the payer had followed the instructions, or pushed the money from the external account that the quote ' +
      'names; another amount than asked for fails.',
    body: object('SandboxSendRequest', {
      quoteId: idField('quote'),
      currencyCode: Type.String(),
      currencyAmount: Type.Optional(amount({ description: 'Without, exactly what is asked for.' })),
    }),
    example: {
      quoteId: 'Quote:0199e7a5-0000-7000-8000-000000000001',
      currencyCode: 'USD',
    },
    replies: { 200: TransactionSchema },
    errors: ['QUOTE_NOT_FOUND', 'INVALID_CURRENCY', 'QUOTE_EXPIRED', 'CONFLICT'],
    command: fundQuote,
    input: ({ body }) => ({
      quoteId: parseId('quote', body.quoteId),
      currency: body.currencyCode,
      amount: body.currencyAmount === undefined ? undefined : amountFromWire(body.currencyAmount),
    }),
  }),
]
