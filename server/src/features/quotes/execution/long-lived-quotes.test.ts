import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import {
  executeSigned,
  payingWallet,
  stampOf,
  walletQuote,
} from '../../../../test/kit/wallets/payments.ts'
import { advance } from '../../../../test/kit/wallets/wallets.ts'

const kit = await startOwnKit({ QUOTE_TTL_SECONDS: '800' })

test('SIGN-19 where a quote lives longer than a Request, the Request ends after 300 s, the stamp does not', async () => {
  const paying = await payingWallet(kit)
  const { wallet, device } = paying
  const quoted = await walletQuote(paying)
  const asked = expectStatus(await executeSigned(wallet, quoted), 202)
  const lifeMs = Date.parse(asked.expiresAt) - Date.parse(quoted.createdAt)
  assert.ok(lifeMs >= 300_000 && lifeMs < 310_000, `${lifeMs}`)
  const given = { stamp: await stampOf(device, quoted), requestId: asked.requestId }
  await advance(wallet.api, 300)
  expectError(await executeSigned(wallet, quoted, given), 401, 'UNAUTHORIZED')
  const again = expectStatus(await executeSigned(wallet, quoted), 202)
  assert.equal(again.payloadToSign, asked.payloadToSign)
  expectStatus(await executeSigned(wallet, quoted, { stamp: given.stamp }), 200)
})
