import { test } from 'node:test'
import assert from 'node:assert/strict'
import { expectStatus, items, text } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { platformAccount, readTransaction } from '../../../../test/kit/payments.ts'
import { productionBank } from '../../../../test/kit/setups/production.ts'
import { newUuid } from '../../../kernel/ids.ts'

/** Nothing happens in the background: what came stays where it is until somebody moves it. */
const kit = await startOwnKit({}, { worker: false })
const platform = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD'] })

const bank = {
  accountType: 'US_ACCOUNT',
  accountNumber: '7000000001',
  routingNumber: '021000021',
  accountHolderName: 'Florin FBO Test platform',
  bankName: 'First Bank',
  paymentRails: ['RTP'],
}
const provision = `accounts provision ${await platformAccount(platform, 'USD')} --instruction`
await operate(kit, provision, JSON.stringify(bank))

/** A quote for which an amount came, and that cannot be executed with it. */
async function funded(
  amount: number,
  before: (payee: string) => Promise<unknown>,
): Promise<string> {
  const payee = await productionBank(kit, platform)
  const quote = expectStatus(
    await platform.api.post('/quotes', {
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USD' },
      destination: { destinationType: 'ACCOUNT', accountId: payee },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 20_000,
    }),
    201,
  )
  await before(payee)
  const info = quote.paymentInstructions?.[0]?.accountOrWalletInfo
  const came = `deposits receive --amount ${amount} --currency USD --rail RTP --trace ${newUuid()}`
  await operate(kit, `${came} --reference ${text(info?.reference)}`)
  const id = quote.transactionId
  assert.equal((await readTransaction(platform, id)).status, 'PROCESSING')
  return id
}

const CASES = [
  ['another amount came', 25_000, async () => undefined],
  [
    'the payee was stopped meanwhile',
    20_000,
    (payee: string) => operate(kit, `external-accounts set-status ${payee} UNDER_REVIEW`),
  ],
] as const

for (const [why, amount, before] of CASES) {
  test(`QUOTE-19 nothing is paid out by hand for what goes back: ${why}`, async () => {
    const id = await funded(amount, before)
    assert.deepEqual(items(await operate(kit, 'settlements list')), [])
    assert.equal((await operate(kit, `settlements show ${id}`))['waitsFor'], undefined)
    for (const line of [`settlements confirm ${id}`, `settlements confirm ${id} --leg PAYOUT`]) {
      await assert.rejects(operate(kit, line), { code: 'CONFLICT' })
    }
  })
}
