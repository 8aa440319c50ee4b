/** Every rail that the interface names. */
export const PAYMENT_RAILS = [
  'ACH',
  'ACH_COLOMBIA',
  'BANK_TRANSFER',
  'BRE_B',
  'CIPS',
  'FAST',
  'FASTER_PAYMENTS',
  'FEDNOW',
  'INSTAPAY',
  'MOBILE_MONEY',
  'NEFT',
  'PAYNOW',
  'PESONET',
  'PIX',
  'RTGS',
  'RTP',
  'SEPA',
  'SEPA_INSTANT',
  'SPEI',
  'SWIFT',
  'UNIONPAY',
  'UPI',
  'WIRE',
] as const

export type PaymentRail = (typeof PAYMENT_RAILS)[number]

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

export const isPaymentRail = (text: string): text is PaymentRail =>
  PAYMENT_RAILS.some((rail) => rail === text)

/** Lightning, for one, leaves no such trace. */
export const isCryptoNetwork = (text: string): text is CryptoNetwork =>
  CRYPTO_NETWORKS.some((network) => network === text)
