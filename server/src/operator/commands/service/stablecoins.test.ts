import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, text } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { COINS, LINKS, newLink, newStablecoin } from '../../../../test/kit/stablecoins.ts'
import { parseCommandLine } from '../../command-line.ts'
import { stablecoinCommands } from './stablecoins.ts'

const kit = await startOwnKit()

async function run(...args: string[]): Promise<Record<string, unknown>> {
  const command = stablecoinCommands.find(({ name }) => name === args.slice(0, 2).join(' '))
  assert.ok(command)
  const answer = await command.run(kit.florin.deps, parseCommandLine(command, args).given)
  return answer as Record<string, unknown>
}

test('CORE-83 stablecoins revoke-link ends a link for good', async () => {
  const { api } = await kit.platform()
  const id = text((await newLink(api))['id'])
  assert.equal((await run('stablecoins', 'revoke-link', id))['status'], 'REVOKED')
  assert.equal(expectStatus(await api.get(`${LINKS}/${id}`), 200)['status'], 'REVOKED')
  await assert.rejects(run('stablecoins', 'revoke-link', id), { code: 'INVALID_STATE_TRANSITION' })
})

test('CORE-83 stablecoins set-status decides what the service does for a coin', async () => {
  const { api } = await kit.platform()
  const id = text((await newStablecoin(api))['id'])
  assert.equal(
    (await run('stablecoins', 'set-status', id, 'DISABLED'))['serviceOperationsStatus'],
    'DISABLED',
  )
  assert.equal(
    expectStatus(await api.get(`${COINS}/${id}`), 200)['serviceOperationsStatus'],
    'DISABLED',
  )
  await assert.rejects(run('stablecoins', 'set-status', id, 'ODD'), { name: 'UsageError' })
})
