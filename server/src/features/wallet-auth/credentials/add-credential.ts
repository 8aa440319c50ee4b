/**
 * Adds a credential to a wallet: at once if the wallet has none (CRED-6), otherwise by signed retry. Fails:
 * REFERENCE_NOT_FOUND, INVALID_INPUT, MISSING_MANDATORY_USER_INFO, EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS,
 * SMS_OTP_CREDENTIAL_ALREADY_EXISTS, PASSKEY_CREDENTIAL_ALREADY_EXISTS, CONFLICT (the customer's contact has changed
 * since the first call), UNAUTHORIZED (OIDC reasons), and what run-signed.ts refuses with.
 */
import { fail, failFields } from '../../../kernel/errors.ts'
import { asId, newId, parseId } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import { judgeOidcFreshness } from '../../../crypto/oidc/judge-oidc-token.ts'
import {
  isSupportedIssuer,
  oidcNickname,
  parseOidcToken,
  type OidcToken,
} from '../../../crypto/oidc/oidc-token.ts'
import { verifyWalletPasskey } from '../../../crypto/passkey/wallet-passkey.ts'
import {
  addOauthPayload,
  addPasskeyPayload,
  setEmailPayload,
  setPhoneNumberPayload,
  type Activity,
} from '../../../crypto/wallet/activities.ts'
import type { Deps } from '../../../infra/deps.ts'
import { reply, type Reply } from '../../../infra/http/reply.ts'
import type { Work } from '../../../infra/work/work.ts'
import { mustFindCustomer, type Customer } from '../../customers/index.ts'
import { readPasskeyOrigins } from '../../platform/index.ts'
import { isOtp, type Credential } from './auth-method.ts'
import {
  insertCredentials,
  insertUsedChallenge,
  isChallengeUsed,
  listCredentials,
} from './store.ts'
import { mustLockWallet } from '../wallets/lock.ts'
import { PASSKEYS_MAX } from '../rules.ts'
import type { SignatureRequest } from '../signing/store.ts'
import type { CredentialCreateBody } from '../schema.ts'
import type { DraftedOperation, SignedInput } from '../signing/signed-operation.ts'
import type { Wallet } from '../wallets/wallet.ts'
import { credentialToWire, type WireAuthMethod } from '../wire.ts'

type Subject = Readonly<{
  wallet: Wallet
  body: CredentialCreateBody
  existing: readonly Credential[]
  credential: Credential
  /** For a PASSKEY: the bytes that were signed. */
  challenge?: Buffer
  /** For an OAUTH credential. */
  token?: OidcToken
  evidence: unknown
}>

/** The result of checking a token's signature before the transaction; the sandbox checks none. */
export type OidcEvidence = Readonly<{ isSigned: boolean }>

export const addCredential: DraftedOperation<Subject, Reply<201, WireAuthMethod>> = {
  id: 'createAuthCredential',
  async find(work, input) {
    const body = input.body as CredentialCreateBody
    const accountId = asId('internalAccount', input.resourceId)
    const wallet = await mustLockWallet(work, accountId, 'accountId')
    const [existing, customer] = await Promise.all([
      listCredentials(work.tx, work.platform.id, accountId),
      mustFindCustomer(work, wallet.customerId),
    ])
    const built = await buildCredential(work, { wallet, customer, body })
    return { wallet, body, existing, evidence: input.evidence, ...built }
  },
  needsSignature: ({ existing }) => existing.length > 0,
  async check(work, { subject, call, request }) {
    if (subject.credential.nickname === '') fail('MISSING_MANDATORY_USER_INFO')
    mustKeepContact(subject, request)
    mustBeNew(subject)
    await mustBeUnusedChallenge(work, subject)
    if (call === 'FIRST') mustBeFreshToken(work, subject)
    return undefined
  },
  draft: ({ wallet: { userId }, body, credential }) => ({
    type: credential.type,
    activity: activityOf({ userId, body, credential }),
    ...(isOtp(credential) && { context: { contact: credential.nickname } }),
  }),
  needsUserVerification: () => true,
  async perform({ tx, platform }, { subject: { credential, challenge, wallet } }) {
    insertCredentials(tx, platform.id, [credential])
    const { accountId } = wallet
    if (challenge) insertUsedChallenge(tx, platform.id, { accountId, challenge })
    return reply(201, credentialToWire(credential))
  },
}

type CredentialInput = Readonly<{ wallet: Wallet; customer: Customer; body: CredentialCreateBody }>
type BuiltCredential = Pick<Subject, 'credential'> &
  Readonly<{ challenge?: Buffer; token?: OidcToken }>

/** Builds the credential and fails on wrong fields (CRED-12 to CRED-16). */
async function buildCredential(
  work: Work,
  { wallet, customer, body }: CredentialInput,
): Promise<BuiltCredential> {
  const { accountId, customerId } = wallet
  const { now: createdAt } = work
  const id = newId('authMethod')
  const common = { id, accountId, customerId, createdAt, updatedAt: createdAt }
  switch (body.type) {
    case 'EMAIL_OTP':
      return { credential: { ...common, type: body.type, nickname: customer.email ?? '' } }
    case 'SMS_OTP':
      return { credential: { ...common, type: body.type, nickname: customer.phoneNumber ?? '' } }
    case 'OAUTH': {
      const token = mustParseOidcToken(work.platform, body.oidcToken)
      const { identity } = token
      if (!isSupportedIssuer(identity.issuer, work.settings.oidcIssuers)) {
        failFields([{ field: 'oidcToken', message: 'must come from a supported issuer' }])
      }
      const nickname = oidcNickname(token)
      return { credential: { ...common, type: body.type, nickname, identity }, token }
    }
    case 'PASSKEY': {
      const { attestation, nickname, challenge } = body
      const verdict = await verifyWalletPasskey({
        challenge,
        attestation,
        configuredOrigins: await readPasskeyOrigins(work),
      })
      if (!verdict.ok) return failFields(verdict.errors)
      const { passkey } = verdict
      const transports = attestation.transports ?? []
      return {
        credential: { ...common, type: body.type, nickname, passkey, transports },
        challenge: verdict.challenge,
      }
    }
  }
}

