/** From the code that the issuer sends back to who somebody is; every failed check is named (OPER-33). */
import { decodeProtectedHeader } from 'jose/decode/protected_header'
import { decodeJwt } from 'jose/jwt/decode'
import type { JsonObject } from '../../../crypto/encoding/json-object.ts'
import { judgeIdToken } from '../../../crypto/oidc/judge-id-token.ts'
import { isSignedBy } from '../../../crypto/oidc/verify-oidc-signature.ts'
import { digestSecret, secretMatches } from '../../../crypto/secret-hash.ts'
import { SECOND_MS } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Identity } from './admit.ts'
import { exchangeCode, keysOf, type OidcClient } from './issuer.ts'
import { redirectUriOf, startedAfter, valuesOf } from './start-sign-in.ts'
import { takeOidcSignIn } from './store.ts'

export type Returned = Readonly<{
  /** What the cookie of the sign-in holds. */
  secret: string | undefined
  query: URLSearchParams
  origin: string
}>

export type ProvenIdentity = Identity & Readonly<{ provenAt: Date | undefined }>

/** Never `none`, and none with a shared secret: every holder could sign. */
const ALGORITHMS: readonly string[] = ['RS256', 'PS256', 'ES256', 'EdDSA']

const refuse = (reason: string): never => fail('UNAUTHORIZED', { reason })

/** Uses the sign-in up. Fails: UNAUTHORIZED with the reason, SERVICE_UNAVAILABLE. */
export async function proveIdentity(
  deps: Deps,
  client: OidcClient,
  { secret, query, origin }: Returned,
): Promise<ProvenIdentity> {
  if (secret === undefined) return refuse('no sign-in was started in this browser')
  const { state, nonce, verifier } = valuesOf(secret)
  if (!secretMatches(query.get('state') ?? '', digestSecret(state)))
    return refuse('state is not that of this browser')
  const { isAgain, startedAt } =
    (await takeStarted(deps, secret)) ?? refuse('state was used or is older than 10 minutes')
  const code = codeIn(query, client)
  const idToken =
    (await exchangeCode(deps, client, { code, verifier, redirectUri: redirectUriOf(origin) })) ??
    refuse('the issuer gives no ID token for the code')
  const claims = await verifiedClaims(deps, client, idToken)
  const problem = judgeIdToken(claims, {
    ...client,
    nonce,
    acr: deps.settings.operatorOidcAcr,
    provenSince: isAgain ? startedAt : undefined,
    now: deps.clock.now(),
  })
  return problem ? refuse(problem) : identityIn(claims, deps)
}

const takeStarted = ({ db, clock }: Deps, secret: string) =>
  db.transaction((tx) =>
    takeOidcSignIn(tx, {
      digest: digestSecret(secret),
      startedAfter: startedAfter(clock.now()),
    }),
  )

/** An issuer that says who it is in its answer has to be ours (RFC 9207). */
function codeIn(query: URLSearchParams, { issuer }: OidcClient): string {
  if ((query.get('iss') ?? issuer) !== issuer) return refuse('the answer is of another issuer')
  const error = query.get('error')
  if (error !== null) return refuse(`the issuer answers ${ERROR.test(error) ? error : 'an error'}`)
  return query.get('code') ?? refuse('the issuer sends no code')
}

const ERROR = /^[a-z_]{1,64}$/

async function verifiedClaims(
  deps: Deps,
  { issuer }: OidcClient,
  idToken: string,
): Promise<JsonObject> {
  const { header, claims } = readToken(idToken) ?? refuse('ID token has another form')
  if (!ALGORITHMS.includes(header.alg ?? '')) return refuse('algorithm is not accepted')
  const published = await keysOf(deps, issuer, header.kid)
  const isSigned = await isSignedBy(idToken, { published, algorithms: ALGORITHMS })
  return isSigned ? claims : refuse('signature is not of the issuer')
}

function readToken(text: string) {
  try {
    const claims: JsonObject = decodeJwt(text)
    return { header: decodeProtectedHeader(text), claims }
  } catch {
    // A text that cannot be decoded is no token.
    return undefined
  }
}

const textIn = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim !== '' ? claim : undefined

/** The claims have been judged: issuer and subject are texts. */
function identityIn(claims: JsonObject, { settings, clock }: Deps): ProvenIdentity {
  const { iss, sub, name, preferred_username: userName, auth_time: authTime } = claims
  const email = claims['email_verified'] === true ? textIn(claims['email']) : undefined
  const groups = claims[settings.operatorOidcGroupsClaim]
  const provenAt = typeof authTime === 'number' ? new Date(authTime * SECOND_MS) : undefined
  return {
    issuer: String(iss),
    subject: String(sub),
    email,
    names: [name, userName, email, sub].flatMap((one) => textIn(one) ?? []),
    groups: [groups].flat().filter((one) => typeof one === 'string'),
    provenAt: provenAt && provenAt < clock.now() ? provenAt : undefined,
  }
}
