/** Payouts of coins at a provider outside: what is known of them when no answer came, and what proves them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base58 } from '@scure/base'
import { expectStatus, items, text, type Body } from '../../../test/kit/api.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { scriptedProvider, type Reply } from '../../../test/kit/outside/scripted-provider.ts'
import {
  balanceOf,
  customerAccount,
  payee,
  payer,
  quote,
  readTransaction,
} from '../../../test/kit/payments.ts'

const kit = await startOwnKit()

const HASH = base58.encode(new Uint8Array(64).fill(9))
const OTHER_ORDER = 'Order:0199b0c4-5d11-7c3e-9a40-3f6c2a7d1e55'
const MOST = 9_000_000_000_000_000

/** A payout of coins that the provider has been sent, with a window of 300 s. */
async function payOut(
  { currency = 'USDC', accountType = 'SOLANA_WALLET', amount = 99_000 } = {},
  answer: Reply = 'reset',
) {
  const platform = await kit.platform({ currencies: ['USD', currency] })
  const { platformId } = platform
  const { customerId } = await payer(platform, { funded: 0 })
  const from = await customerAccount(platform, customerId, currency)
  const line = `--environment SANDBOX --platform ${platformId} --ports rails --window 300`
  const provider = await scriptedProvider(kit, line)
  const to = await payee(platform, accountType, { customerId })
  const limits = `--currency ${currency} --max-transaction ${MOST} --daily-volume ${MOST}`
  await operate(kit, `limits set --platform ${platformId} ${limits}`)
  const came = `--amount ${amount + 1_000} --currency ${currency} --rail ${accountType.split('_')[0]}`
  const receive = `deposits receive --environment SANDBOX ${came} --trace ${platformId}`
  const { depositId } = await operate(kit, receive)
  await operate(kit, `deposits attribute ${text(depositId)} --to ${from}`)
  const before = await balanceOf(platform, from)
  provider.answer(() => answer)
  const asked = { from, to, amount, side: 'RECEIVING' as const }
  const quoted = expectStatus(await quote(platform, asked), 201)
  expectStatus(await platform.api.post(`/quotes/${quoted.id}/execute`), 200)
  const id = quoted.transactionId
  const order = await provider.orderOf(id)
  return {
    provider,
    order,
    before,
    advance: async (advanceSeconds: number) =>
      expectStatus(await platform.api.post('/sandbox/clock', { advanceSeconds }), 200),
    read: () => readTransaction(platform, id),
    balance: () => balanceOf(platform, from),
    exceptions: async () => items(await operate(kit, `exceptions list --platform ${platformId}`)),
    posts: () => provider.received.filter(({ method }) => method === 'POST').length,
  }
}

const settled = (hash: string, network = 'SOLANA', amount = 99_000) => ({
  state: 'SETTLED',
  amount: { amount, currency: 'USDC' },
  proofs: { onChainTransaction: { transactionHash: hash, network } },
})

type Outcome = Readonly<{ status: string; exception?: string; isRefunded?: boolean }>

/** What the provider answers when it is asked, and what becomes of the payment. */
const ASKED: readonly (readonly [string, (order: Body) => Reply, Outcome])[] = [
  ['found, and paid', listing(settled(HASH)), { status: 'COMPLETED' }],
  [
    'found, and paid by no hash that the network has',
    listing(settled('0xabc')),
    { status: 'PROCESSING', exception: 'PROOF_MISSING' },
  ],
  [
    'found, and paid on another network',
    listing(settled(`0x${'a'.repeat(64)}`, 'BASE')),
    { status: 'PROCESSING', exception: 'PROOF_MISSING' },
  ],
  [
    'found, and paid one unit less',
    listing(settled(HASH, 'SOLANA', 98_999)),
    { status: 'PROCESSING', exception: 'AMOUNT_MISMATCH' },
  ],
  [
    'found, and failed',
    listing({ state: 'FAILED', reason: 'OTHER' }),
    { status: 'FAILED', isRefunded: true },
  ],
  ['not found', (order) => notFound(text(order['id'])), { status: 'FAILED', isRefunded: true }],
  ['not found is another order', () => notFound(OTHER_ORDER), { status: 'PROCESSING' }],
  ['not found without a body', () => ({ status: 404, html: 'gone' }), { status: 'PROCESSING' }],
]

function listing(said: object) {
  const at = new Date().toISOString()
  return ({ id }: Body): Reply => ({
    json: { id, sequence: 1, ...said, reports: [{ orderId: id, sequence: 1, at, ...said }] },
  })
}

const notFound = (id: string): Reply => ({ status: 404, json: { state: 'NOT_FOUND', id } })

for (const [what, answer, { status, exception, isRefunded }] of ASKED) {
  test(`PROV-45 PROV-46 PROV-68 a payout of coins without an answer is asked for: ${what}`, async () => {
    const { provider, order, advance, read, balance, before, exceptions, posts } = await payOut()
    await advance(400)
    const sent = posts()
    provider.answer(() => answer(order))
    await advance(3_600)
    assert.equal((await read()).status, status)
    const open = (await exceptions()).map(({ type }) => text(type))
    assert.deepEqual(open, exception === undefined ? [] : [exception])
    assert.equal((await balance()) === before, isRefunded ?? false)
    assert.equal(posts(), sent, 'it is not sent again')
  })
}

test('PROV-68 PROV-70 an answer whose proof cannot be looked up is for an operator, who gives the hash', async () => {
  const answer = { json: settled('pending') }
  const { advance, read, exceptions, posts } = await payOut({}, answer)
  await advance(60)
  assert.equal(posts(), 1, 'an answer that contradicts is an answer')
  const [open] = await exceptions()
  assert.equal(open?.['type'], 'PROOF_MISSING')
  const line = `exceptions resolve ${text(open['exceptionId'])} --as SETTLED`
  await operate(kit, `${line} --reference ${HASH} --note`, 'looked it up')
  const paid = await read()
  assert.equal(paid.status, 'COMPLETED')
  assert.equal(paid.destination?.onChainTransaction?.transactionHash, HASH)
})

test('PROV-40 PROV-65 CORE-6 the largest amount of satoshi goes out and comes back to the unit', async () => {
  const amount = MOST - 1_000
  const coins = { currency: 'BTC', accountType: 'SPARK_WALLET', amount }
  const accepted = { json: { state: 'ACCEPTED', reference: 'A1' } }
  const { provider, order, read, balance, before } = await payOut(coins, accepted)
  assert.deepEqual(order['amount'], { amount, currency: 'BTC', decimals: 8 })
  const money = { amount: { amount, currency: 'BTC' } }
  const onChainTransaction = { transactionHash: 'a'.repeat(64), network: 'SPARK' }
  const paid = { state: 'SETTLED', ...money, proofs: { onChainTransaction } }
  assert.equal((await provider.report(order, 1, paid))['result'], 'APPLIED')
  assert.equal((await read()).status, 'COMPLETED')
  const back = { state: 'RETURNED', ...money, returnId: 'r1' }
  assert.equal((await provider.report(order, 2, back))['result'], 'APPLIED')
  assert.deepEqual([(await read()).failureReason, await balance()], ['PAYOUT_RETURNED', before])
})
