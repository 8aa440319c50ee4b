import { amountToWire } from '../kernel/wire-money.ts'
import type { PaymentLimit, ServiceFees } from '../features/rates/index.ts'

/** What the service charges a platform, as commands answer it: amounts in smallest units. */
export const shownFees = ({ bps, fixed }: ServiceFees) => ({
  ...(bps !== null && { serviceBps: bps }),
  fixed: fixed.map(({ currency, conversionFee, withdrawalFee }) => ({
    currency,
    serviceFixed: amountToWire(conversionFee ?? 0n),
    applicationFee: amountToWire(withdrawalFee ?? 0n),
  })),
})

/** The most that a platform may send, as commands answer it. */
export const shownLimit = (limit: PaymentLimit) => ({
  currency: limit.currency,
  ...(limit.receivingCurrency !== '' && { to: limit.receivingCurrency }),
  ...(limit.transactionMax !== null && { maxTransaction: amountToWire(limit.transactionMax) }),
  ...(limit.dailyVolumeMax !== null && { dailyVolume: amountToWire(limit.dailyVolumeMax) }),
})
