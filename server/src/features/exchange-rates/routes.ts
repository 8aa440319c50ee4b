import { amountFromWire } from '../../kernel/money/wire-money.ts'
import { read, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { listExchangeRates } from './list-exchange-rates.ts'
import { ExchangeRateListSchema, ExchangeRateQuerySchema } from './schema.ts'
import { exchangeRateToWire } from './wire.ts'

export const routes: readonly Operation[] = [
  read({
    id: 'getExchangeRates',
    path: '/exchange-rates',
    tag: 'Exchange Rates',
    needs: 'VIEW',
    summary: 'List exchange rates',
    description:
      'What a quote would give now, fees included. The market part holds for 300 seconds.',
    query: ExchangeRateQuerySchema,
    replies: { 200: ExchangeRateListSchema },
    handler: async ({ work, query }) => {
      const sendingAmount = amountFromWire(query.sendingAmount ?? 0)
      const rates = await listExchangeRates(work, {
        sourceCurrency: query.sourceCurrency,
        destinationCurrencies: query.destinationCurrency,
        sendingAmount,
      })
      return reply(200, { data: rates.map((rate) => exchangeRateToWire(rate, sendingAmount)) })
    },
  }),
]
