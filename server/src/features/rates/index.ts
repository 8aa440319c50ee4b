export { acceptedRange } from './pricing/accepted-range.ts'
export { displayRate, estimatedRate } from './prices/display-rate.ts'
export { failWithoutPrice } from './prices/fail-without-price.ts'
export { feesOf } from './pricing/fees.ts'
export type { FeeRate } from './pricing/fees.ts'
export { sizeRefusal, volumeRefusal } from './terms/limits.ts'
export { readPrices, UNIT_CURRENCY } from './prices/market.ts'
export { midRate } from './prices/mid-rate.ts'
export type { Prices } from './prices/mid-rate.ts'
export { readNetworkFees, setNetworkFee } from './networks/fees.ts'
export {
  cheapestNetworkOf,
  isNetwork,
  NETWORKS,
  NETWORK_NAMES,
  networksOf,
} from './networks/networks.ts'
export type { NetworkFees, NetworkName } from './networks/networks.ts'
export { price } from './pricing/price.ts'
export type { Fees, LockSide, Price } from './pricing/price.ts'
export { rateDetails } from './pricing/rate-details.ts'
export type { RateDetails } from './pricing/rate-details.ts'
export { rateRow } from './pricing/rate-row.ts'
export { readLastRate, readRates, wantedForNetwork } from './prices/read-rates.ts'
export type { NetworkFee, RatesInForce, WantedRate } from './prices/read-rates.ts'
export { readTerms } from './terms/read-terms.ts'
export type { Terms } from './terms/read-terms.ts'
export { SANDBOX_PRICES } from './prices/sandbox-prices.ts'
export { setPaymentLimit } from './terms/set-payment-limit.ts'
export { listPrices, setPrices } from './prices/set-prices.ts'
export { setServiceFees } from './terms/set-service-fees.ts'
export {
  findServiceFees,
  listNetworkFees,
  listPaymentLimits,
  subtractVolume,
} from './prices/store.ts'
export type { Corridor, PaymentLimit, ServiceFees } from './prices/store.ts'
export { addDailyVolume, checkDailyVolume, volumeDayOf, writeVolumes } from './terms/volumes.ts'
export { withdrawalFee } from './networks/withdrawal-fee.ts'
