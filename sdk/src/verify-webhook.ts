import { bytesOfBase64, utf8, type Bytes } from './bytes.ts'
import { rawOfDer } from './der-signature.ts'
import { WebhookSignatureError } from './errors.ts'
import type { WebhookEvent } from './generated/webhook-events.ts'
import { unbranded } from './unbranded.ts'

/** Headers as the web has them, as Node's `http` has them, or as a plain record. */
export type WebhookHeaders =
  | Pick<Headers, 'get'>
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface WebhookDelivery {
  /** The body exactly as it came, before any parser: a parsed and rewritten one has other bytes. */
  payload: string | Uint8Array | ArrayBuffer
  /** All headers of the delivery, or the value of `X-Service-Signature` itself. */
  headers: WebhookHeaders | string
  /** The platform's key as PEM, from `florin platforms show`; while it is being replaced, both. */
  publicKey: string | readonly string[]
  /**
   * How old an event may be. Deliveries are retried for a week and can be asked for again for 30 days, always with the
   * time of the change, so a small value drops genuine events; what has been seen already is told by `id`.
   */
  toleranceSeconds?: number | undefined
  /** The brand in the service's names (its `WIRE_BRAND`), where the operator has chosen another than `Service`. */
  wireBrand?: string | undefined
  /** @deprecated Another name of `wireBrand`. */
  headerBrand?: string | undefined
}

const DAY_SECONDS = 86_400
/** As long as the service keeps events and so can send one again, and a day for clocks that differ. */
const TOLERANCE_SECONDS = 31 * DAY_SECONDS

const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/**
 * The event, once it is certain that the service sent exactly these bytes to the owner of the key. Throws
 * `WebhookSignatureError` otherwise.
 */
export async function verifyWebhook({
  payload,
  headers,
  publicKey,
  toleranceSeconds = TOLERANCE_SECONDS,
  headerBrand = 'Service',
  wireBrand = headerBrand,
}: WebhookDelivery): Promise<WebhookEvent> {
  const header = typeof headers === 'string' ? headers : headerOf(headers, wireBrand)
  if (header === undefined) throw new WebhookSignatureError('the delivery carries no signature')
  const signature = signatureOf(header)
  if (signature === undefined) throw new WebhookSignatureError('the signature cannot be read')
  const bytes = bytesOf(payload)
  const keys = await Promise.all([publicKey].flat().map(importKey))
  const verdicts = await Promise.all(
    keys.map((key) => crypto.subtle.verify(ECDSA, key, signature, bytes)),
  )
  if (!verdicts.includes(true)) {
    throw new WebhookSignatureError('the signature is not one of this key over these bytes')
  }
  const sent: unknown = JSON.parse(new TextDecoder().decode(bytes))
  const event = unbranded(sent, wireBrand) as WebhookEvent
  const ageMs = Date.now() - Date.parse(event.timestamp)
  if (ageMs > toleranceSeconds * 1_000) {
    throw new WebhookSignatureError(`the event of ${event.timestamp} is too old`)
  }
  return event
}

function headerOf(headers: WebhookHeaders, brand: string): string | undefined {
  const name = `x-${brand}-signature`.toLowerCase()
  if (isWebHeaders(headers)) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.[0]
}

const isWebHeaders = (headers: WebhookHeaders): headers is Pick<Headers, 'get'> =>
  typeof headers['get'] === 'function'

/** `{"v":"1","s":"<base64>"}`, with a signature that has the form of one; in the spelling of WebCrypto. */
function signatureOf(header: string): Bytes | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(header)
  } catch {
    return undefined
  }
  if (typeof parsed !== 'object' || parsed === null || !('v' in parsed) || !('s' in parsed)) {
    return undefined
  }
  if (parsed.v !== '1' || typeof parsed.s !== 'string') return undefined
  const der = bytesOfBase64(parsed.s)
  return der && rawOfDer(der)
}

const bytesOf = (payload: WebhookDelivery['payload']): Bytes =>
  typeof payload === 'string' ? utf8(payload) : new Uint8Array(payload)

async function importKey(pem: string): Promise<CryptoKey> {
  const [, begin, base64 = '', end] = pem.split('-----')
  const isPublicKey = begin === 'BEGIN PUBLIC KEY' && end === 'END PUBLIC KEY'
  const spki = isPublicKey ? bytesOfBase64(base64.replaceAll(/\s/g, '')) : undefined
  if (spki === undefined || spki.length === 0) {
    throw new TypeError('publicKey is no public key in PEM')
  }
  return crypto.subtle.importKey('spki', spki, ECDSA, false, ['verify'])
}
