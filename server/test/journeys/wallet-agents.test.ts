import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/infra/db/statement/sql.ts'
import { expectError, expectStatus, type HasId } from '../kit/api.ts'
import { approve, connectAgent, policyOf } from '../kit/setups/agents.ts'
import { startKit } from '../kit/florin.ts'
import { balanceOf, payee, quoteBody, readQuote } from '../kit/payments.ts'
import { stamp } from '../kit/wallets/client.ts'
import { payingWallet, payloadOf, stampOf } from '../kit/wallets/payments.ts'
import { advance, signedHeaders } from '../kit/wallets/wallets.ts'

const kit = await startKit()

/** An agent of a wallet's owner, and how it pays. */
async function payingAgent(policy: object = {}) {
  const paying = await payingWallet(kit)
  const { wallet } = paying
  const customerId = wallet.customer.id
  const to = await payee(wallet.platform, 'USD_ACCOUNT', { customerId })
  const agent = await connectAgent(wallet.platform, { customerId, policy: policyOf(policy) })
  const body = quoteBody({ from: wallet.accountId, to, amount: 10_000_000 })
  const quoted = async () => expectStatus(await agent.api.post('/agents/me/quotes', body), 201)
  const execute = ({ id }: HasId, value?: string) =>
    agent.api.post(`/agents/me/quotes/${id}/execute`, undefined, {
      headers: signedHeaders(value === undefined ? {} : { stamp: value }),
    })
  return { ...paying, quoted, execute }
}

test('ACT-11 an agent that pays from a wallet sends its owner’s stamp with its only call', async () => {
  const { wallet, device, quoted, execute } = await payingAgent()
  const quote = await quoted()
  expectError(await execute(quote), 401, 'WALLET_SIGNATURE_MISSING')
  expectError(await execute(quote, 'abc'), 401, 'WALLET_SIGNATURE_MALFORMED')
  const bad = await stamp(device, `${payloadOf(quote)} `)
  expectError(await execute(quote, bad), 401, 'WALLET_SIGNATURE_INVALID')
  assert.equal((await readQuote(wallet.platform, quote)).status, 'PENDING')
  expectStatus(await execute(quote, await stampOf(device, quote)), 200)
  assert.equal(await balanceOf(wallet.platform, wallet.accountId), 90_000_000)
})

const keptStamps = async (): Promise<number> =>
  (
    await kit.florin.deps.db.read.many(
      sql`select id from agent_actions where wallet_stamp is not null`,
    )
  ).length

test('ACT-11 while approval is pending the stamp is kept, and it pays at approval, once', async () => {
  const { wallet, device, quoted, execute } = await payingAgent({
    defaultExecutionMode: 'APPROVAL_REQUIRED',
  })
  const { platform, accountId } = wallet
  const quote = await quoted()
  expectError(await execute(quote), 401, 'WALLET_SIGNATURE_MISSING')
  const action = expectStatus(await execute(quote, await stampOf(device, quote)), 200)
  assert.equal(action.status, 'PENDING_APPROVAL')
  assert.equal(await keptStamps(), 1)
  assert.equal(await balanceOf(platform, accountId), 100_000_000)
  await advance(wallet.api, 60)
  const answers = await Promise.all([approve(platform, action), approve(platform, action)])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
  assert.equal(await balanceOf(platform, accountId), 90_000_000)
  assert.equal(await keptStamps(), 0)
})

test('ACT-11 ACT-21 where the session of the stamp has ended by the approval, the action fails', async () => {
  const { wallet, device, quoted, execute } = await payingAgent({
    defaultExecutionMode: 'APPROVAL_REQUIRED',
  })
  const { platform, accountId } = wallet
  const quote = await quoted()
  const action = expectStatus(await execute(quote, await stampOf(device, quote)), 200)
  await advance(wallet.api, 900)
  const failed = expectStatus(await approve(platform, action), 200)
  assert.equal(failed.status, 'FAILED')
  assert.equal(failed.failureReason, 'SESSION_ENDED')
  assert.equal(failed.failureDetails?.code, 'WALLET_SIGNATURE_INVALID')
  assert.equal((await readQuote(platform, quote)).status, 'FAILED')
  assert.equal(await balanceOf(platform, accountId), 100_000_000)
  assert.equal(await keptStamps(), 0)
})
