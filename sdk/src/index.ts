/** The client of Florin: every operation of the interface, typed, and the verification of its webhooks. */
export {
  connectAgent,
  createAgent,
  createFlorin,
  type ConnectionOptions,
  type Florin,
  type FlorinAgent,
  type FlorinOptions,
} from './create-florin.ts'
export type { Exchange } from './create-caller.ts'
export type {
  CallOptions,
  List,
  PageOf,
  Sign,
  SignedOptions,
  StampedOptions,
  StreamedEvent,
  StreamOptions,
  WalletSignature,
  WriteOptions,
} from './caller.ts'
export {
  FlorinConnectionError,
  FlorinError,
  SignatureRequiredError,
  StillProcessingError,
  WebhookSignatureError,
  type AnyErrorCode,
  type InvalidField,
} from './errors.ts'
export { formatAmount, parseAmount, type AmountCurrency } from './amounts.ts'
export { verifyWebhook, type WebhookDelivery, type WebhookHeaders } from './verify-webhook.ts'
export { API_VERSION, type ErrorCode } from './generated/error-codes.ts'
export type * from './generated/queries.ts'
export type * from './generated/schemas.ts'
export type * from './generated/webhook-events.ts'
