import { addressOf, attempt, payloadOf, type Answer } from './attempt.ts'
import type { ApiRequest, Caller, SignedOptions, WalletSignature } from './caller.ts'
import {
  FlorinConnectionError,
  FlorinError,
  SignatureRequiredError,
  StillProcessingError,
} from './errors.ts'
import type { SignedRequestChallenge } from './generated/schemas.ts'
import { createList } from './lists/list.ts'
import { pause } from './pause.ts'
import { retryDelayMs } from './retry-delay.ts'
import { createStream } from './lists/stream.ts'
import { unbranded } from './unbranded.ts'

/** What one attempt was and what came of it, for logs; `status` is 0 where no answer came. */
export interface Exchange {
  method: string
  path: string
  status: number
  attempt: number
  durationMs: number
  requestId: string | undefined
  /** Of the answer: `Idempotent-Replayed`, and in the sandbox `Ignored-Fields`, are worth a look. */
  headers: Headers
}

export type CallerSettings = Readonly<{
  /** Version included. */
  baseUrl: string
  authorization: string | undefined
  fetch: typeof globalThis.fetch
  timeoutMs: number
  retries: number
  wireBrand: string
  onExchange: ((exchange: Exchange) => void) | undefined
}>

const PROCESSING_POLL_MS = 1_000
const PROCESSING_POLLS_MAX = 60
/** A delegated key takes two signatures; nothing takes more. */
const SIGNATURES_MAX = 2

export function createCaller(settings: CallerSettings): Caller {
  const send: Caller['send'] = async <R>(request: ApiRequest, options: SignedOptions = {}) =>
    (await sendSigned(settings, request, options)) as R
  return {
    send,
    list: (request, options) => createList(send, request, options),
    stream: (path, options) => createStream(settings, path, options),
  }
}

type Pending = Readonly<{
  settings: CallerSettings
  request: ApiRequest
  options: SignedOptions
  /** The same on every attempt, and on the first call and the signed retry. */
  idempotencyKey: string | undefined
}>

/** Sends the request until there is a result: signed where that is asked for, again while it is being worked on. */
async function sendSigned(
  settings: CallerSettings,
  request: ApiRequest,
  options: SignedOptions,
): Promise<unknown> {
  const idempotencyKey = request.isKeyed
    ? (options.idempotencyKey ?? crypto.randomUUID())
    : undefined
  const pending = { settings, request, options, idempotencyKey }
  let { signature } = options
  for (let polls = 0, signatures = 0; ;) {
    const { status, body } = await exchange(pending, signature)
    if (request.isProcessed && isProcessing(body)) {
      if (++polls > PROCESSING_POLLS_MAX) throw new StillProcessingError(body.message)
      await pause(PROCESSING_POLL_MS, options.signal)
    } else if (request.isSigned && status === 202) {
      const challenge = body as SignedRequestChallenge
      if (options.sign === undefined || ++signatures > SIGNATURES_MAX) {
        throw new SignatureRequiredError(challenge)
      }
      const stamp = await options.sign(challenge.payloadToSign)
      signature = { stamp, requestId: challenge.requestId }
    } else return body
  }
}

const isProcessing = (body: unknown): body is { message: string } =>
  typeof body === 'object' &&
  body !== null &&
  'status' in body &&
  body.status === 'PROCESSING' &&
  !('id' in body)

/** One call, repeated while that is safe and useful. Throws for every answer that is no success. */
async function exchange(pending: Pending, signature: WalletSignature | undefined): Promise<Answer> {
  const { settings, request, options, idempotencyKey } = pending
  const isRepeatable =
    request.method === 'GET' || (idempotencyKey !== undefined && !request.isShownOnce)
  for (let attempts = 1; ; attempts += 1) {
    const answer = await observedAttempt(pending, { signature, attempts })
    if (isSuccess(answer)) return answer
    const { status, body, retryAfterSeconds, failure } = answer
    const code = (body as { code?: string } | undefined)?.code
    const delayMs = retryDelayMs({ status, code, retryAfterSeconds, isRepeatable, attempts })
    if (delayMs === undefined || attempts > settings.retries) {
      if (failure === undefined) throw new FlorinError(answer)
      const { host } = new URL(settings.baseUrl)
      throw new FlorinConnectionError({ ...failure, host, attempts, idempotencyKey })
    }
    await pause(delayMs, options.signal)
  }
}

/** What is no JSON comes from somebody else, whatever its status. */
const isSuccess = ({ status, body }: Answer): boolean =>
  status >= 200 && status < 300 && typeof body !== 'string'

async function observedAttempt(
  { settings, request, options, idempotencyKey }: Pending,
  { signature, attempts }: { signature: WalletSignature | undefined; attempts: number },
): Promise<Answer> {
  const { method, path } = request
  const { body, headers } = payloadOf(request)
  const startedAt = performance.now()
  const answer = await attempt(addressOf(settings.baseUrl, request), {
    fetch: settings.fetch,
    init: {
      method,
      ...(body !== undefined && { body }),
      headers: {
        accept: 'application/json',
        ...(headers as Record<string, string> | undefined),
        ...ownHeaders(settings, { request, signature, idempotencyKey }),
      },
    },
    timeoutMs: options.timeoutMs ?? settings.timeoutMs,
    signal: options.signal,
  })
  const durationMs = performance.now() - startedAt
  const { status, requestId, headers: answered } = answer
  const exchange = {
    method,
    path,
    status,
    attempt: attempts,
    durationMs,
    requestId,
    headers: answered,
  }
  settings.onExchange?.(exchange)
  return { ...answer, body: unbranded(answer.body, settings.wireBrand) }
}

function ownHeaders(
  { authorization, wireBrand }: CallerSettings,
  {
    request,
    signature,
    idempotencyKey,
  }: {
    request: ApiRequest
    signature: WalletSignature | undefined
    idempotencyKey: string | undefined
  },
): Record<string, string> {
  const { stamp, requestId } = signature ?? {}
  return {
    ...(authorization !== undefined && !request.isAnonymous && { authorization }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(stamp !== undefined && { [`${wireBrand}-Wallet-Signature`]: stamp }),
    ...(requestId !== undefined && { 'request-id': requestId }),
  }
}
