import type { Id } from '../../../kernel/ids.ts'
import type { Refusal } from '../../../kernel/errors.ts'
import type { Activity } from '../../../crypto/wallet/activities.ts'
import type { Reply } from '../../../infra/http/reply.ts'
import type { Work } from '../../../infra/work.ts'
import type { AuthMethodType, Session } from '../credentials/auth-method.ts'
import type { SignatureRequest } from './store.ts'
import type { Wallet } from '../wallets/wallet.ts'

/** What an operation is asked: the bare id of its resource, and its body as it was sent. */
export type SignedInput = Readonly<{
  resourceId: string
  body: unknown
  /** What was looked up outside for the first leg. */
  evidence?: unknown
}>

/** What the payload of the first leg says, and what the retry is held against besides. */
export type Draft = Readonly<{
  activity: Activity
  /** Shown in the challenge, where the interface has it. */
  type?: AuthMethodType
  /** The credential with which the Request ends. */
  credentialId?: Id<'authMethod'>
  context?: Readonly<Record<string, unknown>>
}>

export type Leg = 'FIRST' | 'RETRY'

/**
 * An operation that a wallet's key has to sign (chapter 20, SIGN). run-signed.ts takes it through its legs; each
 * function sees one transaction, in which the wallet is locked once `find` has returned.
 */
export type SignedAct<S extends Readonly<{ wallet: Wallet }>, R extends Reply> = Readonly<{
  /** The operation's id, as a Request remembers it. */
  operation: string
  /** Existence (404), and whatever else comes before signatures. */
  find(work: Work, input: SignedInput): Promise<S>
  /** State (400, 409): on the first leg, again on the retry, and again where it settles later. */
  check?(
    work: Work,
    it: Readonly<{ subject: S; leg: Leg; request?: SignatureRequest | undefined }>,
  ): Promise<Refusal | undefined>
  /** Which of the wallet's active sessions may sign it; all of them unless said otherwise (SIGN-6). */
  maySign?(session: Session, subject: S): boolean
  /** For which of them it takes a login that verified the user; for none unless said otherwise (VRFY-18). */
  needsUserVerification?(session: Session, subject: S): boolean
  perform(
    work: Work,
    it: Readonly<{ subject: S; request?: SignatureRequest | undefined }>,
  ): Promise<R>
  /** The answer holds sealed material: it is made for whoever takes it, once, and stored nowhere. */
  answersOnce?(subject: S): boolean
}>

/** With its first leg: what is to be signed. */
export type DraftedAct<S extends Readonly<{ wallet: Wallet }>, R extends Reply> = SignedAct<S, R> &
  Readonly<{
    draft(subject: S): Draft
    /** Where no signature is needed both headers are ignored (SIGN-13). */
    needsSignature?(subject: S): boolean
  }>
