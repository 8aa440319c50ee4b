import type { Operation } from '../../infra/http/operation.ts'
import { accountRoutes } from './account-routes.ts'
import { credentialRoutes } from './credential-routes.ts'
import { customerRoute } from './customer-route.ts'
import { sessionRoutes } from './session-routes.ts'

export const routes: readonly Operation[] = [
  ...credentialRoutes,
  ...sessionRoutes,
  ...accountRoutes,
  customerRoute,
]

export { SIGNED_REFUSALS } from './credential-routes.ts'
export { mustLockWallet } from './find-wallet.ts'
export { walletAuthJobs } from './jobs.ts'
export { endWalletOfCustomer, openWallets } from './open-wallets.ts'
export {
  findKnownOfQuotes,
  judgeQuoteSignature,
  quotePayload,
  writeSignatureChange,
  type QuoteSigning,
  type QuoteVerdict,
  type SignatureChange,
} from './quote-signature.ts'
export { challengeToWire, openSignatureRequest, type WireChallenge } from './signature-request.ts'
export { findSignatureRequest, type SignatureRequest } from './signature-request-store.ts'
export {
  isFinal,
  runSigned,
  settlerOf,
  takeRetry,
  type Processing,
  type Settler,
} from './run-signed.ts'
export { ProcessingSchema, SignedRequestChallengeSchema, signedHeaders } from './schema.ts'
export type { DraftedAct, SignedAct, SignedInput } from './signed-act.ts'
export { readSignedHeaders, type SignedHeaders } from './signed-headers.ts'
export type { Wallet, WalletName } from './wallet.ts'
export { listWalletNames } from './wallet-store.ts'
