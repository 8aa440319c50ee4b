import assert from 'node:assert/strict'
import { test } from 'node:test'
import { items } from '../../../test/kit/api.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { openDashboard, visitorWith } from '../../../test/kit/pages/dashboard.ts'
import { invited } from '../../../test/kit/setups/operators.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { mustParseId } from '../../kernel/ids.ts'

const kit = await startOwnKit({ ADMIN_PORT: '8081' })
const platform = await kit.platform({ name: 'Acme Pay' })
const other = await kit.platform({ name: 'Northwind' })
const board = await openDashboard(kit)
const anna = await invited(kit, 'Anna', 'ADMIN')
const visitor = visitorWith(`florin_dashboard=${anna.session}`, board)

const ROWS = 250
const START = '2026-01-01T00:00:00.000Z'

/** Payment n is of n dollars, in minute n; of every tenth the rail is SEPA. */
const addPayments = (platformId: string) =>
  kit.florin.deps.db.read.run(
    sql`insert into transactions (platform_id, id, type, status, source, destination, payment_rail, sent_amount,
          sent_currency, created_at, updated_at)
        select ${mustParseId('platform', platformId)}, gen_random_uuid(), 'OUTGOING', 'COMPLETED',
          '{"sourceType": "UMA_ADDRESS", "umaAddress": "$ann@acme.example"}',
          '{"destinationType": "UMA_ADDRESS", "umaAddress": "=ben@north.example"}',
          case when n % 10 = 0 then 'SEPA' else 'ACH' end, n * 100, 'USD',
          ${new Date(START)}::timestamptz + n * interval '1 minute', ${new Date(START)}
        from generate_series(1, ${ROWS}) n`,
  )
await addPayments(platform.platformId)
await addPayments(other.platformId)

const of = `platform=${encodeURIComponent(platform.platformId)}`
const amountsIn = (page: string): string[] =>
  [...page.matchAll(/>([\d,]+\.00) USD</g)].map(([, amount = '']) => amount)

test('OPER-120 filters stand in the address, combine and stay in the form and in the next page', async () => {
  const query = `${of}&since=2026-01-01&until=2026-01-01&currency=USD&amount-min=5&rail=SEPA`
  const page = await visitor.get(`/transactions?${query}&amount-max=40`)
  assert.deepEqual(amountsIn(page.text), ['40.00', '30.00', '20.00', '10.00'])
  assert.match(page.text, /value="2026-01-01"[^>]*type="date"/)
  assert.match(page.text, /<option value="SEPA" selected>/)
  assert.match(page.text, new RegExp(`<a href="/transactions\\?platform=[^&"]+">Clear</a>`))
  const long = await visitor.get(`/transactions?${of}&rail=ACH`)
  const next = (/href="([^"]+)" rel="next"/.exec(long.text)?.[1] ?? '').replaceAll('&amp;', '&')
  assert.match(next, /rail=ACH/)
  const second = amountsIn((await visitor.get(next)).text)
  assert.equal(second.length, 50)
  assert.ok(second.every((amount) => !amount.endsWith('0.00')))
})

test('OPER-120 a bad filter is named above the form, which keeps what was typed', async () => {
  const page = await visitor.get(`/transactions?${of}&since=soon&amount-min=5`)
  assert.equal(page.status, 400)
  assert.match(page.text, /role="alert">From \(UTC\) is a day as 2026-01-31/)
  assert.match(page.text, /value="soon"/)
  const amount = await visitor.get(`/transactions?${of}&amount-min=5`)
  assert.match(amount.text, /role="alert">Currency is needed with an amount\./)
  assert.equal((await visitor.get(`/transactions.csv?${of}&since=soon`)).status, 400)
})

test('OPER-121 a list is had as CSV as a whole, with exact values and nothing that a spreadsheet runs', async () => {
  const page = await visitor.get(`/transactions?${of}&rail=ACH`)
  const href = /href="(\/transactions\.csv[^"]+)"/.exec(page.text)?.[1] ?? ''
  const file = await visitor.get(href.replaceAll('&amp;', '&'))
  assert.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.match(
    file.headers.get('content-disposition') ?? '',
    /^attachment; filename="transactions-\d{4}-\d\d-\d\d\.csv"$/,
  )
  const [head = '', ...lines] = file.text.trimEnd().split('\r\n')
  assert.match(head, /^Id,Transaction,Payer → payee,Status,Type,Sent,Sent: currency,/)
  assert.equal(lines.length, ROWS * 0.9, 'more than one page, none twice')
  assert.equal(new Set(lines).size, lines.length)
  const [newest = ''] = lines
  assert.match(newest, /^Transaction:[0-9a-f-]{36},/)
  assert.match(newest, /,COMPLETED,OUTGOING,249\.00,USD,/)
  assert.match(newest, /,2026-01-01T04:09:00\.000Z/)
})

