import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { COINS, LINKS, newLink, newStablecoin } from '../../../../test/kit/stablecoins.ts'
import { operate } from '../../../../test/kit/operator.ts'

const kit = await startOwnKit()

const run = (first: string, ...rest: string[]) => operate(kit, first, ...rest)

test('CORE-83 stablecoins revoke-link ends a link for good', async () => {
  const { api } = await kit.platform()
  const id = (await newLink(api)).id
  assert.equal((await run('stablecoins', 'revoke-link', id))['status'], 'REVOKED')
  assert.equal(expectStatus(await api.get(`${LINKS}/${id}`), 200).status, 'REVOKED')
  await assert.rejects(run('stablecoins', 'revoke-link', id), { code: 'INVALID_STATE_TRANSITION' })
})

test('CORE-83 stablecoins set-status decides what the service does for a coin', async () => {
  const { api } = await kit.platform()
  const id = (await newStablecoin(api)).id
  assert.equal(
    (await run('stablecoins', 'set-status', id, 'DISABLED'))['serviceOperationsStatus'],
    'DISABLED',
  )
  assert.equal(
    expectStatus(await api.get(`${COINS}/${id}`), 200).serviceOperationsStatus,
    'DISABLED',
  )
  await assert.rejects(run('stablecoins', 'set-status', id, 'ODD'), { name: 'UsageError' })
})