/** Fails: INVALID_INPUT. */
export function mustParseOidcToken(
  { environment }: Pick<Platform, 'environment'>,
  text: string,
): OidcToken {
  const message = 'must be a JWT with iss, aud, sub, iat and exp'
  const token = parseOidcToken(text, environment)
  return token ?? failFields([{ field: 'oidcToken', message }])
}

/**
 * The address or number is read from the customer, not from the body, so it may have changed since the first call. An
 * address that differs in case only is the same (SIGN-14).
 */
function mustKeepContact({ credential }: Subject, request: SignatureRequest | undefined): void {
  const signed = request?.context['contact']
  if (typeof signed === 'string' && signed.toLowerCase() !== credential.nickname.toLowerCase()) {
    fail('CONFLICT', { reason: 'CONTACT_CHANGED' })
  }
}

/** One e-mail and one phone login per account; passkeys and identities may not repeat (CRED-8). */
function mustBeNew({ existing, credential }: Subject): void {
  const ofType = existing.filter(({ type }) => type === credential.type)
  if (credential.type === 'EMAIL_OTP' && ofType.length > 0) {
    fail('EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS')
  }
  if (credential.type === 'SMS_OTP' && ofType.length > 0) fail('SMS_OTP_CREDENTIAL_ALREADY_EXISTS')
  if (existing.some((other) => isSameKey(other, credential))) {
    fail('PASSKEY_CREDENTIAL_ALREADY_EXISTS')
  }
  if (existing.some((other) => isSameIdentity(other, credential))) {
    failFields([{ field: 'oidcToken', message: 'is of an identity that the account has already' }])
  }
  if (credential.type === 'PASSKEY' && ofType.length >= PASSKEYS_MAX) {
    failFields([{ field: 'type', message: `an account has at most ${PASSKEYS_MAX} passkeys` }])
  }
}

const isSameKey = (one: Credential, other: Credential): boolean =>
  one.type === 'PASSKEY' &&
  other.type === 'PASSKEY' &&
  one.passkey.credentialId === other.passkey.credentialId

const isSameIdentity = (one: Credential, other: Credential): boolean =>
  one.type === 'OAUTH' &&
  other.type === 'OAUTH' &&
  one.identity.issuer === other.identity.issuer &&
  one.identity.audience === other.identity.audience &&
  one.identity.subject === other.identity.subject

/** A challenge registers once per account (CRED-13). */
async function mustBeUnusedChallenge(
  { tx, platform }: Work,
  { challenge, wallet: { accountId } }: Subject,
): Promise<void> {
  if (challenge === undefined) return
  if (await isChallengeUsed(tx, platform.id, { accountId, challenge })) {
    failFields([{ field: 'challenge', message: 'was used before' }])
  }
}

/** Runs on the first call only, since the signature request fixes the token (CRED-15). Fails: UNAUTHORIZED. */
function mustBeFreshToken({ platform, now }: Work, { token, evidence }: Subject): void {
  if (token === undefined) return
  const { environment } = platform
  const isSigned =
    !traitsOf(platform).verifiesTokens || (evidence as OidcEvidence | undefined)?.isSigned
  const reason = isSigned
    ? judgeOidcFreshness(token, { now, environment })
    : 'OIDC token signature is invalid'
  if (reason !== undefined) fail('UNAUTHORIZED', { reason })
}

function activityOf({
  userId,
  body,
  credential,
}: Pick<Subject, 'body' | 'credential'> & { userId: string }): Activity {
  const { nickname } = credential
  if (body.type === 'EMAIL_OTP') return setEmailPayload({ userId, email: nickname })
  if (body.type === 'SMS_OTP') return setPhoneNumberPayload({ userId, phoneNumber: nickname })
  if (body.type === 'PASSKEY') {
    return addPasskeyPayload({
      userId,
      nickname,
      challenge: body.challenge,
      attestation: body.attestation,
    })
  }
  const providerName = credential.type === 'OAUTH' ? credential.identity.issuer : ''
  return addOauthPayload({ userId, oidcToken: body.oidcToken, providerName })
}

/** May be called before the transaction, since an account never loses its last credential (CRED-18). */
export async function hasCredential({
  deps,
  platform,
  body,
}: Readonly<{ deps: Pick<Deps, 'db'>; platform: Platform; body: CredentialCreateBody }>) {
  const accountId = parseId('internalAccount', body.accountId)
  const existing = accountId && (await listCredentials(deps.db.read, platform.id, accountId))
  return existing !== undefined && existing.length > 0
}

/** The resource of the signature request is the account in the body. */
export const addCredentialInput = (body: CredentialCreateBody, evidence: unknown): SignedInput => ({
  resourceId: body.accountId.replace('InternalAccount:', ''),
  body,
  evidence,
})
