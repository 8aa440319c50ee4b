import { expectStatus, text, type Answer, type Api, type BodiesOf } from '../api.ts'
import { createCustomer } from '../customers.ts'
import type { TestPlatform } from '../florin.ts'
import {
  softwareAuthenticator,
  toWebauthnJson,
  type SoftwareAuthenticator,
} from './software-authenticator.ts'

export const PHONE = '+4915112345678'
export const END_USER = '203.0.113.7'
/** What codes of every kind are in the sandbox. */
export const RIGHT = '123456'
export const WRONG = '000000'
export const ORIGIN = 'http://localhost'

/** The operations of one customer: the query is always the same. */
export type Sca = Readonly<{
  customerId: string
  get<P extends string>(path: P): Promise<Answer<BodiesOf<'GET', `/sca${P}`>>>
  post<P extends string>(
    path: P,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<BodiesOf<'POST', `/sca${P}`>>>
  delete<P extends string>(path: P): Promise<Answer<BodiesOf<'DELETE', `/sca${P}`>>>
}>

export function scaOf(api: Api, customerId: string): Sca {
  const query = { customerId }
  return {
    customerId,
    get: (path) => api.get(`/sca${path}`, { query }),
    post: (path, body, headers = {}) => api.post(`/sca${path}`, body, { query, headers }),
    delete: (path) => api.delete(`/sca${path}`, { query }),
  }
}

/** A customer in Germany who can be sent codes, on a platform that verifies contacts itself. */
export async function newScaCustomer(platform: TestPlatform, fields: object = {}): Promise<Sca> {
  const body = { region: 'DE', phoneNumber: PHONE, ...fields }
  return scaOf(platform.api, (await createCustomer(platform, body)).id)
}

export const completion = (challengeId: string | undefined, code: string = RIGHT) => ({
  factor: 'SMS_OTP',
  challengeId,
  code,
  endUserIpAddress: END_USER,
})

/** Begins a login by message; its challenge. */
export async function startSmsLogin(sca: Sca) {
  const started = expectStatus(await sca.post('/login/start', { factor: 'SMS_OTP' }), 200)
  return started.challengeId
}

/** Logs in by message, so that there is a session. */
export async function logIn(sca: Sca) {
  const challengeId = await startSmsLogin(sca)
  return expectStatus(await sca.post('/login/complete', completion(challengeId)), 200)
}

/** The same with a session: what changes factors needs a login of the last ten minutes. */
export async function newLoggedInCustomer(
  platform: TestPlatform,
  fields: object = {},
): Promise<Sca> {
  const sca = await newScaCustomer(platform, fields)
  await logIn(sca)
  return sca
}

/** Logs in by the authenticator app. */
export async function totpLogIn(sca: Sca, code: string = RIGHT) {
  expectStatus(await sca.post('/login/start', { factor: 'TOTP' }), 200)
  return sca.post('/login/complete', { factor: 'TOTP', code, endUserIpAddress: END_USER })
}

export const factorsOf = async (sca: Sca) => expectStatus(await sca.get('/factors'), 200).factors

export const factorNamesOf = async (sca: Sca): Promise<string[]> =>
  (await factorsOf(sca)).map(({ factor }) => factor)

/** What a change of factors needs: a login by code, where the customer has a factor for one. */
async function logInFreshly(sca: Sca): Promise<void> {
  const names = await factorNamesOf(sca)
  if (names.includes('SMS_OTP')) await logIn(sca)
  else if (names.includes('TOTP')) expectStatus(await totpLogIn(sca), 200)
}

/** Enrols an authenticator app; its recovery codes. */
export async function enrolTotp(sca: Sca) {
  await logInFreshly(sca)
  const { secret } = expectStatus(await sca.post('/factors', { type: 'TOTP' }), 200)
  const body = { type: 'TOTP', secret, code: RIGHT }
  return expectStatus(await sca.post('/factors/confirm', body), 200).recoveryCodes ?? []
}

export const challengeBytes = (options: Readonly<Record<string, unknown>> | undefined): Buffer =>
  Buffer.from(text(options?.['challenge']), 'base64url')

/** Enrols a passkey and answers the authenticator that holds it. */
export async function enrolPasskey(sca: Sca): Promise<SoftwareAuthenticator> {
  await logInFreshly(sca)
  const authenticator = softwareAuthenticator()
  const { options } = expectStatus(await sca.post('/factors', { type: 'PASSKEY' }), 200)
  const credential = toWebauthnJson(authenticator.register({ challenge: challengeBytes(options) }))
  const body = { type: 'PASSKEY', origin: ORIGIN, credential }
  expectStatus(await sca.post('/factors/confirm', body), 200)
  return authenticator
}

/** What signs a challenge: the fields of a proof. */
export const passkeyProof = (
  authenticator: SoftwareAuthenticator,
  options: Readonly<Record<string, unknown>> | undefined,
) => ({
  passkeyAssertion: toWebauthnJson(authenticator.assert({ challenge: challengeBytes(options) })),
  origin: ORIGIN,
})
