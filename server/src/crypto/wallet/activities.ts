/** The payloads of signed operations: type and parameters as in chapter 20, 3.6. */
import { createHash } from 'node:crypto'
import { formatId } from '../../kernel/ids.ts'
import type { Id } from '../../kernel/ids.ts'
import { canonicalJson } from '../encoding/canonical-json.ts'
import type { Point } from './keys/point.ts'

export type Activity = Readonly<{ type: string; parameters: Readonly<Record<string, unknown>> }>

export type PasskeyToAdd = Readonly<{
  userId: string
  nickname: string
  /** This and the attestation as sent. */
  challenge: string
  attestation: Readonly<{
    attestationObject: string
    clientDataJson: string
    credentialId: string
    transports?: readonly string[] | undefined
  }>
}>

export function addPasskeyPayload({
  userId,
  nickname,
  challenge,
  attestation,
}: PasskeyToAdd): Activity {
  const { attestationObject, clientDataJson, credentialId, transports = [] } = attestation
  const authenticator = {
    attestation: { attestationObject, clientDataJson, credentialId },
    authenticatorName: nickname,
    challenge,
    transports,
  }
  return {
    type: 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2',
    parameters: { authenticators: [authenticator], userId },
  }
}

export function addOauthPayload({
  userId,
  oidcToken,
  providerName,
}: {
  userId: string
  oidcToken: string
  providerName: string
}): Activity {
  return {
    type: 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS',
    parameters: { oauthProviders: [{ oidcToken, providerName }], userId },
  }
}

/** Adds an EMAIL_OTP credential, or changes the address of the customer who has one. */
export function setEmailPayload({ userId, email }: { userId: string; email: string }): Activity {
  return { type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', parameters: { userEmail: email, userId } }
}

/** Adds an SMS_OTP credential, or changes the number of the customer who has one. */
export function setPhoneNumberPayload({
  userId,
  phoneNumber,
}: {
  userId: string
  phoneNumber: string
}): Activity {
  return {
    type: 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
    parameters: { userId, userPhoneNumber: phoneNumber },
  }
}

const REVOCATIONS = {
  PASSKEY: 'ACTIVITY_TYPE_DELETE_AUTHENTICATORS',
  OAUTH: 'ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS',
  EMAIL_OTP: 'ACTIVITY_TYPE_DELETE_OTP_CREDENTIALS',
  SMS_OTP: 'ACTIVITY_TYPE_DELETE_OTP_CREDENTIALS',
} as const

export function revokeCredentialPayload({
  userId,
  credentialType,
  authMethodId,
}: {
  userId: string
  credentialType: keyof typeof REVOCATIONS
  authMethodId: Id<'authMethod'>
}): Activity {
  return {
    type: REVOCATIONS[credentialType],
    parameters: { credentialIds: [formatId('authMethod', authMethodId)], userId },
  }
}

export function revokeSessionPayload({
  userId,
  sessionId,
}: {
  userId: string
  sessionId: Id<'session'>
}): Activity {
  return {
    type: 'ACTIVITY_TYPE_DELETE_API_KEYS',
    parameters: { apiKeyIds: [formatId('session', sessionId)], userId },
  }
}

export function refreshSessionPayload({
  sessionId,
  clientPublicKey,
}: {
  sessionId: Id<'session'>
  clientPublicKey: string
}): Activity {
  return {
    type: 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2',
    parameters: {
      sessionId: formatId('session', sessionId),
      targetPublicKey: clientPublicKey,
    },
  }
}

export function exportWalletPayload({
  walletId,
  clientPublicKey,
}: {
  walletId: string
  clientPublicKey: string
}): Activity {
  return {
    type: 'ACTIVITY_TYPE_EXPORT_WALLET',
    parameters: { targetPublicKey: clientPublicKey, walletId },
  }
}

/** `body` is the whole body of the PATCH; its hash is signed. */
export function setPrivacyPayload({
  walletId,
  privateEnabled,
  body,
}: {
  walletId: string
  privateEnabled: boolean
  body: unknown
}): Activity {
  return {
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    parameters: {
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_NO_OP',
      payload: createHash('sha256').update(canonicalJson(body), 'utf8').digest('hex'),
      privateEnabled,
      signWith: walletId,
    },
  }
}

export type QuoteToSign = Readonly<{
  quoteId: Id<'quote'>
  walletId: string
  /** As in the quote. */
  destination: unknown
  feesIncluded: bigint
  sendingCurrency: string
  receivingCurrency: string
  totalSendingAmount: bigint
  totalReceivingAmount: bigint
}>

export function executeQuotePayload(quote: QuoteToSign): Activity {
  return {
    type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
    parameters: {
      destination: quote.destination,
      feesIncluded: String(quote.feesIncluded),
      quoteId: formatId('quote', quote.quoteId),
      receivingCurrency: quote.receivingCurrency,
      sendingCurrency: quote.sendingCurrency,
      signWith: quote.walletId,
      totalReceivingAmount: String(quote.totalReceivingAmount),
      totalSendingAmount: String(quote.totalSendingAmount),
    },
  }
}

/** The first signed payload of a delegated key: adds the key as a user of the wallet (DKEY-2). */
export function addDelegatedKeyPayload({
  cardId,
  fundingSourceId,
  publicKey,
  nickname,
}: {
  cardId: Id<'card'>
  fundingSourceId: Id<'cardFundingSource'>
  publicKey: Point
  nickname: string
}): Activity {
  return {
    type: 'ACTIVITY_TYPE_CREATE_USERS_V3',
    parameters: {
      cardId: formatId('card', cardId),
      fundingSourceId: formatId('cardFundingSource', fundingSourceId),
      publicKey: publicKey.compressed,
      userName: nickname,
    },
  }
}

/** The second signed payload of a delegated key: what the key may and may not do (DKEY-9). */
export function allowDelegatedKeyPayload({
  delegatedKeyId,
  fundingSourceId,
  publicKey,
}: {
  delegatedKeyId: Id<'delegatedKey'>
  fundingSourceId: Id<'cardFundingSource'>
  publicKey: Point
}): Activity {
  const fundingSource = formatId('cardFundingSource', fundingSourceId)
  return {
    type: 'ACTIVITY_TYPE_CREATE_POLICIES',
    parameters: {
      delegatedKeyId: formatId('delegatedKey', delegatedKeyId),
      policies: [
        `ALLOW card payments of ${fundingSource}`,
        'DENY quotes, credential changes and exports',
      ],
      publicKey: publicKey.compressed,
    },
  }
}
