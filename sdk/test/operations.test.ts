/** Every operation of the interface is one method of a client, and every method is an operation. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createAgent, createFlorin } from '../src/index.ts'
import { routesOf, type InterfaceDescription } from '../../tools/sdk/interface-description.ts'
import { SDK_METHODS } from '../../server/src/infra/http/schema/examples/sdk-methods.ts'

const openapi = new URL('../../docs/reference/openapi.json', import.meta.url)
const description = JSON.parse(await readFile(openapi, 'utf8')) as InterfaceDescription

type Sent = { method: string; path: string; headers: Headers; body: unknown }
let sent: Sent | undefined

const fetch: typeof globalThis.fetch = async (input, init) => {
  const { pathname } = new URL(String(input))
  sent = {
    method: init?.method ?? '',
    path: pathname,
    headers: new Headers(init?.headers),
    body: init?.body,
  }
  return new Response('{"data":[]}', { headers: { 'content-type': 'application/json' } })
}

const baseUrl = 'https://florin.test'
const clients = {
  platform: createFlorin({ baseUrl, clientId: 'id', clientSecret: 'secret', fetch }),
  agent: createAgent({ baseUrl, accessToken: 'agt_token', fetch }),
}

type Member = Readonly<Record<string, unknown>>

function methodOf(name: string): (...given: unknown[]) => PromiseLike<unknown> {
  const parts = name.split('.')
  const isAgent = parts[0] === 'agent'
  const found = (isAgent ? parts.slice(1) : parts).reduce<unknown>(
    (above, part) => (above as Member)[part],
    isAgent ? clients.agent : clients.platform,
  )
  assert.equal(typeof found, 'function', name)
  return found as (...given: unknown[]) => PromiseLike<unknown>
}

/** A stream connects when it is read, and again until it is ended. */
async function callOnce(call: ReturnType<typeof methodOf>, given: unknown[]): Promise<void> {
  const over = new AbortController()
  const answer = call(...given.map((one) => (isEmpty(one) ? { signal: over.signal } : one)))
  if (!('next' in answer)) return void (await answer)
  const reading = (answer as unknown as AsyncIterator<unknown>).next()
  while (sent === undefined) await nextTurn()
  over.abort()
  await assert.rejects(reading)
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

for (const { method, path, operation } of routesOf(description)) {
  const { operationId, parameters = [], requestBody, security } = operation
  const name = SDK_METHODS[operationId] ?? ''
  test(`${name} is ${method} ${path}`, async () => {
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    const takesQuery = parameters.some((parameter) => parameter.in === 'query')
    const given = [
      ...inPath.map(({ name: parameter }) => `${parameter}:é/1`),
      ...(takesQuery ? [{}] : []),
      ...(requestBody ? [{ some: 'body' }] : []),
    ]
    sent = undefined
    await callOnce(methodOf(name), given)
    assert.ok(sent)
    const { headers, body, ...line } = sent as Sent
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, one: string) =>
      encodeURIComponent(`${one}:é/1`),
    )
    assert.deepEqual(line, { method, path: `/2025-10-13${filled}` })
    const takesKey = parameters.some((parameter) => parameter.name === 'Idempotency-Key')
    assert.equal(headers.has('idempotency-key'), takesKey)
    const scheme = headers.get('authorization')?.split(' ')[0]
    const isOfAgent = name.startsWith('agent.')
    assert.equal(scheme, security?.length === 0 ? undefined : isOfAgent ? 'Bearer' : 'Basic')
    const isForm = 'multipart/form-data' in (requestBody?.content ?? {})
    assert.equal(body instanceof FormData, isForm)
    assert.equal(typeof body === 'string', requestBody !== undefined && !isForm)
  })
}

function methodNames(of: object, prefix = ''): string[] {
  return Object.entries(of).flatMap(([name, value]) => {
    if (typeof value === 'function') return [`${prefix}${name}`]
    return typeof value === 'object' ? methodNames(value as object, `${prefix}${name}.`) : []
  })
}

test('there is no method that is no operation', () => {
  const named = Object.values(SDK_METHODS)
  const found = [
    ...methodNames(clients.platform),
    ...methodNames(clients.agent).map((name) => `agent.${name}`),
  ]
  assert.deepEqual(found.toSorted(), named.toSorted())
  assert.equal(named.length, routesOf(description).length)
})
