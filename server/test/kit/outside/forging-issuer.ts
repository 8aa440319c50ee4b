/** An issuer on loopback that answers whatever ID token a test wants: what an honest one never gives. */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose'
import { serveHttp } from './loopback-server.ts'

export type IssuerKey = Readonly<{ kid: string; alg: string; privateKey: CryptoKey; jwk: JWK }>

export type ForgingIssuer = Readonly<{
  issuer: string
  /** The key that it publishes at first. */
  key: IssuerKey
  /** Publishes these keys alone. */
  publish(...keys: readonly IssuerKey[]): void
  /** How often its keys were fetched. */
  keyFetches(): number
  /** What it answers for any code. */
  answerWith(answer: Readonly<{ status?: number; body: unknown }>): void
  /** The forms that were sent for a code, with their Authorization header. */
  exchanges: Readonly<{ form: URLSearchParams; authorization: string | undefined }>[]
  /** Changes what it says about itself. */
  describe(change: Readonly<Record<string, unknown>>): void
}>

export async function newIssuerKey(alg = 'RS256', kid = `${alg}-1`): Promise<IssuerKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

/** Claims of now, in seconds; one that is undefined is left out. */
export function signIdToken(
  { alg, kid, privateKey }: Pick<IssuerKey, 'alg' | 'kid' | 'privateKey'>,
  claims: Readonly<Record<string, unknown>>,
): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(privateKey)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  request.setEncoding('utf8').on('data', (part: string) => void (text += part))
  await once(request, 'end')
  return text
}

export async function startForgingIssuer(): Promise<ForgingIssuer> {
  const key = await newIssuerKey()
  let published: readonly IssuerKey[] = [key]
  let answer: Readonly<{ status?: number; body: unknown }> = { status: 400, body: {} }
  let description: Readonly<Record<string, unknown>> = {}
  let keyFetches = 0
  const exchanges: ForgingIssuer['exchanges'] = []
  const { url: issuer } = await serveHttp((request, response) => void serve(request, response))
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await bodyOf(request))
    const reply = (body: unknown, status = 200) =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(body))
    if (request.url === '/.well-known/openid-configuration') return reply(described())
    if (request.url === '/keys') {
      keyFetches += 1
      return reply({ keys: published.map(({ jwk }) => jwk) })
    }
    exchanges.push({ form, authorization: request.headers.authorization })
    return reply(answer.body, answer.status)
  }
  const described = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize?tenant=1`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    ...description,
  })
  return {
    issuer,
    key,
    publish: (...keys) => void (published = keys),
    keyFetches: () => keyFetches,
    answerWith: (next) => void (answer = next),
    exchanges,
    describe: (change) => void (description = change),
  }
}
