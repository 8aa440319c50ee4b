import type { Id } from '../kernel/ids.ts'

/**
 * The port to an issuance provider, which keeps the reserve behind a platform's own coin, and mints and burns it.
 * Calls may be slow and may fail, so none is made inside a transaction. Durations count from when the thing asked
 * about began here: the link, the registration, the order.
 */
export type StablecoinIssuer = Readonly<{
  verifyCredentials(request: VerificationRequest): Promise<Verification>
  /** Undefined where the provider does not know the token. */
  describeToken(request: TokenRequest): Promise<TokenDescription | undefined>
  /** The same key starts the same order, however often it is called. */
  startMint(order: MintOrder): Promise<StartedOrder>
  startBurn(order: BurnOrder): Promise<StartedOrder>
  report(request: ReportRequest): Promise<OrderReport>
}>

/** The provider cannot be reached, or gave no answer: nobody knows whether it heard. */
export class IssuerUnreachable extends Error {
  override readonly name = 'IssuerUnreachable'
}

export type IssuerCredentials = Readonly<{ apiClientId: string; apiClientSecret: string }>

export type VerificationRequest = Readonly<{
  credentials: IssuerCredentials
  /** Equal for repetitions of one request. */
  requestKey: string
  providerAccountId: string | undefined
  /** How long the link has existed: 0 while it is being made. */
  elapsedMs: number
}>

export type Verification = Readonly<
  | {
      verdict: 'accepted'
      /** The provider's accounts that these credentials open. */
      accountIds: readonly string[]
      verifyAgainAfterMs?: number
    }
  | { verdict: 'refused' | 'revoked' }
>

export type TokenRequest = Readonly<{
  credentials: IssuerCredentials
  /** Equal for repetitions of one request. */
  requestKey: string
  providerAccountId: string
  providerTokenIdentifier: string
  network: string
  networkTokenIdentifier: string
  /** How long the coin has been registered here: 0 while it is being registered. */
  elapsedMs: number
}>

export type IssuanceStatus =
  | 'PENDING_REVIEW'
  | 'PROVISIONING'
  | 'PROVISIONED'
  | 'REJECTED'
  | 'FAILED'

export type TokenDescription = Readonly<{
  name: string
  symbol: string
  baseCurrency: string
  decimals: number
  issuanceStatus: IssuanceStatus
  describeAgainAfterMs?: number
}>

/** An account at a bank, with what names it (`identifier`) and all that is known of it. */
export type IssuerBankAccount = Readonly<{
  accountType: string
  identifier: string
  details: Readonly<Record<string, unknown>>
}>

type Order = Readonly<{
  credentials: IssuerCredentials
  providerAccountId: string
  operationId: Id<'stablecoinOperation'>
  /** Ours: equal for repetitions of one order, different for any other. */
  idempotencyKey: string
  providerTokenIdentifier: string
  /** In the coin's smallest unit. */
  amount: bigint
  description: string | undefined
}>

export type MintOrder = Order &
  Readonly<{
    fundedBy:
      | Readonly<{ type: 'WIRE' }>
      | Readonly<{ type: 'ACH_DEBIT' | 'SAME_DAY_ACH_DEBIT'; account: IssuerBankAccount }>
    /** The wallet that the coin is sent to. */
    address: string
  }>

export type BurnOrder = Order &
  Readonly<{
    /** Sent in from a wallet outside, or lying at the provider already. */
    from: 'EXTERNAL_ACCOUNT' | 'PROVIDER_INTERNAL_BALANCE'
    rail: string
    account: IssuerBankAccount
  }>

/** Where to send the money of a mint, or the coin of a burn; `rail` says what the rest means. */
export type FundingInstructions = Readonly<{ rail: string; [field: string]: string }>

export type StartedOrder = Readonly<{
  reference: string
  providerStatus: string
  /** Given where the order waits for funds from outside. */
  fundingInstructions?: FundingInstructions
  /** When there will be news; left out where waiting for it is no use. */
  reportAfterMs?: number
}>

export type ReportRequest = Readonly<{
  credentials: IssuerCredentials
  reference: string
  /** How long the order has been running. */
  elapsedMs: number
}>

export type OrderFailure =
  | 'FUNDING_INSUFFICIENT'
  | 'FUNDING_ACCOUNT_INVALID'
  | 'FUNDING_REJECTED'
  | 'FUNDING_TIMED_OUT'
  | 'PROVIDER_TRANSFER_FAILED'
  | 'PAYOUT_REJECTED'

export type OrderReport = Readonly<{ providerStatus: string; reportAfterMs?: number }> &
  Readonly<
    | { state: 'WAITING' | 'PROCESSING' | 'COMPLETED' }
    | { state: 'FAILED'; failureReason: OrderFailure }
  >
