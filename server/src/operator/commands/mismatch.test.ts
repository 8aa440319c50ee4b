import { test } from 'node:test'
import assert from 'node:assert/strict'
import { expectStatus, items, text, type Body } from '../../../test/kit/api.ts'
import { startKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { platformAccount, readTransaction } from '../../../test/kit/payments.ts'
import { productionBank } from '../../../test/kit/production.ts'
import { newUuid } from '../../kernel/ids.ts'

/** Nothing happens in the background: what came stays where it is until somebody moves it. */
const kit = await startKit({}, { worker: false })
const platform = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD'] })

test('QUOTE-19 nothing is paid out by hand for a quote that another amount came for', async () => {
  const bank = {
    accountType: 'US_ACCOUNT',
    accountNumber: '7000000001',
    routingNumber: '021000021',
    accountHolderName: 'Florin FBO Test platform',
    bankName: 'First Bank',
    paymentRails: ['RTP'],
  }
  const line = `accounts provision ${await platformAccount(platform, 'USD')} --instruction`
  await operate(kit, line, JSON.stringify(bank))
  const quote = expectStatus(
    await platform.api.post('/quotes', {
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USD' },
      destination: { destinationType: 'ACCOUNT', accountId: await productionBank(kit, platform) },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 20_000,
    }),
    201,
  )
  const info = items(quote['paymentInstructions'])[0]?.['accountOrWalletInfo'] as Body
  const came = `deposits receive --amount 25000 --currency USD --rail RTP --trace ${newUuid()}`
  await operate(kit, `${came} --reference ${text(info['reference'])}`)
  const id = text(quote['transactionId'])
  assert.equal((await readTransaction(platform, id))['status'], 'PROCESSING')
  await assert.rejects(operate(kit, `settlements confirm ${id}`), {
    code: 'CONFLICT',
    details: { reason: 'FUNDING_AMOUNT_MISMATCH' },
  })
})
