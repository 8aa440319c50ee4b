import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from './schema/type.ts'
import type { LaneDecision } from '../work/lane-command.ts'
import { lane, procedure, read, takesKey, write, type Operation } from './operation.ts'
import { noContent, reply } from './reply.ts'

const place = { id: 'tryOut', path: '/try-out', tag: 'Sandbox', needs: 'VIEW' } as const
const described = { ...place, summary: 'Try it out', replies: { 204: null } }
const handler = async () => noContent()
const command: LaneDecision<{ amount: bigint }, undefined> = {
  name: 'tryOut',
  decide: () => ({ reply: noContent() }),
}
const input = () => ({ amount: 1n })

test('CORE-40 reads and operations that ignore it take no Idempotency-Key, all others do', () => {
  const kinds: readonly (readonly [Operation, boolean])[] = [
    [read({ ...described, handler }), false],
    [write({ ...described, method: 'POST', handler }), true],
    [write({ ...described, method: 'POST', key: 'required', handler }), true],
    [write({ ...described, method: 'POST', key: 'ignored', handler }), false],
    [procedure({ ...described, method: 'POST', handler }), true],
    [procedure({ ...described, method: 'GET', handler }), false],
    [lane({ ...described, command, input }), true],
  ]
  for (const [operation, takes] of kinds) assert.equal(takesKey(operation), takes)
})

test('an operation cannot be declared with fields of another kind, or answer what it does not declare', () => {
  const refused = [
    // @ts-expect-error a read has no idempotency key
    () => read({ ...described, key: 'required', handler }),
    // @ts-expect-error a read has no body
    () => read({ ...described, body: Type.Object({}), handler }),
    // @ts-expect-error a write is not a GET
    () => write({ ...described, method: 'GET', handler }),
    // @ts-expect-error a command has no handler beside it
    () => lane({ ...described, command, input, handler }),
    // @ts-expect-error the command takes a bigint
    () => lane({ ...described, command, input: () => ({ amount: 1 }) }),
    // @ts-expect-error the command answers no text
    () => lane({ ...described, replies: { 200: Type.String() }, command, input }),
    // @ts-expect-error no answer of 200 is declared
    () => write({ ...described, method: 'POST', handler: async () => reply(200, {}) }),
  ]
  assert.equal(refused.length, 7)
})
