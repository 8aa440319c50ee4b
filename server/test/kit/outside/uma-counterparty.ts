/** Another UMA provider on loopback, built with the protocol's own library, that can misbehave in every way of UMA-8. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import {
  Currency,
  getLnurlpResponse,
  getPayReqResponse,
  KycStatus,
  parseLnurlpRequest,
  PayRequest,
  PubKeyResponse,
  signPayload,
  verifyPayReqSignature,
  verifyUmaLnurlpQuerySignature,
  type LnurlpResponse,
} from '@uma-sdk/core'
import type { Deps } from '../../../src/infra/deps.ts'
import { createGuardedFetch, type GuardedFetch } from '../../../src/infra/outbound/ssrf.ts'
import { serveHttp } from './loopback-server.ts'

export const VASP_DOMAIN = 'vasp.example'

/** Ways to the outside in which some domains are servers on loopback. */
export function mappedOutgoing(ports: ReadonlyMap<string, number>): Deps['outgoing'] {
  const mapped = (): GuardedFetch => {
    const guarded = createGuardedFetch({ allowLoopback: true })
    return {
      fetch(request) {
        const { hostname, pathname, search } = new URL(request.url)
        const port = ports.get(hostname)
        const url =
          port === undefined ? request.url : `http://127.0.0.1:${port}${pathname}${search}`
        return guarded.fetch({ ...request, url })
      },
      close: () => guarded.close(),
    }
  }
  return { SANDBOX: mapped(), PRODUCTION: mapped() }
}

type Answer = Readonly<{ status: number; body: string }>

/** Who is asked for decides what is answered; the keys that it publishes depend on the domain. */
export type Misbehaviour = Readonly<{
  lnurlp?: (answer: LnurlpResponse, url: URL) => Answer | Promise<Answer>
  pay?: (answer: Answer) => Answer
  payerData?: Readonly<Record<string, { mandatory: boolean }>>
  signingKey?: Uint8Array
  currencies?: Currency[]
}>

export type CounterpartyOptions = Readonly<{
  /** The keys of the sender, asked for as its domain publishes them. */
  senderKeys: () => Promise<string>
  behaviours: Readonly<Record<string, Misbehaviour>>
  keysOf: Readonly<Record<string, Answer>>
  invoiceOf: (millisats: number) => string
}>

export const ok = (body: unknown, status = 200) => ({
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

/** Millisatoshi for a cent, at 120,000 dollars for a bitcoin. */
const MILLISATS_PER_CENT = 8_333.333333

const EVERYTHING = { checkAndSaveNonce: () => Promise.resolve(true) }

/** Dollars with other numbers than usual. */
export const dollars = ({
  multiplier = MILLISATS_PER_CENT,
  min = 1,
  max = 1_000_000,
  decimals = 2,
}): Currency => new Currency('USD', 'US Dollars', '$', multiplier, min, max, decimals)

const CURRENCIES = [dollars({}), new Currency('XYZ', 'Nobody’s', 'x', 1, 1, 1_000_000, 2)]

type Vasp = CounterpartyOptions &
  Readonly<{ privateKey: Uint8Array; publicKey: string; payRequests: PayRequest[] }>

const theirKeys = async ({ senderKeys }: Vasp) => PubKeyResponse.fromJson(await senderKeys())
const unsigned = ok({ status: 'ERROR', reason: 'signature' }, 401)

async function describeReceiver(vasp: Vasp, url: URL) {
  const request = parseLnurlpRequest(url)
  const isSigned = await verifyUmaLnurlpQuerySignature(request, await theirKeys(vasp), EVERYTHING)
  if (!isSigned) return unsigned
  const user = url.pathname.split('/').at(-1) ?? ''
  const behaviour = vasp.behaviours[user] ?? {}
  const answer = await getLnurlpResponse({
    request,
    callback: `https://${VASP_DOMAIN}/pay/${user}`,
    encodedMetadata: '[["text/plain","pay"]]',
    minSendableSats: 1,
    maxSendableSats: 1_000_000_000,
    privateKeyBytes: behaviour.signingKey ?? vasp.privateKey,
    requiresTravelRuleInfo: false,
    payerDataOptions: {
      identifier: { mandatory: true },
      compliance: { mandatory: true },
      ...behaviour.payerData,
    },
    currencyOptions: behaviour.currencies ?? CURRENCIES,
    receiverKycStatus: KycStatus.Verified,
  })
  return behaviour.lnurlp?.(answer, url) ?? ok(answer.toJsonString())
}

async function takePayRequest(vasp: Vasp, user: string, text: string) {
  const request = PayRequest.fromJson(text)
  const isSigned = await verifyPayReqSignature(request, await theirKeys(vasp), EVERYTHING)
  if (!isSigned) return unsigned
  vasp.payRequests.push(request)
  const response = await getPayReqResponse({
    request,
    conversionRate: MILLISATS_PER_CENT,
    receivingCurrencyCode: 'USD',
    receivingCurrencyDecimals: 2,
    invoiceCreator: {
      createUmaInvoice: (millisats) => Promise.resolve(vasp.invoiceOf(millisats)),
    },
    metadata: '',
    receiverChannelUtxos: [],
    receiverFeesMillisats: 0,
    receivingVaspPrivateKey: vasp.privateKey,
    payeeIdentifier: `${user}@${VASP_DOMAIN}`,
  })
  const answer = ok(response.toJsonString())
  return vasp.behaviours[user]?.pay?.(answer) ?? answer
}

async function answerOf(vasp: Vasp, url: URL, body: string) {
  const { hostname, pathname } = url
  if (pathname.startsWith('/.well-known/lnurlp/')) return describeReceiver(vasp, url)
  if (pathname.startsWith('/pay/')) return takePayRequest(vasp, pathname.slice(5), body)
  const { publicKey } = vasp
  return vasp.keysOf[hostname] ?? ok({ signingPubKey: publicKey, encryptionPubKey: publicKey })
}

/** Where its domains are served, and what it was asked to be paid. */
export async function startCounterparty(options: CounterpartyOptions) {
  const privateKey = randomBytes(32)
  const publicKey = Buffer.from(secp256k1.getPublicKey(privateKey, false)).toString('hex')
  const vasp: Vasp = { ...options, privateKey, publicKey, payRequests: [] }
  const ports = new Map<string, number>()
  for (const domain of [VASP_DOMAIN, ...Object.keys(options.keysOf)]) {
    const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = Buffer.concat(await Array.fromAsync(request)).toString()
      const url = new URL(request.url ?? '', `https://${domain}`)
      const answer = await answerOf(vasp, url, body)
      response.writeHead(answer.status).end(answer.body)
    }
    const { port } = await serveHttp((request, response) => void handle(request, response))
    ports.set(domain, port)
  }
  return { ports, payRequests: vasp.payRequests }
}

/** The same answer, signed for another time. */
export async function signedAt(
  answer: LnurlpResponse,
  timestampSeconds: number,
  privateKey: Uint8Array,
): Promise<string> {
  const body = answer.toJsonSchemaObject()
  const compliance = { ...answer.compliance, signatureTimestamp: timestampSeconds }
  const { receiverIdentifier, signatureNonce } = compliance
  const payload = [receiverIdentifier, signatureNonce, timestampSeconds].join('|')
  const signature = await signPayload(payload, privateKey)
  return JSON.stringify({ ...body, compliance: { ...compliance, signature } })
}
