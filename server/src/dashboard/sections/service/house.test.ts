import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text } from '../../../../test/kit/api.ts'
import { openDashboard } from '../../../../test/kit/pages/dashboard.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { COINS, LINKS, newStablecoin } from '../../../../test/kit/stablecoins.ts'
import { sql } from '../../../infra/db/statement/sql.ts'

const kit = await startOwnKit()
const board = await openDashboard(kit)
const anna = await board.signIn('anna')

const actionsBy = async (action: string): Promise<unknown[]> =>
  items(await operate(kit, 'audit list', '--action', action)).map((entry) => entry['actor'])

async function fund(amount: number): Promise<string> {
  const { api, platformId } = await kit.platform()
  const query = { currency: 'USD' }
  const listed = expectStatus(await api.get('/platform/internal-accounts', { query }), 200)
  const id = text(listed.data[0]?.id)
  expectStatus(await api.post(`/sandbox/internal-accounts/${id}/fund`, { amount }), 200)
  return platformId
}

test('LEDG-5 CORE-83 the book is summed by class and currency, and balances out', async () => {
  const platformId = await fund(123_450)
  const lines = items(await operate(kit, `ledger balances --platform ${platformId}`))
  const available = lines.find((line) => text(line['accountClass']) === 'IA:available')
  assert.deepEqual([available?.['currency'], available?.['amount']], ['USD', '123450'])
  assert.equal(
    lines.reduce((sum, line) => sum + BigInt(text(line['amount'])), 0n),
    0n,
  )
  assert.deepEqual(await operate(kit, `ledger balances --exceptions --platform ${platformId}`), [])
  const platform = encodeURIComponent(platformId)
  assert.match((await anna.get(`/ledger?platform=${platform}`)).text, /no money is without a home/)
  const whole = await anna.get(`/ledger?view=all&platform=${platform}`)
  assert.ok(whole.text.includes('1,234.50 USD') && whole.text.includes('What owners may spend'))
})

test('LEDG-5 the check of the book is run from its page, and its findings are named', async () => {
  const platformId = await fund(500)
  assert.match((await anna.post('/ledger/-/check')).text, /The book is sound: \d+ entries/)
  const shift = (by: number) =>
    kit.florin.deps.db.transaction((tx) =>
      tx.run(
        sql`update ledger_balances set amount = amount + ${by}
            where platform_id = ${platformId.slice(-36)}::uuid and account like 'IA:%:available' and currency = 'USD'`,
      ),
    )
  await shift(1)
  const unsound = await anna.post('/ledger/-/check')
  await shift(-1)
  assert.match(unsound.text, /The book is not sound: 1 problems[^]*is 501, its postings sum to 500/)
})

