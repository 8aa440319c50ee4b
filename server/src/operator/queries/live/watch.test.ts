import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { createAdminServer } from '../../../app/admin-server.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { openDashboard, visitorWith } from '../../../../test/kit/pages/dashboard.ts'
import { fund, platformAccount } from '../../../../test/kit/payments.ts'
import { invited } from '../../../../test/kit/setups/operators.ts'
import { watchRoundTrips } from '../../../../test/kit/database/round-trips.ts'

const kit = await startOwnKit({ ADMIN_PORT: '8081' })
const acme = await kit.platform({ name: 'Acme Pay' })
const north = await kit.platform({ name: 'Northwind' })
const board = await openDashboard(kit)
const anna = await invited(kit, 'Anna', 'ADMIN')
const [acmeAccount, northAccount] = [
  await platformAccount(acme, 'USD'),
  await platformAccount(north, 'USD'),
]

type Stream = {
  readonly status: number
  readonly type: string | undefined
  /** The rows that were sent, one text for each time. */
  readonly sent: string[]
  isOver: boolean
  leave(): void
}

const leaving = new Set<() => void>()
after(() => {
  for (const leave of leaving) leave()
})

/** Over a connection of its own, which ends with the stream. */
async function open(session: string, path: string, origin = board.origin): Promise<Stream> {
  const cookie = `florin_dashboard=${session}`
  const request = get(new URL(path, origin), { agent: false, headers: { cookie } })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  const leave = (): void => void request.destroy()
  leaving.add(leave)
  const { statusCode: status = 0, headers } = answer
  const stream: Stream = { status, type: headers['content-type'], sent: [], isOver: false, leave }
  const read = async (): Promise<void> => {
    let text = ''
    for await (const part of answer.setEncoding('utf8')) {
      const frames = `${text}${String(part)}`.split('\n\n')
      text = frames.pop() ?? ''
      for (const frame of frames.filter((one) => one.startsWith('data: ')))
        stream.sent.push(JSON.parse(frame.slice('data: '.length)) as string)
    }
  }
  const end = (): void => void (stream.isOver = true)
  void read().then(end, end)
  return stream
}

const shows = (stream: Stream, amount: string) =>
  eventually(async () => assert.ok(stream.sent.at(-1)?.includes(amount), amount))

test('OPER-125 an open list is sent its rows at first, and again after a change', async () => {
  const stream = await open(anna.session, '/transactions/-/live?currency=USD')
  assert.deepEqual([stream.status, stream.type], [200, 'text/event-stream; charset=utf-8'])
  await eventually(async () => assert.equal(stream.sent.length, 1))
  await fund(acme, acmeAccount, 12_345)
  await shows(stream, '123.45 USD')
  await fund(north, northAccount, 54_321)
  await shows(stream, '543.21 USD')
  stream.leave()
})

test('OPER-125 OPER-3 a reader hears of its own platforms alone', async () => {
  const petra = await invited(kit, 'Petra', 'VIEWER', '--platform', acme.platformId)
  const stream = await open(petra.session, '/transactions/-/live')
  const narrowed = await open(
    anna.session,
    `/transactions/-/live?platform=${encodeURIComponent(acme.platformId)}`,
  )
  await eventually(async () => assert.deepEqual([stream.sent.length, narrowed.sent.length], [1, 1]))
  await fund(north, northAccount, 77_700)
  await fund(acme, acmeAccount, 88_800)
  for (const one of [stream, narrowed]) {
    await shows(one, '888.00 USD')
    assert.ok(one.sent.every((rows) => !rows.includes('777.00 USD')))
    one.leave()
  }
})

test('OPER-125 a stream ends with its session, and with what its operator may do', async () => {
  const streamOf = async (name: string) => {
    const person = await invited(kit, name, 'VIEWER')
    const stream = await open(person.session, '/events/-/live')
    await eventually(async () => assert.equal(stream.sent.length, 1))
    return { ...person, stream }
  }
  const [olga, dan, rosa] = [await streamOf('Olga'), await streamOf('Dan'), await streamOf('Rosa')]
  await visitorWith(`florin_dashboard=${olga.session}`, board).post('/sign-out')
  await operate(anna.kit, `operators disable ${dan.operatorId}`)
  await operate(anna.kit, `operators update ${rosa.operatorId} --roles REVIEWER`)
  for (const { stream } of [olga, dan, rosa]) await eventually(async () => assert.ok(stream.isOver))
  assert.equal((await open(olga.session, '/events/-/live')).status, 401)
  assert.equal((await open(dan.session, '/events/-/live')).status, 401)
  assert.equal((await open(rosa.session, '/events/-/live')).status, 200)
})

test('OPER-125 a list that one may not read is not streamed', async () => {
  const dora = await invited(kit, 'Dora', 'DEVELOPER', '--platform', acme.platformId)
  assert.equal((await open(dora.session, '/transactions/-/live')).status, 403)
  assert.equal((await open(dora.session, '/requests/-/live')).status, 200)
})

test('OPER-125 all readers are served by one look at the database', async () => {
  for (const leave of leaving) leave()
  const { transactionWith, stop } = watchRoundTrips()
  const paths = ['/transactions/-/live', '/requests/-/live', '/deposits/-/live', '/cards/-/live']
  const streams = await Promise.all(paths.map((path) => open(anna.session, path)))
  const wanted = /from transactions[^]*from cards[^]*from deposits[^]*from request_log/
  await eventually(async () => {
    const [look = ''] = transactionWith(/from platforms p where true/).flat()
    assert.match(look, wanted)
  })
  stop()
  for (const stream of streams) stream.leave()
})

test('OPER-125 a stream ends when the service stops', async () => {
  const { deps, metrics } = kit.florin
  const admin = createAdminServer({ deps, metrics })
  const origin = await admin.listen({ host: '127.0.0.1', port: 0 })
  const stream = await open(anna.session, '/transactions/-/live', origin)
  await eventually(async () => assert.equal(stream.sent.length, 1))
  await admin.close()
  await eventually(async () => assert.ok(stream.isOver))
})

test('OPER-125 HOOK-104 readers that leave before they are answered take no place', async () => {
  const { port, hostname } = new URL(board.origin)
  const lines = [
    'GET /transactions/-/live HTTP/1.1',
    `Host: ${hostname}:${port}`,
    `Cookie: florin_dashboard=${anna.session}`,
  ]
  const leave = async (): Promise<void> => {
    const socket = connect(Number(port), hostname)
    socket.write(`${lines.join('\r\n')}\r\n\r\n`, () => socket.destroy())
    await once(socket, 'close')
  }
  await Promise.all(Array.from({ length: 20 }, leave))
  // Those that left were asked first, so they have been looked at when this one is answered.
  const stream = await open(anna.session, '/transactions/-/live')
  assert.equal(stream.status, 200)
  stream.leave()
})

test('OPER-125 without script the list has a link that loads it again', async () => {
  const visitor = visitorWith(`florin_dashboard=${anna.session}`, board)
  const page = await visitor.get('/transactions?currency=USD')
  assert.match(page.text, /<a href="\/transactions\?currency=USD">Reload<\/a>/)
  assert.match(page.text, /data-live="\/transactions\/-\/live\?currency=USD"/)
  assert.doesNotMatch((await visitor.get('/jobs')).text, /data-live/)
})
