import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:net'
import { Readable, pipeline } from 'node:stream'
import { after, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { serveBytes, serveHttp, serveHttps } from '../../../test/kit/outside/loopback-server.ts'
import { selfSignedCertificate } from '../../../test/kit/outside/self-signed-certificate.ts'
import { createGuardedFetch } from './ssrf.ts'
import type { OutgoingRequest } from './ssrf.ts'

const guarded = createGuardedFetch({
  allowLoopback: true,
  resolveHost: (hostname) => Promise.resolve([/^127\./.test(hostname) ? hostname : '127.0.0.1']),
})
after(() => guarded.close())

function fetch(url: string, rest: Partial<OutgoingRequest> = {}) {
  return guarded.fetch({ method: 'GET', url, timeoutMs: 5_000, bodyBytesMax: 1_000, ...rest })
}

async function kindOf(url: string, rest: Partial<OutgoingRequest> = {}): Promise<string> {
  const outcome = await fetch(url, rest)
  return outcome.ok ? `answer ${outcome.status}` : outcome.kind
}

function* endlessly(text: string) {
  while (true) yield text
}

test('method, path, query, headers and body arrive as given, and the answer comes back', async () => {
  const server = await serveHttp((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method, url, headers } = request
      response.writeHead(418, { 'x-answer': 'yes' })
      response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }))
    })
  })
  const outcome = await fetch(`${server.url}/a%20b/c?d=1&e=%2F#f`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'florin', host: 'other.test' },
    body: '{"name":"Zoë"}',
  })
  assert.ok(outcome.ok)
  assert.equal(outcome.status, 418)
  assert.equal(outcome.headers['x-answer'], 'yes')
  assert.equal(outcome.truncated, false)
  assert.deepEqual(JSON.parse(outcome.body.toString()), {
    method: 'POST',
    url: '/a%20b/c?d=1&e=%2F',
    headers: {
      'content-type': 'application/json',
      'content-length': '15',
      'user-agent': 'florin',
      host: `127.0.0.1:${server.port}`,
      connection: 'close',
    },
    body: '{"name":"Zoë"}',
  })
})

