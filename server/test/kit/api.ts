import assert from 'node:assert/strict'
import http from 'node:http'
import type { ErrorBody } from '../../../sdk/src/index.ts'
import type { Answers, PathWord } from '../generated/answers.ts'

/** What was answered; `expectStatus` says which of the operation's bodies it is. */
export type Answer<Bodies = unknown> = Readonly<{
  status: number
  headers: Headers
  /** Before the status is known: of any of the operation's answers, a refusal included. */
  body: unknown extends Bodies ? unknown : Shown<Bodies[keyof Bodies] | ErrorBody>
  text: string
  /** Only a type: what the operation answers, by status. */
  bodies?: Bodies
}>

/** JSON without a type: what details, events and pages of our own hold. */
export type Body = { readonly [key: string]: Body }

export type AnyBodies = { [status: number]: unknown }

export type HasId = Readonly<{ id: string }>

type KeyOfAny<T> = T extends unknown ? keyof T : never
type ValueOfAny<T, K extends PropertyKey> = T extends unknown
  ? K extends keyof T
    ? T[K]
    : undefined
  : never

/** A body as a test reads it: the members of all its variants, those that not every variant has as optional. */
export type Shown<T> = unknown extends T
  ? Body
  :
      | Exclude<T, object>
      | ShownList<Extract<T, readonly unknown[]>>
      | ShownObject<Exclude<Extract<T, object>, readonly unknown[]>>

type ShownList<T extends readonly unknown[]> = [T] extends [never]
  ? never
  : readonly Shown<T[number]>[]

type ShownObject<T> = [T] extends [never]
  ? never
  : { readonly [K in KeyOfAny<T>]: Shown<ValueOfAny<T, K>> }

type Pattern<Path extends string> = Path extends `${infer Before}?${string}`
  ? Pattern<Before>
  : Path extends `${infer First}/${infer Rest}`
    ? `${Part<First>}/${Pattern<Rest>}`
    : Part<Path>
type Part<One extends string> = One extends '' | PathWord ? One : '{}'

/** The bodies that the operation at this path answers; of a path that is none, anything. */
export type BodiesOf<Method extends string, Path extends string> = string extends Path
  ? AnyBodies
  : `${Method} ${Pattern<Path>}` extends infer Key extends keyof Answers
    ? Answers[Key]
    : AnyBodies

export function items<T>(value: readonly T[] | Body | undefined): readonly T[] {
  assert.ok(Array.isArray(value), `a list, not ${JSON.stringify(value)}`)
  return value
}

export function text(value: unknown): string {
  assert.equal(typeof value, 'string')
  return value as string
}

export type Credentials = Readonly<{ clientId: string; clientSecret: string }>

export type CallOptions = Readonly<{
  headers?: Record<string, string>
  query?: Record<string, string | number | boolean | readonly string[] | undefined>
}>

export type Api = Readonly<{
  get<P extends string>(path: P, options?: CallOptions): Promise<Answer<BodiesOf<'GET', P>>>
  post<P extends string>(
    path: P,
    body?: unknown,
    options?: CallOptions,
  ): Promise<Answer<BodiesOf<'POST', P>>>
  put<P extends string>(
    path: P,
    body?: unknown,
    options?: CallOptions,
  ): Promise<Answer<BodiesOf<'PUT', P>>>
  patch<P extends string>(
    path: P,
    body?: unknown,
    options?: CallOptions,
  ): Promise<Answer<BodiesOf<'PATCH', P>>>
  delete<P extends string>(path: P, options?: CallOptions): Promise<Answer<BodiesOf<'DELETE', P>>>
  /** Any request, body as it is. */
  send<M extends string, P extends string>(
    method: M,
    path: P,
    init?: RequestInit,
  ): Promise<Answer<BodiesOf<M, P>>>
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

type Request = Readonly<{
  method: string
  headers: Record<string, string>
  body?: string | undefined
}>
type Received = Readonly<{
  status: number
  contentType: string | null | undefined
  headers: () => Headers
  text: string
}>

/** What `fetch` says of a text without a type of its own. */
const TEXT = { 'content-type': 'text/plain;charset=UTF-8' }

const agent = new http.Agent({ keepAlive: true })

/** By `node:http`, which takes a third of the processor time of `fetch`: the tests send a hundred thousand of these. */
const exchange = (url: string, { method, headers, body }: Request): Promise<Received> =>
  new Promise((resolve, reject) => {
    // Node leaves it out where a method usually has no body.
    const length = body !== undefined && { 'content-length': `${Buffer.byteLength(body)}` }
    const request = http.request(url, { method, headers: { ...headers, ...length }, agent })
    request.on('error', reject).on('response', (response) => {
      let text = ''
      response
        .setEncoding('utf8')
        .on('data', (chunk: string) => (text += chunk))
        .on('error', reject)
        .on('end', () => resolve(receivedOf(response, text)))
    })
    request.end(body)
  })

const receivedOf = (response: http.IncomingMessage, text: string): Received => ({
  status: response.statusCode ?? 0,
  contentType: response.headers['content-type'],
  headers: () => headersOf(response),
  text,
})

function headersOf({ headersDistinct }: http.IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value)
  return headers
}

