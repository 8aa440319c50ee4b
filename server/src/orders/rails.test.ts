import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, text, type Body } from '../../test/kit/api.ts'
import { eventually } from '../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../test/kit/florin.ts'
import {
  scriptedProvider,
  type ScriptedProvider,
} from '../../test/kit/outside/scripted-provider.ts'
import { balanceOf, payee, payer, quote, readTransaction } from '../../test/kit/payments.ts'

const kit = await startOwnKit()

type Setup = Readonly<{
  platform: TestPlatform
  provider: ScriptedProvider
  account: string
  /** Pays 10,000 to an account outside; its transaction. */
  pay(): Promise<string>
  transaction(id: string): Promise<Body>
  balance(): Promise<number>
  /** The answer of the clock. */
  advance(seconds: number): Promise<Body>
}>

/** A sandbox platform whose rails are a provider that the test plays, so that its clock can be moved. */
async function setup(options = ''): Promise<Setup> {
  const platform = await kit.platform()
  const { account, customerId } = await payer(platform)
  const provider = await scriptedProvider(
    kit,
    `--environment SANDBOX --platform ${platform.platformId} --ports rails ${options}`.trim(),
  )
  const to = await payee(platform, 'EUR_ACCOUNT', { customerId })
  return {
    platform,
    provider,
    account,
    async pay() {
      const made = await quote(platform, { from: account, to, amount: 10_000 })
      const body = expectStatus(made, 201)
      expectStatus(await platform.api.post(`/quotes/${text(body['id'])}/execute`), 200)
      return text(body['transactionId'])
    },
    transaction: (id) => readTransaction(platform, id),
    balance: () => balanceOf(platform, account),
    advance: async (advanceSeconds) =>
      expectStatus(await platform.api.post('/sandbox/clock', { advanceSeconds }), 200),
  }
}

test('PROV-43 PROV-55 an answer SETTLED completes the payment without a report', async () => {
  const { provider, pay, transaction, balance } = await setup()
  provider.answer(({ body }) => ({
    json: { state: 'SETTLED', reference: 'B-1', amount: body['amount'] },
  }))
  const id = await pay()
  await eventually(async () => assert.equal(text((await transaction(id))['status']), 'COMPLETED'))
  assert.equal(await balance(), 90_000)
  assert.equal(provider.orders().length, 1)
})
