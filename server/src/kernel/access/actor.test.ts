import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeActor } from './actor.ts'
import type { Actor } from './actor.ts'
import { asId } from '../ids.ts'
import { InvariantError } from '../invariant.ts'

const UUID = '0199a1b2-c3d4-7e5f-8a6b-0123456789ab'

const ROWS: readonly { actor: Actor; text: string }[] = [
  {
    actor: { kind: 'token', tokenId: asId('token', UUID), permissions: ['VIEW'] },
    text: `Token:${UUID}`,
  },
  {
    actor: { kind: 'agent', agentId: asId('agent', UUID), customerId: asId('customer', UUID) },
    text: `Agent:${UUID}`,
  },
  { actor: { kind: 'operator', name: 'ada' }, text: 'operator:ada' },
  {
    actor: { kind: 'operator', by: 'operator-token', name: 'ada/ci' },
    text: 'operator-token:ada/ci',
  },
  { actor: { kind: 'operator', by: 'local', name: 'root' }, text: 'local:root' },
  { actor: { kind: 'page', name: 'terms', subjectId: UUID }, text: `page:terms:${UUID}` },
  { actor: { kind: 'provider', name: 'bank' }, text: 'provider:bank' },
  { actor: { kind: 'system', name: 'quotes.expire' }, text: 'system:quotes.expire' },
]
for (const { actor, text } of ROWS) {
  test(`CORE-92 a ${actor.kind} is recorded as ${text}`, () => {
    assert.equal(describeActor(actor), text)
  })
}

test('CORE-92 an actor of no known kind is a bug', () => {
  assert.throws(() => describeActor({ kind: 'ghost' } as never), InvariantError)
})
