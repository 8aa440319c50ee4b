/** Decides whether the claims of an ID token are meant for this sign-in (OPER-33). Pure: time is an argument. */
import type { JsonObject } from '../encoding/json-object.ts'

export type ExpectedIdToken = Readonly<{
  issuer: string
  clientId: string
  nonce: string
  /** Any of these, where some are given. */
  acr: readonly string[] | undefined
  /** The person has to have proven who they are since then. */
  provenSince: Date | undefined
  now: Date
}>

const SKEW_SECONDS = 60
/** As long as a sign-in may take: some issuers date their tokens back by minutes. */
const AGE_SECONDS_MAX = 600

/** What audit entries and the page call a failed check, in the order of the checks. */
export type IdTokenProblem =
  | 'sub is missing'
  | 'iss is another issuer'
  | 'aud is another client'
  | 'azp is another client'
  | 'exp has passed or is missing'
  | 'iat is too old, in the future or missing'
  | 'nbf is in the future'
  | 'nonce is another'
  | 'acr is not accepted'
  | 'auth_time is too old or missing'

export function judgeIdToken(
  claims: JsonObject,
  { issuer, clientId, nonce, acr, provenSince, now }: ExpectedIdToken,
): IdTokenProblem | undefined {
  const { sub, iss, aud, azp } = claims
  if (typeof sub !== 'string' || !SUBJECT.test(sub)) return 'sub is missing'
  if (iss !== issuer) return 'iss is another issuer'
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  if (!audiences.includes(clientId)) return 'aud is another client'
  if ((azp !== undefined || audiences.length > 1) && azp !== clientId)
    return 'azp is another client'
  const problem = judgeTimes(claims, now)
  if (problem) return problem
  if (claims['nonce'] !== nonce) return 'nonce is another'
  if (acr && !acr.some((one) => one === claims['acr'])) return 'acr is not accepted'
  if (provenSince && !(secondsOf(claims['auth_time']) >= secondsAt(provenSince) - SKEW_SECONDS))
    return 'auth_time is too old or missing'
  return undefined
}

/** As long as a subject may be (OpenID Connect Core, section 2). */
const SUBJECT = /^\P{Cc}{1,255}$/u

const secondsAt = (time: Date): number => Math.floor(time.getTime() / 1_000)

/** What is no number compares as false, so it fails every check. */
const secondsOf = (claim: unknown): number => (typeof claim === 'number' ? claim : Number.NaN)

function judgeTimes({ exp, iat, nbf }: JsonObject, time: Date): IdTokenProblem | undefined {
  const now = secondsAt(time)
  if (!(secondsOf(exp) > now - SKEW_SECONDS)) return 'exp has passed or is missing'
  const ageSeconds = now - secondsOf(iat)
  if (!(ageSeconds >= -SKEW_SECONDS && ageSeconds <= AGE_SECONDS_MAX + SKEW_SECONDS))
    return 'iat is too old, in the future or missing'
  if (nbf !== undefined && !(secondsOf(nbf) <= now + SKEW_SECONDS)) return 'nbf is in the future'
  return undefined
}
