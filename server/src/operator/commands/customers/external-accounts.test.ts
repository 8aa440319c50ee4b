import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../../test/kit/api.ts'
import { externalAccountBody } from '../../../../test/kit/accounts/external-account-bodies.ts'
import {
  PLATFORM,
  newAccount,
  newCustomer,
  newOwnWallet,
} from '../../../../test/kit/accounts/external-accounts.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import type { ApiError } from '../../../kernel/errors.ts'
import { findCommand, parseCommandLine } from '../../command-line/command-line.ts'
import { UsageError } from '../../command.ts'
import { commands } from '../../commands.ts'

const kit = await startOwnKit()

async function florin(...args: string[]): Promise<Record<string, unknown>> {
  const command = findCommand(commands, args)
  assert.ok(command)
  const input = parseCommandLine(command, args)
  return (await command.run(kit.florin.deps, input)) as Record<string, unknown>
}

const refusedWith = (code: string) => (error: ApiError) => error.code === code

test('CORE-83 external-accounts set-status answers the account as the API does', async () => {
  const { api } = await kit.platform()
  const account = await newAccount(api, externalAccountBody('USD_ACCOUNT'), PLATFORM)
  const id = account.id
  for (const status of ['INACTIVE', 'UNDER_REVIEW', 'ACTIVE']) {
    const shown = await florin('external-accounts', 'set-status', id, status)
    assert.equal(shown['status'], status)
    assert.deepEqual(shown, expectStatus(await api.get(`${PLATFORM}/${id}`), 200))
  }
  await assert.rejects(florin('external-accounts', 'set-status', id, 'PENDING'), UsageError)
  const nobody = florin('external-accounts', 'set-status', 'ExternalAccount:nobody', 'ACTIVE')
  await assert.rejects(nobody, refusedWith('REFERENCE_NOT_FOUND'))
})

for (const [verb, status] of [
  ['approve', 'ACTIVE'],
  ['reject', 'UNVERIFIED'],
] as const) {
  test(`CORE-83 ownership list shows what ownership ${verb} decides`, async () => {
    const { api, platformId } = await kit.platform({ environment: 'PRODUCTION' })
    const customerId = await newCustomer(api, { region: 'DE' })
    const { account, path } = await newOwnWallet(api, customerId)
    const externalAccountId = account.id
    const waiting = async (): Promise<Record<string, unknown>[]> =>
      ((await florin('ownership', 'list')) as unknown as Record<string, unknown>[]).filter(
        (review) => review['externalAccountId'] === externalAccountId,
      )
    assert.deepEqual(await waiting(), [])
    await assert.rejects(florin('ownership', verb, externalAccountId), refusedWith('CONFLICT'))
    expectStatus(await api.post(`${path}/challenge`, { method: 'LIVENESS' }), 201)
    const [review] = await waiting()
    assert.equal(review?.['platformId'], platformId)
    assert.equal(review?.['customerId'], customerId)
    assert.equal(review?.['accountType'], 'SOLANA_WALLET')
    const decided = await florin('ownership', verb, externalAccountId)
    assert.equal(decided['status'], status)
    assert.deepEqual(await waiting(), [])
  })
}
