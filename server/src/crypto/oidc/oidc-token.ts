/** OIDC tokens: their form and claims (CRED-15, CRED-16). Nothing here proves that a token is genuine. */
import { createHash } from 'node:crypto'
import type { Environment } from '../../kernel/platform.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import { decodeBase64url } from '../encoding/base64url.ts'
import { parseJsonObject } from '../encoding/json-object.ts'
import type { JsonObject } from '../encoding/json-object.ts'

/** The identity in a token; an account holds one OAUTH credential for each. */
export type OidcIdentity = Readonly<{ issuer: string; audience: string; subject: string }>

export type OidcToken = Readonly<{
  text: string
  /** The issuer's name for the key it signed with. */
  keyId: string | undefined
  identity: OidcIdentity
  issuedAtSeconds: number
  expiresAtSeconds: number
  notBeforeSeconds: number | undefined
  nonce: string | undefined
  email: string | undefined
}>

/** As long as a subject may be (OpenID Connect Core, section 2), and without control characters. */
const TEXT = /^\P{Cc}{1,255}$/u
const GOOGLE = 'https://accounts.google.com'
const BUILT_IN_ISSUERS = [GOOGLE, 'https://appleid.apple.com']

/** Undefined for another form: 400 on `oidcToken`. */
export function parseOidcToken(text: string, environment: Environment): OidcToken | undefined {
  const [headerText = '', payloadText = '', signatureText = '', ...rest] = text.split('.')
  const header = decodeObject(headerText)
  const claims = decodeObject(payloadText)
  if (header === undefined || claims === undefined || rest.length > 0) return undefined
  // The sandbox accepts any signature text that is not empty.
  const isSigned =
    !traitsOf({ environment }).verifiesTokens || decodeBase64url(signatureText) !== undefined
  if (signatureText === '' || !isSigned) return undefined
  const identity = readIdentity(claims)
  const issuedAtSeconds = readNumber(claims['iat'])
  const expiresAtSeconds = readNumber(claims['exp'])
  if (!identity || issuedAtSeconds === undefined || expiresAtSeconds === undefined) {
    return undefined
  }
  return {
    text,
    keyId: readText(header['kid']),
    identity,
    issuedAtSeconds,
    expiresAtSeconds,
    notBeforeSeconds: readNumber(claims['nbf']),
    nonce: readText(claims['nonce']),
    email: readText(claims['email']),
  }
}

/** `configured` are the operator's own (`OIDC_ISSUERS`). */
export function isSupportedIssuer(issuer: string, configured: readonly string[]): boolean {
  return BUILT_IN_ISSUERS.includes(issuer) || configured.includes(issuer)
}

/** The subject stands in for an e-mail address that the token does not name (CRED-17). */
export function oidcNickname({ email, identity }: OidcToken): string {
  return email ?? identity.subject
}

/** Identifies a used token (VRFY-7). */
export function digestOidcToken({ text }: OidcToken): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}

function decodeObject(segment: string): JsonObject | undefined {
  const bytes = decodeBase64url(segment)
  return bytes && parseJsonObject(bytes)
}

function readIdentity({ iss, aud, sub }: JsonObject): OidcIdentity | undefined {
  const issuer = readText(iss)
  const subject = readText(sub)
  const audience = readText(Array.isArray(aud) && aud.length === 1 ? aud[0] : aud)
  if (issuer === undefined || subject === undefined || audience === undefined) return undefined
  // Google writes itself both ways; they are one issuer.
  return { issuer: `https://${issuer}` === GOOGLE ? GOOGLE : issuer, audience, subject }
}

/** A longer value, or one that is no text, counts as absent: no issuer writes it, and it cannot be stored. */
const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && TEXT.test(value) && value.isWellFormed() ? value : undefined

const readNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined
