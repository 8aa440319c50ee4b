import { toWireTime } from '../../kernel/clock.ts'
import { isPaymentRail } from '../../kernel/money/payment-rail.ts'
import { amountToWire, currencyToWire } from '../../kernel/money/wire-money.ts'
import type { ExchangeRate } from './list-exchange-rates.ts'
import type { WireExchangeRate } from './schema.ts'

export function exchangeRateToWire(rate: ExchangeRate, sendingAmount: bigint): WireExchangeRate {
  const { paymentRail, fees } = rate
  return {
    sourceCurrency: currencyToWire(rate.sending),
    destinationCurrency: currencyToWire(rate.receiving),
    ...(paymentRail && isPaymentRail(paymentRail) && { destinationPaymentRail: paymentRail }),
    minSendingAmount: amountToWire(rate.minSendingAmount),
    maxSendingAmount: amountToWire(rate.maxSendingAmount),
    sendingAmount: amountToWire(sendingAmount),
    receivingAmount: amountToWire(rate.receivingAmount),
    exchangeRate: rate.exchangeRate,
    fees: { fixed: amountToWire(fees.fixed), total: amountToWire(fees.total) },
    updatedAt: toWireTime(rate.updatedAt),
  }
}
