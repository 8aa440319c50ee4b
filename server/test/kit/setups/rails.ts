import assert from 'node:assert/strict'
import { expectStatus, items, type Body } from '../api.ts'
import { eventually } from '../eventually.ts'
import type { Kit, TestPlatform } from '../florin.ts'
import { operate } from '../operator.ts'
import { scriptedProvider, type ScriptedProvider } from '../outside/scripted-provider.ts'
import { balanceOf, payee, payer, quote, readTransaction } from '../payments.ts'

export type RailsSetup = Readonly<{
  platform: TestPlatform
  provider: ScriptedProvider
  /** The payer's account, with 100,000 on it. */
  account: string
  /** Pays 10,000 USD to an account in euros, which gets 9,154; its transaction. */
  pay(): Promise<string>
  transaction(id: string): ReturnType<typeof readTransaction>
  /** The transaction once it has this status. */
  settles(id: string, status: string): ReturnType<typeof readTransaction>
  balance(): Promise<number>
  /** Moves the platform's clock. */
  advance(seconds: number): Promise<unknown>
  /** Open exceptions of the platform, oldest first. */
  exceptions(): Promise<readonly Body[]>
}>

/** The account type that a provider declares to pull from (PROV-51). */
export const PULLS = '--config {"pull":["USD_ACCOUNT"]}'

/** A sandbox platform whose rails are a provider that the test plays, so that its clock can be moved. */
export async function railsSetup(
  kit: Kit,
  options = '',
  payout: Readonly<{ accountType: string; rail?: string }> = { accountType: 'EUR_ACCOUNT' },
): Promise<RailsSetup> {
  const platform = await kit.platform()
  const { account, customerId } = await payer(platform)
  const { platformId } = platform
  const line = `--environment SANDBOX --platform ${platformId} --ports rails ${PULLS} ${options}`
  const provider = await scriptedProvider(kit, line.trim())
  const to = await payee(platform, payout.accountType, { customerId })
  const transaction = (id: string) => readTransaction(platform, id)
  return {
    platform,
    provider,
    account,
    transaction,
    async pay() {
      const paymentRail = payout.rail && { paymentRail: payout.rail }
      const asked = { from: account, to, amount: 10_000, ...paymentRail }
      const body = expectStatus(await quote(platform, asked), 201)
      expectStatus(await platform.api.post(`/quotes/${body.id}/execute`), 200)
      return body.transactionId
    },
    settles: (id, status) =>
      eventually(async () => {
        const found = await transaction(id)
        assert.equal(found.status, status)
        return found
      }),
    balance: () => balanceOf(platform, account),
    advance: async (advanceSeconds) =>
      expectStatus(await platform.api.post('/sandbox/clock', { advanceSeconds }), 200),
    exceptions: async () => items(await operate(kit, `exceptions list --platform ${platformId}`)),
  }
}
