/** An answer that cannot be stored under its key, as when the process dies just then: its effect is undone with it. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/infra/db/statement/sql.ts'
import { expectError, expectStatus, text, type Answer, type Api } from '../kit/api.ts'
import { createCustomer } from '../kit/customers.ts'
import { CUSTOMERS, newAccount } from '../kit/accounts/external-accounts.ts'
import { startOwnKit } from '../kit/florin.ts'
import { newScaCustomer, RIGHT, WRONG } from '../kit/sca/sca.ts'
import { newWallet as newAddress } from '../kit/wallets/signing-wallets.ts'
import { newWallet } from '../kit/wallets/wallets.ts'

const kit = await startOwnKit()
const { read } = kit.florin.deps.db

before(async () => {
  await read.run(sql`create function lose_answer() returns trigger language plpgsql as
    $$ begin raise exception 'lost'; end $$`)
  await read.run(sql`create trigger lose_answer before insert on idempotency_keys
    for each row when (new.key like 'lost%') execute function lose_answer()`)
})

const TIMES = 5
const under = (key: string) => ({ headers: { 'idempotency-key': key } })

async function lose(send: (key: string) => Promise<Answer>): Promise<void> {
  for (let n = 0; n < TIMES; n += 1) expectError(await send(`lost-${n}`), 500, 'INTERNAL_ERROR')
}

/** Once, and then from what is stored. */
async function sendTwice(api: Api, path: string, body?: object) {
  const first = await api.post(path, body, under(path))
  const replay = await api.post(path, body, under(path))
  assert.deepEqual([replay.status, replay.text], [first.status, first.text])
  assert.equal(replay.headers.get('idempotent-replayed'), 'true')
  return first
}

test('CORE-40 CORE-43 CONT-4 no code was sent to a channel, and none is counted', async () => {
  const platform = await kit.platform({ kind: 'UNREGULATED' })
  const { api } = platform
  const contact = { region: 'DE', email: 'eva@example.com', phoneNumber: '+4930123456' }
  const path = `/customers/${(await createCustomer(platform, contact)).id}/verify-email` as const
  await lose((key) => api.post(path, undefined, under(key)))
  const unknown = expectError(
    await api.post(`${path}/confirm`, { code: '123456' }),
    400,
    'INVALID_INPUT',
  )
  assert.equal(unknown['reason'], 'NO_CODE_SENT')
  assert.equal((await sendTwice(api, path)).status, 204)
})

test('CORE-40 CORE-43 CHAL-6 no login was begun, and none is counted', async () => {
  const { api, emailCredentialId } = await newWallet(kit)
  const path = `/auth/credentials/${emailCredentialId}/challenge` as const
  await lose((key) => api.post(path, undefined, under(key)))
  expectStatus(await sendTwice(api, path), 200)
})

test('CORE-40 CORE-43 TRUST-6 no proof was taken, right or wrong', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const { customerId } = await newScaCustomer(platform)
  const account = await newAccount(api, {
    customerId,
    currency: 'USDC',
    ownershipType: 'THIRD_PARTY',
    accountInfo: { accountType: 'SOLANA_WALLET', address: newAddress().address },
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Doe' },
  })
  const path = `${CUSTOMERS}/${account.id}/trust` as const
  const started = expectStatus(await api.post(path), 200).scaChallenge
  const challengeId = text(started?.id)
  for (const code of [WRONG, RIGHT]) {
    await lose((key) => api.post(`${path}/confirm`, { challengeId, code }, under(key)))
  }
  const wrong = await api.post(`${path}/confirm`, { challengeId, code: WRONG })
  assert.equal(expectError(wrong, 400, 'INVALID_INPUT')['attemptsLeft'], TIMES - 1)
  const right = await sendTwice(api, `${path}/confirm`, { challengeId, code: RIGHT })
  assert.deepEqual(expectStatus(right, 200), { trusted: true })
})
