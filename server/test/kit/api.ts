import assert from 'node:assert/strict'

export type Answer = Readonly<{
  status: number
  headers: Headers
  // A test looks into answers freely; what they must hold is asserted by the test and checked against the schemas.
  body: Body
  text: string
}>

/** JSON that may be looked into without ceremony; `items` and `text` say what a value is where that matters. */
export type Body = { readonly [key: string]: Body }

export function items(value: Body | undefined): readonly Body[] {
  assert.ok(Array.isArray(value), `a list, not ${JSON.stringify(value)}`)
  return value as unknown as readonly Body[]
}

export function text(value: Body | undefined): string {
  assert.equal(typeof value, 'string')
  return value as unknown as string
}

export type Credentials = Readonly<{ clientId: string; clientSecret: string }>

export type CallOptions = Readonly<{
  headers?: Record<string, string>
  query?: Record<string, string | number | boolean | readonly string[] | undefined>
}>

export type Api = Readonly<{
  get(path: string, options?: CallOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  put(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  patch(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  delete(path: string, options?: CallOptions): Promise<Answer>
  /** Any request, body as it is. */
  send(method: string, path: string, init?: RequestInit): Promise<Answer>
  with(credentials: Credentials): Api
}>

export const basicAuth = ({ clientId, clientSecret }: Credentials): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

function queryOf(query: CallOptions['query']): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of [value].flat()) if (one !== undefined) search.append(name, String(one))
  }
  return search.size > 0 ? `?${search}` : ''
}

/** A client of the API: real HTTP, real credentials. */
export function client(baseUrl: string, credentials: Credentials): Api {
  const send: Api['send'] = async (method, path, init = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      ...init,
      method,
      headers: {
        authorization: basicAuth(credentials),
        ...(init.headers as Record<string, string>),
      },
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const body = (isJson && text !== '' ? JSON.parse(text) : undefined) as Body
    return { status: response.status, headers: response.headers, body, text }
  }
  const call = (method: string, path: string, body: unknown, options: CallOptions = {}) =>
    send(method, `${path}${queryOf(options.query)}`, {
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  return {
    send,
    get: (path, options) => call('GET', path, undefined, options),
    post: (path, body, options) => call('POST', path, body, options),
    put: (path, body, options) => call('PUT', path, body, options),
    patch: (path, body, options) => call('PATCH', path, body, options),
    delete: (path, options) => call('DELETE', path, undefined, options),
    with: (other) => client(baseUrl, other),
  }
}

/** The answer's body, after asserting its status; a wrong status shows what was answered instead. */
export function expectStatus(answer: Answer, status: number): Body {
  assert.equal(answer.status, status, answer.text)
  return answer.body
}

/** Asserts a refusal by status and code, and answers its details. */
export function expectError(answer: Answer, status: number, code: string): Body {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.body['code'], code, answer.text)
  assert.equal(answer.body['status'], status)
  return answer.body['details'] ?? {}
}

/** Asserts 400 INVALID_INPUT and answers the names of the invalid fields, sorted. */
export function expectFields(answer: Answer, fields: readonly string[]): readonly Body[] {
  const details = expectError(answer, 400, 'INVALID_INPUT')
  const errors = items(details['errors'])
  const named = errors.map((error) => text(error['field']))
  assert.deepEqual(named.toSorted(), [...fields].toSorted(), answer.text)
  return errors
}
