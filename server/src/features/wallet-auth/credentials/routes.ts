import { Type } from '../../../infra/http/schema/type.ts'
import { fail } from '../../../kernel/errors.ts'
import { mustParseId } from '../../../kernel/ids.ts'
import { audit } from '../../../infra/work/audit.ts'
import { procedure, read, write, type Operation } from '../../../infra/http/operation.ts'
import { reply } from '../../../infra/http/reply.ts'
import { pathId } from '../../../infra/http/schema/wire-schema.ts'
import { addCredential, addCredentialInput, hasCredential } from './add-credential.ts'
import { challengeCredential, revokeOtp } from '../logins/challenge-credential.ts'
import { checkClientKey } from '../sessions/client-key.ts'
import { listCredentials } from './store.ts'
import { oidcEvidence } from './oidc-evidence.ts'
import { revokeCredential } from './revoke-credential.ts'
import { isFinal, processing, runSigned } from '../signing/run-signed.ts'
import {
  AccountQuerySchema,
  AuthCredentialListSchema,
  AuthMethodResponseSchema,
  AuthSessionSchema,
  AuthSignedRequestChallengeSchema,
  CredentialChallengeSchema,
  CredentialCreateSchema,
  CredentialVerifySchema,
  PasskeyAuthChallengeSchema,
  ProcessingSchema,
  signedHeaders,
} from '../schema.ts'
import { readSignedHeaders } from '../signing/signed-operation.ts'
import { verifyCredential } from '../logins/verify-credential.ts'
import { credentialToWire } from '../wire.ts'

export const tag = 'Embedded Wallet Auth'
const params = Type.Object({ credentialId: pathId('Id of the credential, `AuthMethod:<uuid>`.') })

/** The codes that a signed retry may be refused with. */
export const SIGNED_REFUSALS = [
  'WALLET_SIGNATURE_MISSING',
  'WALLET_SIGNATURE_MALFORMED',
  'WALLET_SIGNATURE_BODY_MISMATCH',
  'WALLET_SIGNATURE_INVALID',
  'REQUEST_ID_MISSING',
] as const

/** The fields that every operation with a signed retry declares. */
export const signed = { headers: signedHeaders, keeps: isFinal } as const
export const signedErrors = [...SIGNED_REFUSALS, 'REFERENCE_NOT_FOUND'] as const

export const credentialRoutes: readonly Operation[] = [
  write({
    id: 'createAuthCredential',
    method: 'POST',
    path: '/auth/credentials',
    tag,
    needs: 'TRANSACT',
    summary: 'Add a credential to a wallet',
    description: 'The first one of an account is added at once; further ones have to be signed.',
    body: CredentialCreateSchema,
    example: {
      type: 'EMAIL_OTP',
      accountId: 'InternalAccount:019a0000-0000-7000-8000-000000000001',
    },
    replies: {
      200: ProcessingSchema,
      201: AuthMethodResponseSchema,
      202: AuthSignedRequestChallengeSchema,
    },
    errors: [
      ...signedErrors,
      'MISSING_MANDATORY_USER_INFO',
      'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS',
      'SMS_OTP_CREDENTIAL_ALREADY_EXISTS',
      'PASSKEY_CREDENTIAL_ALREADY_EXISTS',
      'CONFLICT',
    ],
    ...signed,
    // A retry is compared with its signature request, so the issuer is not asked again; a first credential has no retry.
    lookUp: async ({ deps, platform, body, headers }) => {
      const { stamp } = readSignedHeaders(headers)
      const isRetry = stamp !== undefined && (await hasCredential({ deps, platform, body }))
      return isRetry ? undefined : oidcEvidence({ deps, platform, body })
    },
    handler: ({ work, body, headers, found }) =>
      runSigned(work, addCredential, { ...addCredentialInput(body, found), headers }),
  }),
  read({
    id: 'listAuthCredentials',
    path: '/auth/credentials',
    tag,
    needs: 'VIEW',
    summary: 'List the credentials of a wallet',
    description: 'Passkeys, one-time codes and OIDC identities that open the wallet.',
    query: AccountQuerySchema,
    replies: { 200: AuthCredentialListSchema },
    handler: async ({ work: { tx, platform }, query }) => {
      const accountId = mustParseId('internalAccount', query.accountId)
      const credentials = await listCredentials(tx, platform.id, accountId)
      return reply(200, { data: credentials.map(credentialToWire) })
    },
  }),
  write({
    id: 'revokeAuthCredential',
    method: 'DELETE',
    path: '/auth/credentials/{credentialId}',
    tag,
    needs: 'TRANSACT',
    summary: 'Revoke a credential',
    description: 'Signed by a session of another credential. The last one stays.',
    params,
    replies: { 200: ProcessingSchema, 202: AuthSignedRequestChallengeSchema, 204: null },
    errors: signedErrors,
    ...signed,
    handler: ({ work, params: { credentialId }, headers }) => {
      const resourceId = mustParseId('authMethod', credentialId)
      return runSigned(work, revokeCredential, { resourceId, body: undefined, headers })
    },
  }),
  procedure({
    id: 'challengeAuthCredential',
    method: 'POST',
    path: '/auth/credentials/{credentialId}/challenge',
    tag,
    needs: 'TRANSACT',
    summary: 'Begin a login',
    description:
      'Sends a code, or makes the challenge of a passkey. In the sandbox nothing is sent and the code is `000000`.',
    params,
    body: CredentialChallengeSchema,
    bodyOptional: true,
    replies: {
      200: Type.Union([PasskeyAuthChallengeSchema, AuthMethodResponseSchema, ProcessingSchema]),
    },
    errors: ['REFERENCE_NOT_FOUND', 'NOT_IMPLEMENTED'],
    keeps: isFinal,
    // The code is sent after the transaction, so that no lock waits for a mail server.
    handler: async ({ params: { credentialId }, body, inWork, keep }) => {
      const id = mustParseId('authMethod', credentialId)
      const made = await inWork(async (work) => {
        const challenged = await challengeCredential(work, { id, body })
        audit(work, { action: 'challengeAuthCredential', resource: credentialId })
        keep(work, challenged.kind === 'PROCESSING' ? processing() : reply(200, challenged.shown))
        return challenged
      })
      if (made.kind === 'PROCESSING') return processing()
      if (made.kind === 'OTP') {
        await made.send?.().catch(async (error: Error) => {
          await inWork((work) => revokeOtp(work, made.otp))
          fail('INTERNAL_ERROR', undefined, error.message)
        })
      }
      return reply(200, made.shown)
    },
  }),
  write({
    id: 'verifyAuthCredential',
    method: 'POST',
    path: '/auth/credentials/{credentialId}/verify',
    tag,
    needs: 'TRANSACT',
    summary: 'Log in',
    description:
      'Answers a challenge, or presents an OIDC token, and opens a session whose key signs for the wallet.',
    params,
    body: CredentialVerifySchema,
    example: { type: 'EMAIL_OTP', encryptedOtpBundle: '{}' },
    replies: {
      200: Type.Union([AuthSessionSchema, ProcessingSchema]),
      202: AuthSignedRequestChallengeSchema,
    },
    errors: signedErrors,
    ...signed,
    check: ({ body }) => checkClientKey(body),
    lookUp: ({ deps, platform, body }) => oidcEvidence({ deps, platform, body }),
    handler: ({ work, params: { credentialId }, body, headers, found: evidence }) =>
      verifyCredential(work, {
        id: mustParseId('authMethod', credentialId),
        body,
        headers,
        evidence,
      }),
  }),
]