test('OPER-121 OPER-3 a CSV file has what its reader may see, and no more', async () => {
  const petra = await invited(kit, 'Petra', 'VIEWER', '--platform', platform.platformId)
  const limited = visitorWith(`florin_dashboard=${petra.session}`, board)
  const file = await limited.get('/transactions.csv?rail=SEPA&currency=USD')
  assert.equal(file.text.trimEnd().split('\r\n').length, 1 + ROWS / 10)
  assert.ok(!file.text.includes('Northwind'))
  const dora = await invited(kit, 'Dora', 'DEVELOPER', '--platform', platform.platformId)
  const developer = visitorWith(`florin_dashboard=${dora.session}`, board)
  assert.equal((await developer.get('/transactions.csv')).status, 403)
  assert.equal((await board.send('/transactions.csv')).status, 401)
})

test('OPER-124 filters are kept under a name, for the one who keeps them, and deleted', async () => {
  const page = await visitor.get(`/transactions?${of}&rail=SEPA`)
  assert.doesNotMatch((await visitor.get('/transactions')).text, /save-filter/)
  const query = /name="query" value="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  assert.match(query, /rail=SEPA/)
  const saved = await visitor.post('/transactions/-/save-filter', { name: 'Euro <rail>', query })
  assert.equal(saved.headers.get('location'), `/transactions?${query}`)
  const { text: list } = await visitor.get('/transactions')
  assert.ok(list.includes(`href="/transactions?${query.replaceAll('&', '&amp;')}"`))
  assert.match(list, />Euro &lt;rail&gt;</)
  assert.ok(!(await visitor.get('/quotes')).text.includes('Euro &lt;rail&gt;'))
  const mine = { section: 'transactions', name: 'Euro <rail>', query }
  assert.deepEqual(await operate(anna.kit, 'filters list'), [mine])
  const ben = await invited(kit, 'Ben', 'VIEWER')
  assert.deepEqual(await operate(ben.kit, 'filters list'), [])
  const theirs = 'filters delete --section transactions --name'
  await assert.rejects(operate(ben.kit, theirs, 'Euro <rail>'), { code: 'REFERENCE_NOT_FOUND' })
  await operate(
    anna.kit,
    'filters save --section transactions --query status=FAILED --name',
    mine.name,
  )
  const [replaced, ...rest] = items(await operate(anna.kit, 'filters list --section transactions'))
  assert.deepEqual([replaced?.['query'], rest.length], ['status=FAILED', 0])
  await visitor.post('/transactions/-/delete-filter', { name: mine.name })
  assert.deepEqual(await operate(anna.kit, 'filters list'), [])
})

test('OPER-124 what no list can have is not kept, nor more than a hundred', async () => {
  for (const [options, says] of [
    [['--section', '/etc', '--name', 'x', '--query', 'a=b'], /--section/],
    [['--section', 'quotes', '--name', ' ', '--query', 'a=b'], /--name/],
    [['--section', 'quotes', '--name', 'x', '--query', ''], /--query/],
    [['--section', 'quotes', '--name', 'x', '--query', `a=${'b'.repeat(2000)}`], /--query/],
  ] as const)
    await assert.rejects(operate(anna.kit, 'filters save', ...options), says)
  for (let made = 0; made < 100; made += 1)
    await operate(anna.kit, `filters save --section quotes --query a=${made} --name n${made}`)
  const line = 'filters save --section quotes --query a=b --name'
  await assert.rejects(operate(anna.kit, `${line} more`), /at most 100/)
  await operate(anna.kit, `${line} n5`)
  const refused = await visitor.post('/quotes/-/save-filter', { name: 'more', query: 'a=b' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /at most 100 are kept/)
})

test('OPER-120 a filter or a field that cannot be stored is refused in words', async () => {
  const listed = await visitor.get('/audit?action=a%00b')
  assert.equal(listed.status, 400)
  assert.match(listed.text, /must not contain U\+0000/)
  const fields = { name: 'a\u0000b', kind: 'UNREGULATED', currencies: 'USD' }
  const made = await visitor.post('/platforms/-/create', fields)
  assert.equal(made.status, 400)
  assert.match(made.text, /must not contain U\+0000/)
})
