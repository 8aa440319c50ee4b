import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { createHostResolver } from './resolve-host.ts'

const TYPE_A = 1
const TYPE_AAAA = 28

/** A name server: answers from the records given, "no such name" for every other name. */
async function serveNames(records: Record<string, { type: number; data: number[] }[]>) {
  const asked: string[] = []
  const server = createSocket('udp4')
  server.on('message', (query, peer) => {
    const { name, type, end } = readQuestion(query)
    asked.push(`${name} ${type}`)
    const known = records[name]
    const answers = (known ?? []).filter((record) => record.type === type)
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8180 | (known === undefined ? 3 : 0), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(answers.length, 6)
    const rows = answers.map((answer) => {
      const fixed = [0xc0, 12, 0, answer.type, 0, 1, 0, 0, 0, 0, 0, answer.data.length]
      return Buffer.from([...fixed, ...answer.data])
    })
    const reply = Buffer.concat([header, query.subarray(12, end), ...rows])
    server.send(reply, peer.port, peer.address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return { address: `127.0.0.1:${server.address().port}`, asked }
}

function readQuestion(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

test('CORE-94 a name resolves to all its IPv4 addresses, or else to its IPv6 ones', async () => {
  const { address } = await serveNames({
    'both.test': [
      { type: TYPE_A, data: [93, 184, 216, 34] },
      { type: TYPE_A, data: [10, 0, 0, 1] },
      { type: TYPE_AAAA, data: [0x26, 6, ...Array<number>(13).fill(0), 1] },
    ],
    'six.test': [{ type: TYPE_AAAA, data: [0x26, 6, ...Array<number>(13).fill(0), 1] }],
  })
  const resolveHost = createHostResolver([address])
  assert.deepEqual([...(await resolveHost('both.test'))].sort(), ['10.0.0.1', '93.184.216.34'])
  assert.deepEqual(await resolveHost('six.test.'), ['2606::1'])
})

test('CORE-94 every call resolves the name again', async () => {
  const { address, asked } = await serveNames({ 'a.test': [{ type: TYPE_A, data: [1, 1, 1, 1] }] })
  const resolveHost = createHostResolver([address])
  await resolveHost('a.test')
  await resolveHost('a.test')
  assert.deepEqual(asked, ['a.test 1', 'a.test 1'])
})

test('CORE-94 a name without an address, or without a name server, is an error', async () => {
  const { address } = await serveNames({ 'empty.test': [] })
  await assert.rejects(createHostResolver([address])('missing.test'))
  await assert.rejects(createHostResolver([address])('empty.test'))
  const silent = createSocket('udp4')
  silent.bind(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address()
  await new Promise<void>((resolve) => silent.close(resolve))
  await assert.rejects(createHostResolver([`127.0.0.1:${port}`])('any.test'))
})

test('CORE-94 addresses and localhost are not asked for', async () => {
  const { address, asked } = await serveNames({})
  const resolveHost = createHostResolver([address])
  assert.deepEqual(await resolveHost('8.8.8.8'), ['8.8.8.8'])
  assert.deepEqual(await resolveHost('[::1]'), ['::1'])
  for (const name of ['localhost', 'localhost.', 'hooks.localhost']) {
    assert.deepEqual(await resolveHost(name), ['127.0.0.1', '::1'], name)
  }
  assert.deepEqual(asked, [])
  await assert.rejects(resolveHost('notlocalhost'))
})