function answerOf<Bodies>({ status, contentType, headers, text }: Received): Answer<Bodies> {
  const isJson = contentType?.startsWith('application/json')
  // What an operation answers is known by its path; the schemas of the service check that it is so.
  const body = (isJson && text !== '' ? JSON.parse(text) : undefined) as never
  return {
    status,
    body,
    text,
    // Made when they are read, which few tests do.
    get headers() {
      return headers()
    },
  }
}

/** A client of the API: real HTTP, real credentials. */
export function client(baseUrl: string, credentials: Credentials): Api {
  const authorization = basicAuth(credentials)
  const send = async <Bodies>(
    method: string,
    path: string,
    init: RequestInit = {},
  ): Promise<Answer<Bodies>> => {
    const { body, headers: given, ...others } = init
    const headers = { authorization, ...(given as Record<string, string>) }
    const url = `${baseUrl}${path}`
    const isText = typeof body === 'string'
    if ((isText || body === undefined) && Object.keys(others).length === 0)
      return answerOf(
        await exchange(url, { method, headers: { ...(isText && TEXT), ...headers }, body }),
      )
    const response = await fetch(url, { ...init, method, headers })
    return answerOf({
      status: response.status,
      contentType: response.headers.get('content-type'),
      headers: () => response.headers,
      text: await response.text(),
    })
  }
  const call = async <Bodies>(
    method: string,
    path: string,
    body: unknown,
    options: CallOptions = {},
  ): Promise<Answer<Bodies>> =>
    answerOf(
      await exchange(`${baseUrl}${path}${queryOf(options.query)}`, {
        method,
        headers: {
          authorization,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...options.headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
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

type BodyAt<A, Status extends number> = A extends { bodies?: infer Bodies }
  ? Status extends keyof Bodies
    ? Bodies[Status]
    : never
  : never

/** The answer's body, after asserting its status; a wrong status shows what was answered instead. */
export function expectStatus<A extends Answer, Status extends number>(
  answer: A,
  status: Status,
): [BodyAt<A, Status>] extends [never] ? Body : Shown<BodyAt<A, Status>> {
  assert.equal(answer.status, status, answer.text)
  return answer.body as never
}

/** Asserts a refusal by status and code, and answers its details, without the link to the reference. */
export function expectError(answer: Answer, status: number, code: string): Body {
  assert.equal(answer.status, status, answer.text)
  const refusal = answer.body as Body
  assert.equal(refusal['code'], code, answer.text)
  assert.equal(refusal['status'], status)
  const { docUrl, ...details } = refusal['details'] ?? {}
  // Below the path of PUBLIC_URL, if that has one.
  if (docUrl !== undefined) assert.ok(text(docUrl).endsWith(`/docs#errors/${code}`))
  return details
}

/** Asserts 400 INVALID_INPUT and answers the names of the invalid fields, sorted. */
export function expectFields(answer: Answer, fields: readonly string[]): readonly Body[] {
  const details = expectError(answer, 400, 'INVALID_INPUT')
  const errors = items<Body>(details['errors'])
  const named = errors.map((error) => text(error['field']))
  assert.deepEqual(named.toSorted(), [...fields].toSorted(), answer.text)
  return errors
}
