/** CORE-23: every operation with the ids of another platform, in its path, its query and its body. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../src/app/operations.ts'
import type { Operation } from '../../src/infra/http/operation.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { expectStatus, items, type Answer, type Api } from '../kit/api.ts'
import { connectAgent } from '../kit/setups/agents.ts'
import { createCustomer } from '../kit/customers.ts'
import { startKit, type TestPlatform } from '../kit/florin.ts'
import { callWith, fill, requiredQuery } from './calls.ts'
import {
  ADDRESSES,
  isWalked,
  NEEDS_MORE,
  ofWalked,
  ownBody,
  ownedIn,
  ownedOf,
  SHARED_WITHIN_ENVIRONMENT,
} from './owned-resources.ts'
import { idPlacesIn, namesIn, shapeOf, type Shape } from './sample.ts'

const kit = await startKit()
const own = await kit.platform({ name: 'Own' })
const foreign = await kit.platform({ name: 'Foreign' })
const production = await kit.platform({ name: 'Production', environment: 'PRODUCTION' })
const agent = await connectAgent(own, { customerId: (await createCustomer(own)).id })
const called = operations.filter(({ needs }) => needs !== 'NOTHING')

const apiFor = ({ needs }: Operation, { api }: TestPlatform = own): Api =>
  needs === 'AGENT' ? agent.api : api

/** Whose path names a resource by its id. */
const byId = called.filter(({ path }) => namesIn(path).some((name) => !ADDRESSES.includes(name)))

for (const operation of byId) {
  const { id, method, path } = operation
  test(`CORE-3 CORE-23 ${id} does not tell a foreign id from one that is malformed or unknown`, async () => {
    const foreigners = await ownedIn(path, foreign)
    const isShared = namesIn(path).some((name) => SHARED_WITHIN_ENVIRONMENT.includes(name))
    const stranger = isShared ? production : own
    const owned = isShared ? {} : await ownedIn(path, own)
    const query = await requiredQuery(operation, stranger)
    const body = await ownBody(operation.example, stranger)
    const ask = (ids: Readonly<Record<string, string>>) =>
      callWith(apiFor(operation, stranger), operation, { path: fill(path, ids), query, body })
    const bodies = new Set<string>()
    for (const [name, foreignId] of Object.entries(foreigners)) {
      const [prefix = ''] = foreignId.split(':')
      for (const value of [
        foreignId,
        `${prefix}:${newUuid()}`,
        `Nothing:${newUuid()}`,
        'x',
        `${prefix}:x`,
      ]) {
        const answer = await ask({ ...owned, [name]: value })
        assert.equal(answer.status, 404, `${method} ${path} with ${value}: ${answer.text}`)
        bodies.add(answer.text)
      }
    }
    bodies.add((await ask(foreigners)).text)
    assert.equal(bodies.size, 1)
    if (isShared || operation.needs === 'AGENT' || NEEDS_MORE.includes(id)) return
    const answer = await ask(owned)
    assert.ok(!bodies.has(answer.text), 'the walk reaches what it is about')
  })
}

/** What an answer tells, but for the ids that it was asked about. */
const emitted = ({ status, text: body }: Answer) => [status, body.replaceAll(/:[0-9a-f-]{36}/g, '')]

const ID_PATTERN = /^\^([A-Z]\w+):/

/** The fields at the top of a schema that hold an id, with its prefix. */
const idFields = (schema: Shape): [string, string][] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, { pattern = '' }]) => {
    const prefix = ID_PATTERN.exec(pattern)?.[1]
    return prefix !== undefined && isWalked(prefix) ? [[name, prefix]] : []
  })

for (const operation of called) {
  const { id, method, path, query, body } = operation
  const asked = query ? idFields(shapeOf(query)) : []
  for (const [name, prefix] of asked) {
    test(`CORE-4 CORE-23 ${id} does not tell a foreign ${name} in the query from an unknown one`, async () => {
      const ids = namesIn(path).length > 0 ? await ownedIn(path, own) : {}
      const required = await requiredQuery(operation, own)
      const ask = async (value: string) => {
        const sent = { path: fill(path, ids), query: { ...required, [name]: value } }
        return callWith(apiFor(operation), operation, sent)
      }
      const answer = await ask(await ownedOf(foreign, prefix))
      const unknown = await ask(`${prefix}:${newUuid()}`)
      assert.deepEqual(emitted(answer), emitted(unknown))
      if (answer.status !== 404) assert.deepEqual(items(expectStatus(answer, 200)['data']), [])
    })
  }

  const [top, example] = [
    body ? idFields(shapeOf(body)) : [],
    idPlacesIn(operation.example).filter(ofWalked),
  ]
  if (top.length + example.length === 0) continue
  test(`CORE-4 CORE-23 ${id} does not tell a foreign id in the body from an unknown one`, async () => {
    const ids = namesIn(path).length > 0 ? await ownedIn(path, own) : {}
    const valid = await ownBody(operation.example, own)
    const required = await requiredQuery(operation, own)
    const places = [
      ...example,
      ...top.map(([name, prefix]) => ({
        prefix,
        put: (whole: unknown, value: string) => ({ ...(whole as object), [name]: value }),
      })),
    ]
    for (const { prefix, put } of places) {
      const ask = (value: string) =>
        callWith(apiFor(operation), operation, {
          path: fill(path, ids),
          query: required,
          body: put(valid, value),
        })
      const answer = await ask(await ownedOf(foreign, prefix))
      const unknown = await ask(`${prefix}:${newUuid()}`)
      const where = `${method} ${path} with a foreign ${prefix}`
      assert.deepEqual(emitted(answer), emitted(unknown), where)
      assert.ok(answer.status >= 400, where)
    }
  })
}
