import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../kernel/ids.ts'
import { expectError, type Answer } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { watchRoundTrips } from '../../../../test/kit/database/round-trips.ts'
import { newDeviceKey } from '../../../../test/kit/wallets/client.ts'
import { listCredentials, logIn, newWallet } from '../../../../test/kit/wallets/wallets.ts'

const kit = await startOwnKit()
const { api } = await kit.platform()
const theirs = await newWallet(kit)
const { session } = await logIn(theirs)
const [credential] = await listCredentials(theirs.api, theirs.accountId)
const clientPublicKey = newDeviceKey().publicKeyUncompressed
const otp = { type: 'EMAIL_OTP', encryptedOtpBundle: 'x' }

type Case = Readonly<{ name: string; known: unknown; unknown: string; call: Call }>
type Call = (id: unknown) => Promise<Answer>

const credentials = { known: credential?.id, unknown: `AuthMethod:${newId('authMethod')}` }
const sessions = { known: session.id, unknown: `Session:${newId('session')}` }
const accounts = {
  known: theirs.accountId,
  unknown: `InternalAccount:${newId('internalAccount')}`,
}

const CASES: readonly Case[] = [
  {
    name: 'challenge',
    ...credentials,
    call: (id) => api.post(`/auth/credentials/${id}/challenge`),
  },
  { name: 'verify', ...credentials, call: (id) => api.post(`/auth/credentials/${id}/verify`, otp) },
  { name: 'revoke', ...credentials, call: (id) => api.delete(`/auth/credentials/${id}`) },
  {
    name: 'refresh',
    ...sessions,
    call: (id) => api.post(`/auth/sessions/${id}/refresh`, { clientPublicKey }),
  },
  { name: 'end a session', ...sessions, call: (id) => api.delete(`/auth/sessions/${id}`) },
  {
    name: 'export',
    ...accounts,
    call: (id) => api.post(`/internal-accounts/${id}/export`, { clientPublicKey }),
  },
]

const WALLETS = /\b(wallets|wallet_\w+|internal_accounts)\b/

for (const { name, known, unknown, call } of CASES) {
  test(`CORE-4 ${name}: an id of another platform is answered by the same statements as an unknown id`, async () => {
    const watch = watchRoundTrips()
    const asked = async (id: unknown): Promise<unknown> => {
      const answer = await call(id)
      expectError(answer, 404, 'REFERENCE_NOT_FOUND')
      return { body: answer.body, trips: watch.transactionWith(WALLETS) }
    }
    try {
      const foreign = await asked(known)
      assert.notDeepEqual(watch.transactionWith(WALLETS), [], 'it was looked for')
      assert.deepEqual(await asked(unknown), foreign)
    } finally {
      watch.stop()
    }
  })
}
