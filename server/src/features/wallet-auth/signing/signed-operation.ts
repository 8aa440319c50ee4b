import type { Id } from '../../../kernel/ids.ts'
import type { Refusal } from '../../../kernel/errors.ts'
import type { Activity } from '../../../crypto/wallet/activities.ts'
import type { Reply } from '../../../infra/http/reply.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { AuthMethodType, Session } from '../credentials/auth-method.ts'
import type { SignatureRequest } from './store.ts'
import type { Wallet } from '../wallets/wallet.ts'

export type Headers = Readonly<Record<string, string | undefined>>

/** The two headers of a signed retry; an empty one counts as absent (SIGN-2). */
export type SignedHeaders = Readonly<{ stamp: string | undefined; requestId: string | undefined }>

export const readSignedHeaders = (headers: Headers): SignedHeaders => ({
  stamp: headers['service-wallet-signature'] || undefined,
  requestId: headers['request-id'] || undefined,
})

/** The input of a signed operation: the bare id of its resource, and its body as it was sent. */
export type SignedInput = Readonly<{
  resourceId: string
  body: unknown
  /** The result of a look-up outside, made for the first call. */
  evidence?: unknown
}>

/** The payload that the first call returns, and the data that the signed retry is compared with. */
export type Draft = Readonly<{
  activity: Activity
  /** Shown in the challenge of operations whose reply has it. */
  type?: AuthMethodType
  /** The credential whose deletion voids the signature request. */
  credentialId?: Id<'authMethod'>
  context?: Readonly<Record<string, unknown>>
}>

/** The unsigned first call, which opens a signature request, or the signed retry, which takes effect. */
export type SignedCall = 'FIRST' | 'RETRY'

/**
 * An operation that a wallet's key has to sign (chapter 20, SIGN). run-signed.ts takes it from the first call to the
 * signed retry; each function sees one transaction, in which the wallet is locked once `find` has returned.
 */
export type SignedOperation<S extends Readonly<{ wallet: Wallet }>, R extends Reply> = Readonly<{
  /** The id of the API operation, as a signature request stores it. */
  id: string
  /** Checks existence (404), and everything else that comes before signatures. */
  find(work: Work, input: SignedInput): Promise<S>
  /** Checks state (400, 409): on the first call, again on the retry, and again in the job that settles it. */
  check?(
    work: Work,
    it: Readonly<{ subject: S; call: SignedCall; request?: SignatureRequest | undefined }>,
  ): Promise<Refusal | undefined>
  /** Which active sessions of the wallet may sign it; all of them by default (SIGN-6). */
  maySign?(session: Session, subject: S): boolean
  /** Which sessions need a login that verified the user; none by default (VRFY-18). */
  needsUserVerification?(session: Session, subject: S): boolean
  perform(
    work: Work,
    it: Readonly<{ subject: S; request?: SignatureRequest | undefined }>,
  ): Promise<R>
  /** The answer holds sealed material, so it is made once, when it is fetched, and never stored. */
  answersOnce?(subject: S): boolean
}>

/** A signed operation that begins with an unsigned first call. */
export type DraftedOperation<
  S extends Readonly<{ wallet: Wallet }>,
  R extends Reply,
> = SignedOperation<S, R> &
  Readonly<{
    draft(subject: S): Draft
    /** If no signature is needed, both headers are ignored (SIGN-13). */
    needsSignature?(subject: S): boolean
  }>
