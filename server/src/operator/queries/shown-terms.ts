import { Type } from '../../infra/http/schema/type.ts'
import { amountToWire } from '../../kernel/money/wire-money.ts'
import type { PaymentLimit, ServiceFees } from '../../features/rates/index.ts'
import { record } from '../command.ts'

export const FEES = {
  serviceBps: Type.Optional(Type.Integer()),
  fixed: Type.Array(
    record({
      currency: Type.String(),
      serviceFixed: Type.Integer(),
      applicationFee: Type.Integer(),
    }),
  ),
  spreads: Type.Array(record({ pair: Type.Optional(Type.String()), bps: Type.Integer() })),
}

export const LIMIT = {
  currency: Type.String(),
  to: Type.Optional(Type.String()),
  maxTransaction: Type.Optional(Type.Integer()),
  dailyVolume: Type.Optional(Type.Integer()),
}

/** What the service charges a platform, as commands answer it: amounts in smallest units. */
export const shownFees = ({ bps, fixed, spreads }: ServiceFees) => ({
  ...(bps !== null && { serviceBps: bps }),
  fixed: fixed.map(({ currency, conversionFee, withdrawalFee }) => ({
    currency,
    serviceFixed: amountToWire(conversionFee ?? 0n),
    applicationFee: amountToWire(withdrawalFee ?? 0n),
  })),
  spreads: spreads.map((spread) => ({
    ...(spread.sending !== '' && { pair: `${spread.sending}:${spread.receiving}` }),
    bps: spread.bps,
  })),
})

/** The most that a platform may send, as commands answer it. */
export const shownLimit = (limit: PaymentLimit) => ({
  currency: limit.currency,
  ...(limit.receivingCurrency !== '' && { to: limit.receivingCurrency }),
  ...(limit.transactionMax !== null && { maxTransaction: amountToWire(limit.transactionMax) }),
  ...(limit.dailyVolumeMax !== null && { dailyVolume: amountToWire(limit.dailyVolumeMax) }),
})
