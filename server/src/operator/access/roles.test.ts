import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startKit } from '../../../test/kit/florin.ts'
import { asCaller, operate } from '../../../test/kit/operator.ts'
import { UsageError } from '../command.ts'
import { commands } from '../commands.ts'
import type { Caller, Role } from '../../kernel/access/operator.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { mustBeCallable, mayUse } from './must-be-allowed.ts'

const kit = await startKit()

const callerWith = (...roles: readonly Role[]): Caller => ({
  name: 'Vera',
  actor: { kind: 'operator', name: 'Vera' },
  roles,
  isMachine: false,
})

const refusal = (run: () => unknown): unknown => {
  try {
    run()
  } catch (error) {
    return error instanceof ApiError ? { code: error.code, ...error.details } : error
  }
  return undefined
}

test('OPER-4 a missing role is refused before the input is looked at', async () => {
  const vera = asCaller(kit, callerWith('VIEWER'))
  await assert.rejects(operate(vera, 'settlements confirm'), (error: ApiError) => {
    assert.equal(error.code, 'FORBIDDEN')
    assert.deepEqual(error.details, { requiredRole: 'TREASURER' })
    return true
  })
  const tom = asCaller(kit, callerWith('TREASURER'))
  await assert.rejects(operate(tom, 'settlements confirm'), UsageError)
  assert.ok(Array.isArray(await operate(vera, 'transactions list')))
})

test('OPER-4 OPER-105 each role but DEVELOPER includes VIEWER, and none another', () => {
  for (const command of commands) {
    const { name, access } = command
    if (access.roles.length === 0) continue
    for (const role of ['VIEWER', 'REVIEWER', 'TREASURER', 'ADMIN'] as const) {
      const isAllowed = access.roles.includes('VIEWER') || access.roles.includes(role)
      assert.equal(mayUse(callerWith(role), command), isAllowed, `${role}: ${name}`)
      const expected = { code: 'FORBIDDEN', requiredRole: access.roles.join(' or ') }
      const seen = refusal(() => mustBeCallable(callerWith(role), command))
      assert.deepEqual(seen, isAllowed ? undefined : expected, `${role}: ${name}`)
    }
    assert.ok(!mayUse(callerWith(), command), `without any role: ${name}`)
    assert.ok(!mayUse(callerWith('DEVELOPER'), command), `a developer of no platform: ${name}`)
    const developer = { ...callerWith('DEVELOPER'), platforms: [newId('platform')] }
    const isTheirs = access.roles.includes('DEVELOPER')
    assert.equal(mayUse(developer, command), isTheirs, `DEVELOPER: ${name}`)
  }
})

test('OPER-4 what is revealed needs the role that decides about it', async () => {
  const vera = asCaller(kit, callerWith('VIEWER'))
  for (const [line, requiredRole] of [
    ['review show Customer:0199a1b2-c3d4-7e5f-8a6b-0123456789ab --reveal', 'REVIEWER'],
    ['settlements show Transaction:0199a1b2-c3d4-7e5f-8a6b-0123456789ab --reveal', 'TREASURER'],
  ] as const) {
    await assert.rejects(operate(vera, line), ({ details }: ApiError) => {
      assert.deepEqual(details, { requiredRole })
      return true
    })
  }
})
