import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, text } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'

const kit = await startOwnKit()

const run = (first: string, ...rest: string[]): Promise<unknown> => operate(kit, first, ...rest)

test('CORE-83 accounts freeze stops an account, unfreeze lets it move again, and the platform hears of both', async () => {
  const { api } = await kit.platform()
  const listed = expectStatus(
    await api.get('/platform/internal-accounts', { query: { currency: 'USD' } }),
    200,
  )
  const id = text(listed.data[0]?.id)
  const fund = () => api.post(`/sandbox/internal-accounts/${id}/fund`, { amount: 5 })
  assert.equal(((await run('accounts', 'freeze', id)) as { status: string }).status, 'FROZEN')
  expectError(await fund(), 403, 'USER_NOT_READY')
  assert.equal(((await run('accounts', 'unfreeze', id)) as { status: string }).status, 'ACTIVE')
  expectStatus(await fund(), 200)
  const query = { type: 'INTERNAL_ACCOUNT.STATUS_UPDATED' }
  assert.equal(expectStatus(await api.get('/events', { query }), 200).data.length, 2)
})

test('CORE-83 an account that is not there is refused', async () => {
  for (const id of ['InternalAccount:x', 'InternalAccount:01a1dd92-d4b9-7697-8e09-7e0de21544cc']) {
    await assert.rejects(run('accounts', 'freeze', id), { code: 'REFERENCE_NOT_FOUND' })
  }
})
