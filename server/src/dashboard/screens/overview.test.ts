import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, openReceiver } from '../../../test/kit/outside/connect-receiver.ts'
import { emitEvents } from '../../../test/kit/outside/emit-event.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { openDashboard, visitorWith } from '../../../test/kit/pages/dashboard.ts'
import { operate } from '../../../test/kit/operator.ts'
import { payer } from '../../../test/kit/payments.ts'
import { invited } from '../../../test/kit/setups/operators.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { addMs, MINUTE_MS } from '../../kernel/clock.ts'
import { newUuid } from '../../kernel/ids.ts'
import { refreshFigures } from '../../operator/figures/refresh.ts'

const kit = await startOwnKit({ ADMIN_PORT: '8081' })
const { db, clock } = kit.florin.deps
const board = await openDashboard(kit)
const [acme, north] = [await kit.platform({ name: 'Acme Pay' }), await kit.platform()]
for (const platform of [acme, north, north]) await payer(platform)
// Balances are those of two minutes ago.
await refreshFigures({ db, clock: { now: () => addMs(clock.now(), 2 * MINUTE_MS) } })
const anna = await board.signIn('anna')

const pageOf = async (path: string): Promise<string> => {
  const { status, text } = await anna.get(path)
  assert.equal(status, 200, text)
  return text.replaceAll(/\s+/g, ' ')
}

test('OPER-111 the plots show the range and the platform of the address', async () => {
  const page = await pageOf('/')
  assert.match(page, /aria-label="Payments: 3: 100 % completed\."/)
  assert.match(page, /aria-label="Balances in USD: [^"]*, 3,000\.00 USD at the end\."/)
  for (const id of ['cards', 'webhooks', 'backlog', 'health', 'volume-USD'])
    assert.ok(page.includes(`id="plot-${id}"`), id)
  const narrowed = await pageOf(`/?range=30d&platform=${acme.platformId}`)
  assert.match(narrowed, /aria-label="Payments: 1: 100 % completed\."/)
  assert.match(narrowed, /aria-current="true" >30 days</)
  // Unknown ranges are as none.
  assert.match(await pageOf('/?range=7y'), /aria-current="true" >24 hours</)
})

test('OPER-111 the numbers of a plot are a file', async () => {
  const { headers, text } = await anna.get(
    `/figures/volume-USD.csv?range=90d&platform=${acme.platformId}`,
  )
  assert.match(headers.get('content-type') ?? '', /^text\/csv/)
  const lines = text.trim().split('\r\n')
  assert.equal(lines[0], 'Time (UTC),Paid out,Paid in')
  assert.equal(lines.length, 91)
  assert.match(lines.at(-1) ?? '', /^\d\d-\d\d,0\.00 USD,"1,000\.00 USD"$/)
  assert.equal((await anna.get('/figures/nothing.csv')).status, 404)
})

test('OPER-3 OPER-111 an operator limited to platforms sees the figures and troubles of these alone', async () => {
  const limited = await invited(kit, 'Petra', 'VIEWER', '--platform', acme.platformId)
  const petra = visitorWith((await board.signIn(limited.name)).cookie, board)
  const page = (await petra.get('/')).text.replaceAll(/\s+/g, ' ')
  assert.match(page, /aria-label="Payments: 1: 100 % completed\."/)
  assert.ok(!page.includes('id="health"'))
})

test('OPER-111 the overview says that all is well, until a webhook fails or a job is dead', async () => {
  assert.match(await pageOf('/'), /All is well\./)
  const receiver = await openReceiver()
  await connect(acme, receiver)
  receiver.answer(500)
  await emitEvents(kit, acme, [{}])
  await eventually(async () => {
    const page = await pageOf('/')
    assert.ok(!page.includes('All is well'))
    assert.match(page, /Needs attention: 1<.*Webhooks failing.*Acme Pay.*HTTP 500/)
  })
  await db.read.run(
    sql`insert into jobs (platform_id, id, name, payload, due_at, state, attempts, created_at)
        values (${acme.platformId.replace('Platform:', '')}, ${newUuid()}, 'nobody.runs.this', '{}', ${new Date(0)},
          'DEAD', 25, ${new Date(0)})`,
  )
  assert.match(
    await pageOf('/'),
    /Needs attention: 2<.*Dead jobs<\/span> <strong>1<\/strong>\. <a href="\/jobs">/,
  )
  const { ok } = await operate<{ ok: boolean }>(kit, 'doctor')
  assert.equal(ok, false)
})