const FORMS: readonly (readonly [form: string, answer: string, body: string])[] = [
  ['of a given length', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello', 'hello'],
  [
    'in chunks',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n',
    'hello',
  ],
  ['that ends with its connection', 'HTTP/1.1 200 OK\r\n\r\nhello', 'hello'],
  ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nhello', 'hello'],
  ['without a body', 'HTTP/1.1 204 No Content\r\n\r\n', ''],
  [
    'after early hints',
    'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
    'hello',
  ],
]
for (const [form, answer, body] of FORMS) {
  test(`an answer ${form} is read whole, whether its call may be repeated or not`, async () => {
    const server = await serveBytes((socket) => socket.once('data', () => socket.end(answer)))
    for (const isRepeatable of [false, true]) {
      const outcome = await fetch(server.url, { method: 'POST', body: '{}', isRepeatable })
      assert.ok(outcome.ok)
      assert.equal(outcome.status, form === 'without a body' ? 204 : 200)
      assert.equal(outcome.body.toString(), body)
      assert.equal(outcome.truncated, false)
    }
  })
}

test('a header that is repeated is one value', async () => {
  const server = await serveBytes((socket) =>
    socket.once('data', () =>
      socket.end('HTTP/1.1 200 OK\r\nX-Part: a\r\nX-Part: b\r\nContent-Length: 0\r\n\r\n'),
    ),
  )
  const outcome = await fetch(server.url)
  assert.ok(outcome.ok)
  assert.equal(outcome.headers['x-part'], 'a, b')
})

test('CORE-94 a server that never answers runs into the time limit', async () => {
  const server = await serveHttp(() => undefined)
  const outcome = await fetch(server.url, { timeoutMs: 50 })
  assert.deepEqual(outcome, {
    ok: false,
    kind: 'timeout',
    message: 'There was no complete answer within 50 ms.',
  })
})

test('CORE-94 slow headers, a slow body and a trickle run into the same limit', async () => {
  const begun = 'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n'
  const halfHeaders = await serveBytes((socket) => socket.write(begun))
  const halfBody = await serveBytes((socket) => socket.write(`${begun}\r\nhello`))
  const trickle = await serveBytes((socket) => {
    socket.write(`${begun}\r\n`)
    const timer = setInterval(() => socket.write('x'), 10)
    socket.on('close', () => clearInterval(timer))
  })
  for (const { url } of [halfHeaders, halfBody, trickle]) {
    assert.equal(await kindOf(url, { timeoutMs: 100 }), 'timeout')
  }
})

test('HOOK-8 where the body is ignored the status stands, though the body hangs or breaks off', async () => {
  const { promise: closed, resolve: noteClosed } = Promise.withResolvers<void>()
  const begun = 'HTTP/1.1 201 Created\r\nContent-Length: 900\r\n'
  const noHead = await serveBytes((socket) => socket.write(begun))
  const hanging = await serveBytes((socket) => {
    socket.resume().on('close', noteClosed).write(`${begun}\r\nhello`)
  })
  const broken = await serveBytes((socket) =>
    socket.once('data', () => socket.end(`${begun}\r\nh`)),
  )
  const rest = { timeoutMs: 3_000, isBodyIgnored: true }
  assert.equal(await kindOf(noHead.url, { ...rest, timeoutMs: 50 }), 'timeout')
  assert.equal(await kindOf(hanging.url, rest), 'answer 201')
  await closed
  assert.equal(await kindOf(hanging.url, { ...rest, timeoutMs: 200 }), 'answer 201')
  assert.equal(await kindOf(broken.url, rest), 'answer 201')
  assert.equal(await kindOf(broken.url, { ...rest, isBodyIgnored: false }), 'connect')
})

test('CORE-94 a timed-out call leaves no connection behind', async () => {
  const { promise: closed, resolve: noteClosed } = Promise.withResolvers<void>()
  const server = await serveBytes((socket) => void socket.resume().on('close', noteClosed))
  assert.equal(await kindOf(server.url, { timeoutMs: 50 }), 'timeout')
  await closed
})

test('CORE-94 nor does one whose secure connection was still being made', async () => {
  const { promise: closed, resolve: noteClosed } = Promise.withResolvers<void>()
  const server = await serveBytes((socket) => void socket.resume().on('close', noteClosed))
  assert.equal(await kindOf(`https://127.0.0.1:${server.port}/`, { timeoutMs: 50 }), 'timeout')
  await closed
})

test('CORE-94 a body over the limit is cut there, marked, and its connection ended', async () => {
  const { promise: closed, resolve: noteClosed } = Promise.withResolvers<void>()
  const endless = await serveHttp((request, response) => {
    request.socket.on('close', noteClosed)
    pipeline(Readable.from(endlessly('x'.repeat(100_000))), response, () => undefined)
  })
  const outcome = await fetch(endless.url)
  assert.ok(outcome.ok)
  assert.equal(outcome.body.toString(), 'x'.repeat(1_000))
  assert.equal(outcome.truncated, true)
  await closed
})

test('CORE-94 a body of exactly the limit is whole, one byte more is not', async () => {
  const server = await serveHttp((request, response) => {
    response.end('x'.repeat(Number(request.url?.slice(1))))
  })
  for (const [length, truncated] of [
    [0, false],
    [1_000, false],
    [1_001, true],
  ] as const) {
    const outcome = await fetch(`${server.url}/${length}`)
    assert.ok(outcome.ok)
    assert.equal(outcome.truncated, truncated, `${length} bytes`)
    assert.equal(outcome.body.length, length > 1_000 ? 1_000 : length)
  }
})

test('HOOK-11 a connection that is refused or breaks off is a failure to connect', async () => {
  const unused = createServer().listen(0, '127.0.0.1')
  await once(unused, 'listening')
  const { port } = unused.address() as AddressInfo
  await new Promise((resolve) => unused.close(resolve))
  const refused = await fetch(`http://127.0.0.1:${port}/`)
  assert.deepEqual(refused, {
    ok: false,
    kind: 'connect',
    message: 'No connection could be made (ECONNREFUSED).',
  })

  const reset = await serveBytes((socket) => socket.once('data', () => socket.resetAndDestroy()))
  const hangup = await serveBytes((socket) => socket.once('data', () => socket.end()))
  const halfBody = await serveBytes((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello')),
  )
  const halfChunk = await serveBytes((socket) =>
    socket.once('data', () =>
      socket.end(
        'HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhello',
      ),
    ),
  )
  for (const { url } of [reset, hangup, halfBody, halfChunk]) {
    assert.deepEqual(await fetch(url), {
      ok: false,
      kind: 'connect',
      message: 'The connection broke before the answer was complete (ECONNRESET).',
    })
  }
})

test('a call that may not be repeated arrives once, however its answer fails', async () => {
  const failing = [
    (socket: Socket) => socket.resetAndDestroy(),
    (socket: Socket) => socket.end(),
    (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le'),
    (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello'),
    (socket: Socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n'),
    (socket: Socket) => socket.end('SSH-2.0-x\r\n'),
  ]
  for (const fail of failing) {
    const server = await serveBytes((socket) => socket.once('data', () => fail(socket)))
    const outcome = await fetch(server.url, { method: 'POST', body: '{}' })
    assert.equal(outcome.ok, false, fail.toString())
    assert.equal(server.connections(), 1, fail.toString())
  }
})

test('HOOK-11 an answer that is not HTTP, or has endless headers, breaks the protocol', async () => {
  const noHttp = await serveBytes((socket) =>
    socket.once('data', () => socket.end('SSH-2.0-x\r\n')),
  )
  const flood = await serveBytes((socket) =>
    socket.once('data', () => {
      socket.end(`HTTP/1.1 200 OK\r\n${`X-More: ${'x'.repeat(1_000)}\r\n`.repeat(100)}\r\n`)
    }),
  )
  for (const { url } of [noHttp, flood]) assert.equal(await kindOf(url), 'protocol')
})

test('HOOK-8 HOOK-11 an answer that changes to another protocol is a failure, and ends its connection', async () => {
  const { promise: closed, resolve: noteClosed } = Promise.withResolvers<void>()
  const changing = await serveBytes((socket) => {
    socket.on('close', noteClosed).once('data', () => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
    })
  })
  for (const isRepeatable of [false, true]) {
    assert.deepEqual(await fetch(changing.url, { method: 'POST', isRepeatable }), {
      ok: false,
      kind: 'protocol',
      message: 'The answer changes to another protocol.',
    })
  }
  await closed
})

test('HOOK-11 a certificate that nobody vouches for is a failure of TLS', async () => {
  const server = await serveHttps(
    (_request, response) => response.end(),
    selfSignedCertificate(['hook.test', '127.0.0.1']),
  )
  const outcome = await fetch(server.url)
  assert.ok(!outcome.ok)
  assert.equal(outcome.kind, 'tls')
  assert.match(outcome.message, /DEPTH_ZERO_SELF_SIGNED_CERT/)
})

test('HOOK-11 a server that speaks no TLS, or breaks off the handshake, is a failure of TLS', async () => {
  const plain = await serveHttp((_request, response) => response.end())
  const broken = await serveBytes((socket) => socket.once('data', () => socket.destroy()))
  assert.equal(await kindOf(`https://127.0.0.1:${plain.port}/`), 'tls')
  assert.equal(await kindOf(`https://127.0.0.1:${broken.port}/`), 'tls')
})

test('CORE-94 the certificate must be that of the name or address asked for', async () => {
  const certificate = selfSignedCertificate(['hook.test', '127.0.0.1'])
  const trusted = getCACertificates('default')
  setDefaultCACertificates([certificate.certificatePem])
  after(() => setDefaultCACertificates(trusted))
  const server = await serveHttps((_request, response) => response.end('secure'), certificate)

  assert.equal(await kindOf(`https://hook.test:${server.port}/`), 'answer 200')
  assert.equal(await kindOf(`https://hook.test:${server.port}/`), 'answer 200')
  assert.equal(server.connections(), 1, 'secure connections are kept as well')
  assert.equal(await kindOf(`https://127.0.0.1:${server.port}/`), 'answer 200')
  assert.equal(await kindOf(`https://other.test:${server.port}/`), 'tls', 'no reuse across names')
})

test('many calls on one kept connection pile up no listeners', async () => {
  const server = await serveHttp((_request, response) => response.end())
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  after(() => process.off('warning', note))
  for (let call = 0; call < 30; call += 1) assert.equal(await kindOf(server.url), 'answer 200')
  assert.equal(server.connections(), 1)
  assert.deepEqual(warnings, [])
})
