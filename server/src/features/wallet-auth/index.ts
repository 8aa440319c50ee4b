import type { Operation } from '../../infra/http/operation.ts'
import { accountRoutes } from './wallets/routes.ts'
import { credentialRoutes } from './credentials/routes.ts'
import { customerRoute } from './customer/routes.ts'
import { sessionRoutes } from './sessions/routes.ts'

export const routes: readonly Operation[] = [
  ...credentialRoutes,
  ...sessionRoutes,
  ...accountRoutes,
  customerRoute,
]

export { SIGNED_REFUSALS } from './credentials/routes.ts'
export { indexNickname, SEALED_NICKNAME } from './credentials/nickname.ts'
export { mustLockWallet } from './wallets/lock.ts'
export { walletAuthJobs } from './jobs.ts'
export { endWalletOfCustomer, openWallets } from './wallets/open-wallets.ts'
export {
  findSigningFacts,
  judgeQuoteSignature,
  quotePayload,
  writeSignatureChange,
  type QuoteSigning,
  type QuoteVerdict,
  type SignatureChange,
} from './signing/quote-signature.ts'
export {
  challengeToWire,
  openSignatureRequest,
  type WireChallenge,
} from './signing/signature-request.ts'
export { findSignatureRequest, type SignatureRequest } from './signing/store.ts'
export {
  isFinal,
  runSigned,
  settlerOf,
  takeRetry,
  type Processing,
  type Settler,
} from './signing/run-signed.ts'
export { ProcessingSchema, SignedRequestChallengeSchema, signedHeaders } from './schema.ts'
export type { DraftedOperation, SignedOperation, SignedInput } from './signing/signed-operation.ts'
export { readSignedHeaders, type SignedHeaders } from './signing/signed-operation.ts'
export type { Wallet, WalletName } from './wallets/wallet.ts'
export { listWalletNames } from './wallets/store.ts'
