export { displayRate, estimatedRate } from './display-rate.ts'
export { feesOf } from './fees.ts'
export type { FeeRate } from './fees.ts'
export { sizeRefusal, volumeRefusal } from './limits.ts'
export { readPrices } from './market.ts'
export { midRate } from './mid-rate.ts'
export type { Prices } from './mid-rate.ts'
export { cheapestNetworkOf, isNetwork, NETWORKS, networksOf } from './networks.ts'
export type { NetworkName } from './networks.ts'
export { price } from './price.ts'
export type { Fees, LockSide, Price } from './price.ts'
export { rateDetails } from './rate-details.ts'
export type { RateDetails } from './rate-details.ts'
export { rateRow } from './rate-row.ts'
export { readRates, wantedForNetwork } from './read-rates.ts'
export type { RatesInForce, WantedRate } from './read-rates.ts'
export { readTerms } from './read-terms.ts'
export type { Terms } from './read-terms.ts'
export { SANDBOX_PRICES } from './sandbox-prices.ts'
export { setPaymentLimit } from './set-payment-limit.ts'
export { listPrices, setPrices } from './set-prices.ts'
export { setServiceFees } from './set-service-fees.ts'
export { findServiceFees, listPaymentLimits, subtractVolume } from './store.ts'
export type { Corridor, PaymentLimit, ServiceFees } from './store.ts'
export {
  countVolume,
  mustFitVolume,
  volumeDayOf,
  volumeRefusalOf,
  writeVolumes,
} from './volumes.ts'
export { withdrawalFee } from './withdrawal-fee.ts'
