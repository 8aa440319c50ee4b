import { PAYMENT_RAILS } from '../../../kernel/money/payment-rail.ts'

export {
  isPaymentRail,
  PAYMENT_RAILS,
  type PaymentRail,
} from '../../../kernel/money/payment-rail.ts'

/** Networks on which a payment leaves a transaction that anybody can look up. */
export const CRYPTO_NETWORKS = [
  'BITCOIN',
  'ETHEREUM',
  'SOLANA',
  'BASE',
  'POLYGON',
  'TRON',
  'PLASMA',
  'SPARK',
] as const

export type CryptoNetwork = (typeof CRYPTO_NETWORKS)[number]

/** Lightning, for one, leaves no such trace. */
export const isCryptoNetwork = (text: string): text is CryptoNetwork =>
  CRYPTO_NETWORKS.some((network) => network === text)

export const COIN_RAILS: readonly string[] = [...CRYPTO_NETWORKS, 'LIGHTNING']

/** Every rail and network that money can come in over. */
export const ARRIVAL_RAILS: readonly string[] = [...PAYMENT_RAILS, ...COIN_RAILS]
