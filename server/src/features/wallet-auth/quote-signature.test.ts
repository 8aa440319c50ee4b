import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMs } from '../../kernel/clock.ts'
import { asId, mustParseId, newId, type Id } from '../../kernel/ids.ts'
import { inPlatform } from '../../operator/in-platform.ts'
import { text } from '../../../test/kit/api.ts'
import { startKit } from '../../../test/kit/florin.ts'
import { stamp } from '../../../test/kit/wallet-client.ts'
import { logIn, newWallet, signedHeaders, type TestWallet } from '../../../test/kit/wallets.ts'
import { judgeQuoteSignature, lockWallet, quotePayload } from './index.ts'

const kit = await startKit()
const QUOTE = {
  destination: { destinationType: 'ACCOUNT' },
  feesIncluded: 10n,
  sendingCurrency: 'USDB',
  receivingCurrency: 'USD',
  totalSendingAmount: 1000n,
  totalReceivingAmount: 990n,
}

/** Judges as the execution of a quote would; headers as they arrive, in lower case. */
function judging({ platform, accountId }: TestWallet, quoteId: Id<'quote'>) {
  return (given: { stamp?: string; requestId?: string }, lifeMs = 60_000) =>
    inPlatform(
      kit.florin.deps,
      { platformId: platform.platformId, action: 'test' },
      async (work) => {
        const { tx, now } = work
        const id = mustParseId('internalAccount', accountId)
        const wallet = await lockWallet(tx, work.platform.id, id)
        assert.ok(wallet)
        const headers = Object.fromEntries(
          Object.entries(signedHeaders(given)).map(([name, value]) => [name.toLowerCase(), value]),
        )
        return judgeQuoteSignature(work, {
          wallet,
          quoteId,
          payloadToSign: payload,
          quoteExpiresAt: addMs(now, lifeMs),
          body: undefined,
          headers,
        })
      },
    )
}

const organizationId = '019a0000-0000-7000-8000-000000000001'
const walletId = '019a0000-0000-7000-8000-000000000002'
const payload = quotePayload(
  { organizationId, walletId },
  { ...QUOTE, quoteId: asId('quote', '019a0000-0000-7000-8000-000000000003') },
  new Date(0),
)

test('SIGN-18 the payload of a quote names no Request and writes amounts as text', () => {
  const content = JSON.parse(payload) as Record<string, Record<string, unknown>>
  assert.equal(content['requestId'], undefined)
  assert.equal(content['parameters']?.['totalSendingAmount'], '1000')
  assert.equal(content['parameters']?.['signWith'], walletId)
})

test('SIGN-19 SIGN-20 a stamp alone, a stamp with its Request, and neither', async () => {
  const wallet = await newWallet(kit)
  const { device } = await logIn(wallet)
  const judge = judging(wallet, newId('quote'))
  const good = await stamp(device, payload)
  assert.equal(await judge({ stamp: good }), undefined)
  const asked = await judge({})
  assert.ok(asked && 'status' in asked)
  assert.equal(asked.body?.payloadToSign, payload)
  const leftMs = Date.parse(text(asked.body?.expiresAt as never)) - Date.now()
  assert.ok(leftMs > 50_000 && leftMs <= 61_000, 'no longer than the quote')
  const requestId = asked.body?.requestId ?? ''
  const codeOf = async (given: { stamp?: string; requestId?: string }): Promise<unknown> => {
    const verdict = await judge(given)
    return verdict && 'code' in verdict ? verdict.code : verdict
  }
  const bad = await stamp(device, `${payload} `)
  assert.equal(await codeOf({ requestId }), 'WALLET_SIGNATURE_MISSING')
  assert.equal(await codeOf({ stamp: 'abc' }), 'WALLET_SIGNATURE_MALFORMED')
  assert.equal(await codeOf({ stamp: bad }), 'WALLET_SIGNATURE_INVALID')
  assert.equal(await codeOf({ stamp: bad, requestId }), 'WALLET_SIGNATURE_INVALID')
  assert.equal(await codeOf({ stamp: good, requestId }), undefined)
  assert.equal(await codeOf({ stamp: good, requestId }), 'UNAUTHORIZED')
  assert.equal(await judging(wallet, newId('quote'))({ stamp: good }), undefined)
})
