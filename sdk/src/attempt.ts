import type { ApiRequest } from './caller.ts'

/** Where none came the status is 0, and `failure` tells what the runtime's `fetch` said. */
export type Answer = Readonly<{
  status: number
  body: unknown
  headers: Headers
  requestId: string | undefined
  retryAfterSeconds: number | undefined
  failure?: Readonly<{ cause: unknown; isTimeout: boolean }>
}>

/** One request over the wire, body included: an answer that breaks off is no answer. */
export async function attempt(
  url: string,
  {
    fetch,
    init,
    timeoutMs,
    signal,
  }: {
    fetch: typeof globalThis.fetch
    init: RequestInit
    timeoutMs: number
    signal: AbortSignal | undefined
  },
): Promise<Answer> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  try {
    const response = await fetch(url, { ...init, signal: either, redirect: 'error' })
    return answerOf(response, await response.text())
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    return { ...NO_ANSWER, headers: new Headers(), failure: { cause, isTimeout: timeout.aborted } }
  }
}

const NO_ANSWER = {
  status: 0,
  body: undefined,
  requestId: undefined,
  retryAfterSeconds: undefined,
} as const

export function answerOf({ status, headers }: Response, text: string): Answer {
  const retryAfter = headers.get('retry-after')
  return {
    status,
    body: parsed(text),
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds:
      retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined,
    headers,
  }
}

/** Empty answers have no body; a body that is not JSON stays text, which a caller that expects JSON notices. */
function parsed(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export function addressOf(baseUrl: string, { path, query = {} }: ApiRequest): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined) search.append(name, String(one))
  }
  return `${baseUrl}${path}${search.size > 0 ? `?${search}` : ''}`
}

/** What goes into the body, with its type; a form's type is the runtime's to write, since it makes the boundary. */
export function payloadOf({ body, form }: ApiRequest): Pick<RequestInit, 'body' | 'headers'> {
  if (form !== undefined) return { body: formOf(form) }
  if (body === undefined) return {}
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

function formOf(form: object): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(form) as [string, unknown][]) {
    if (value === undefined) continue
    if (value instanceof Blob) data.append(name, value)
    else if (value instanceof ArrayBuffer) data.append(name, new Blob([value]))
    else if (value instanceof Uint8Array) data.append(name, new Blob([new Uint8Array(value)]))
    else data.append(name, name === 'file' ? new Blob([String(value)]) : String(value))
  }
  return data
}