test('RATE-11 CORE-92 prices are set, several at once, and shown with their age', async () => {
  const set = await anna.post('/rates/-/set', { price: 'EUR=0.92\r\n\r\nBTC=1/120000\r\n' })
  assert.equal(set.status, 303)
  const { text: shown } = await anna.get('/rates')
  assert.ok(shown.includes('0.92') && shown.includes('BTC') && shown.includes('Active</span>'))
  assert.deepEqual(await actionsBy('rates set'), ['operator:anna'])
  const refused = await anna.post('/rates/-/set', { price: 'EUR=cheap' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /Nothing was changed\.[^]*EUR=cheap is written as/)
  assert.match(refused.text, /<textarea[^>]*>EUR=cheap<\/textarea>/)
})

test('FEE-11 RATE-12 rates show what is required and what networks cost, and set a fee', async () => {
  const plain = (page: string) => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  await kit.platform({ environment: 'PRODUCTION', currencies: ['USD', 'MXN'] })
  const required = plain((await anna.get('/rates?view=required')).text)
  assert.match(required, /MXN Supported currency – – Missing/)
  assert.match(required, /SOL Network fee on Solana – – Missing/)
  const unset = plain((await anna.get('/rates?view=network-fees')).text)
  assert.match(unset, /Solana USDC, USDT – – Not set/)
  const set = await anna.post('/rates/-/network-fee', { network: 'SOLANA', fee: '5000' })
  assert.equal(set.status, 303)
  assert.deepEqual(await actionsBy('network-fees set'), ['operator:anna'])
  const shown = plain((await anna.get('/rates?view=network-fees')).text)
  assert.match(shown, /Solana USDC, USDT 0\.000005 SOL 5000 Active/)
  const refused = await anna.post('/rates/-/network-fee', { network: 'SOLANA', fee: '0.1' })
  assert.match(refused.text, /fee is a whole number of 1e-9 SOL/)
})

test('CFG-30 CORE-92 a UMA provider is added, blocked and removed', async () => {
  const fields = { domain: 'pay.example.com', name: 'Pay', regions: 'US', currencies: 'USD' }
  const sandbox = { ...fields, environment: 'SANDBOX', blocked: 'on' }
  assert.equal((await anna.post('/uma-providers/-/add', sandbox)).status, 303)
  assert.ok(!(await anna.get('/uma-providers')).text.includes('pay.example.com'))
  const page = `/uma-providers/${encodeURIComponent('SANDBOX:pay.example.com')}`
  assert.match((await anna.get(page)).text, /Blocked<\/span>/)
  assert.equal((await anna.post(`${page}/remove`)).status, 303)
  assert.equal((await anna.get(page)).status, 404)
  assert.deepEqual(await actionsBy('uma-providers'), ['operator:anna', 'operator:anna'])
  const odd = await anna.post('/uma-providers/-/add', { ...sandbox, regions: 'XX' })
  assert.equal(odd.status, 400)
  assert.match(odd.text, /regions: unknown XX/)
})

test('CUST-30 CORE-92 terms are published once, and every version stays readable', async () => {
  const typed = { version: 'V7', text: '## Fees\r\n\r\nThere are <none>.' }
  assert.equal((await anna.post('/terms/-/publish', typed)).status, 303)
  assert.match((await anna.get('/terms')).text, /V7<\/a>[^]*?Active<\/span>/)
  assert.ok((await anna.get('/terms/V7')).text.includes('## Fees\n\nThere are &lt;none&gt;.'))
  assert.deepEqual(await actionsBy('terms publish'), ['operator:anna'])
  const again = await anna.post('/terms/-/publish', typed)
  assert.equal(again.status, 409)
  assert.match(again.text, /Nothing was changed\.[^]*VERSION_EXISTS/)
  assert.equal((await anna.get('/terms/V%00')).status, 404)
  await assert.rejects(operate(kit, 'terms publish --version V8'), /Give --file or --text/)
})

test('STBL-1 CORE-92 a stablecoin is disabled, and its link to the issuer revoked', async () => {
  const { api, platformId } = await kit.platform()
  const coin = await newStablecoin(api)
  const [id, linkId] = [coin.id, coin.stablecoinProviderAccountId]
  const narrowed = `?platform=${encodeURIComponent(platformId)}`
  const page = `/stablecoins/${encodeURIComponent(id)}`
  assert.match((await anna.get('/stablecoins')).text, /Choose a platform above/)
  assert.ok((await anna.get(`/stablecoins${narrowed}`)).text.includes(id.slice(-36)))
  const disabled = await anna.post(`${page}/set-status${narrowed}`, { status: 'DISABLED' })
  assert.equal(disabled.status, 303)
  const shown = expectStatus(await api.get(`${COINS}/${id}`), 200)
  assert.equal(shown.serviceOperationsStatus, 'DISABLED')
  const odd = await anna.post(`${page}/set-status${narrowed}`, { status: 'ODD' })
  assert.equal(odd.status, 400)
  const link = `/stablecoin-links/${encodeURIComponent(linkId)}`
  assert.equal((await anna.post(`${link}/revoke${narrowed}`)).status, 303)
  assert.equal(expectStatus(await api.get(`${LINKS}/${linkId}`), 200).status, 'REVOKED')
  const again = await anna.post(`${link}/revoke${narrowed}`)
  assert.ok(again.status >= 400 && again.text.includes('Nothing was changed.'))
  assert.deepEqual(await actionsBy('stablecoins'), ['operator:anna', 'operator:anna'])
})
