import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serveHttp } from '../../../test/kit/outside/loopback-server.ts'
import { createGuardedFetch } from './ssrf.ts'
import type { OutgoingRequest } from './ssrf.ts'

type Guarding = Parameters<typeof createGuardedFetch>[0]

function open(options: Guarding) {
  const guarded = createGuardedFetch(options)
  after(() => guarded.close())
  return (url: string, rest: Partial<OutgoingRequest> = {}) =>
    guarded.fetch({ method: 'GET', url, timeoutMs: 5_000, bodyBytesMax: 1_000, ...rest })
}

/** Names for loopback addresses, as a name server would give them. */
function named(...addresses: string[]): Guarding {
  return { allowLoopback: true, resolveHost: () => Promise.resolve(addresses) }
}

test('CORE-94 in production loopback is refused, and nothing is connected', async () => {
  const server = await serveHttp((_request, response) => response.end())
  const fetch = open({ allowLoopback: false })
  for (const host of [
    '127.0.0.1',
    'localhost',
    'a.localhost',
    '[::1]',
    '2130706433',
    '0x7f.1',
    '127.1',
  ]) {
    const outcome = await fetch(`http://${host}:${server.port}/`)
    assert.deepEqual(
      outcome,
      {
        ok: false,
        kind: 'refused-target',
        message: 'The host name or address is not public (loopback).',
      },
      host,
    )
  }
  assert.equal(server.connections(), 0)
})

test('CORE-94 the service itself is reached by no call, also where loopback is allowed', async () => {
  const [own, other] = await Promise.all(
    [1, 2].map(() => serveHttp((_request, response) => response.end('here'))),
  )
  assert.ok(own && other)
  const fetch = open({ allowLoopback: true, ownPorts: [own.port] })
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.1']) {
    assert.deepEqual(
      await fetch(`http://${host}:${own.port}/metrics`),
      { ok: false, kind: 'refused-target', message: 'The address is this service itself.' },
      host,
    )
  }
  assert.equal(own.connections(), 0)
  assert.equal((await fetch(other.url)).ok, true)
})

test('CORE-94 sandbox platforms may use loopback, by address and by name', async () => {
  const server = await serveHttp((_request, response) => response.end('here'))
  const fetch = open({ allowLoopback: true })
  for (const host of ['127.0.0.1', 'localhost', 'hooks.localhost']) {
    const outcome = await fetch(`http://${host}:${server.port}/`)
    assert.ok(outcome.ok, host)
    assert.equal(outcome.body.toString(), 'here')
  }
})

test('CORE-94 sandbox platforms may use nothing else of the service’s network', async () => {
  const fetch = open({ allowLoopback: true })
  const targets = [
    '10.0.0.1',
    '169.254.169.254',
    '[fd00:ec2::254]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
  ]
  for (const target of targets) {
    const outcome = await fetch(`http://${target}/latest/meta-data`)
    assert.ok(!outcome.ok && outcome.kind === 'refused-target', target)
  }
})

test('CORE-94 a name is judged by the addresses it resolves to, one forbidden one forbids them all', async () => {
  const server = await serveHttp((_request, response) => response.end())
  for (const addresses of [['10.0.0.1'], ['127.0.0.1', '10.0.0.1'], ['127.0.0.1', 'fe80::1%lo']]) {
    const outcome = await open(named(...addresses))(`http://hook.test:${server.port}/`)
    assert.ok(!outcome.ok && outcome.kind === 'refused-target', addresses.join())
  }
  assert.equal(server.connections(), 0)
})

test('CORE-94 the connection goes to the very address that was checked, under the name asked for', async () => {
  const hosts: (string | undefined)[] = []
  const server = await serveHttp((request, response) => {
    hosts.push(request.headers.host)
    response.end()
  })
  const outcome = await open(named('127.0.0.1'))(`http://hook.test:${server.port}/`)
  assert.ok(outcome.ok, 'no name server knows hook.test: only the checked address leads there')
  assert.deepEqual(hosts, [`hook.test:${server.port}`])
})

test('CORE-94 a name that turns to a forbidden address is refused, though a connection is still open', async () => {
  const server = await serveHttp((_request, response) => response.end())
  const answers = [['127.0.0.1'], ['10.0.0.1']]
  const fetch = open({
    allowLoopback: true,
    resolveHost: () => Promise.resolve(answers.shift() ?? []),
  })
  const first = await fetch(`http://hook.test:${server.port}/`)
  const second = await fetch(`http://hook.test:${server.port}/`)
  assert.ok(first.ok)
  assert.ok(!second.ok && second.kind === 'refused-target')
  assert.equal(answers.length, 0, 'resolved once for each call')
  assert.equal(server.connections(), 1)
})

test('CORE-94 only http and https addresses without credentials are called', async () => {
  const fetch = open({ allowLoopback: true })
  const targets = [
    ...['ftp://127.0.0.1/', 'file:///etc/passwd', 'data:,x', 'javascript:0', 'gopher://127.0.0.1/'],
    ...['127.0.0.1', '//127.0.0.1', '', 'http://', 'http://u:p@127.0.0.1/', 'https://u@127.0.0.1/'],
  ]
  for (const target of targets) {
    const outcome = await fetch(target)
    assert.ok(!outcome.ok && outcome.kind === 'refused-target', target)
  }
})

test('CORE-94 a redirect is not followed: it is the answer', async () => {
  const target = await serveHttp((_request, response) => response.end())
  const server = await serveHttp((_request, response) => {
    response.writeHead(302, { location: target.url }).end('moved')
  })
  const outcome = await open({ allowLoopback: true })(server.url)
  assert.ok(outcome.ok)
  assert.equal(outcome.status, 302)
  assert.equal(outcome.headers.location, target.url)
  assert.equal(target.connections(), 0)
})

test('CORE-94 the next address is tried while none could be reached, not after that', async () => {
  const server = await serveHttp((request, response) => {
    if (request.url === '/broken') request.socket.destroy()
    else response.end()
  })
  const reached = await open(named('::1', '127.0.0.1'))(`http://hook.test:${server.port}/`)
  assert.ok(reached.ok, 'nobody listens on the first address')
  assert.equal(server.connections(), 1)

  const twice = open(named('127.0.0.1', '127.0.0.1'))
  const failed = await twice(`http://hook.test:${server.port}/broken`)
  assert.ok(
    !failed.ok && failed.kind === 'connect',
    'the first address took the call and broke off',
  )
  assert.equal(server.connections(), 2)
})

test('CORE-94 a name without address, or one that does not resolve, fails to connect', async () => {
  const empty = await open(named())('http://hook.test/')
  assert.ok(!empty.ok && empty.kind === 'connect')
  const unknown = await open({
    allowLoopback: true,
    resolveHost: () => Promise.reject(new Error('queryA ENOTFOUND internal.name')),
  })('http://hook.test/')
  assert.deepEqual(unknown, {
    ok: false,
    kind: 'connect',
    message: 'The host name could not be resolved.',
  })
})

test('CORE-94 the time limit covers a name server that does not answer', async () => {
  const fetch = open({ allowLoopback: true, resolveHost: () => new Promise(() => undefined) })
  const outcome = await fetch('http://hook.test/', { timeoutMs: 30 })
  assert.ok(!outcome.ok && outcome.kind === 'timeout')
})

test('calls that may arrive twice share a connection, others have their own', async () => {
  const server = await serveHttp((_request, response) => response.end('ok'))
  const fetch = open({ allowLoopback: true })
  await fetch(server.url)
  await fetch(server.url)
  await fetch(server.url, { method: 'POST', body: '{}', isRepeatable: true })
  assert.equal(server.connections(), 1)
  await fetch(server.url, { method: 'POST', body: '{}' })
  await fetch(server.url, { method: 'POST', body: '{}' })
  assert.equal(server.connections(), 3)
})

test('a kept connection that has died costs a repeatable call nothing', async () => {
  let calls = 0
  const server = await serveHttp((request, response) => {
    calls += 1
    if (calls === 2) request.socket.destroy()
    else response.end(`call ${calls}`)
  })
  const fetch = open({ allowLoopback: true })
  const repeatable = { method: 'POST', body: '{}', isRepeatable: true }
  await fetch(server.url, repeatable)
  const outcome = await fetch(server.url, repeatable)
  assert.ok(outcome.ok)
  assert.equal(outcome.body.toString(), 'call 3')
  assert.equal(server.connections(), 2)
})

test('of many calls at once 32 connections to a host are kept', async () => {
  let connected = 0
  const { promise: allThere, resolve: noteAllThere } = Promise.withResolvers<void>()
  const { promise: eightClosed, resolve: noteEightClosed } = Promise.withResolvers<void>()
  const server = await serveHttp((request, response) => {
    connected += 1
    if (connected === 40) noteAllThere()
    request.socket.on('close', () => {
      connected -= 1
      if (connected === 32) noteEightClosed()
    })
    void allThere.then(() => response.end())
  })
  const fetch = open({ allowLoopback: true })
  await Promise.all(Array.from({ length: 40 }, () => fetch(server.url)))
  await eightClosed
  await Promise.all(Array.from({ length: 32 }, () => fetch(server.url)))
  assert.equal(server.connections(), 40)
})

test('closing ends kept connections and calls under way', async () => {
  const guarded = createGuardedFetch({ allowLoopback: true })
  const { promise: closed, resolve: noteClosed } = Promise.withResolvers<void>()
  const server = await serveHttp((request, response) => {
    if (request.url === '/hang') {
      guarded.close()
      return
    }
    request.socket.on('close', noteClosed)
    response.end()
  })
  const request = { timeoutMs: 5_000, bodyBytesMax: 10 }
  assert.ok((await guarded.fetch({ ...request, method: 'GET', url: server.url })).ok)
  const outcome = await guarded.fetch({ ...request, method: 'PUT', url: `${server.url}/hang` })
  assert.ok(!outcome.ok && outcome.kind === 'connect')
  await closed
})

test('closing ends a call on a kept connection; it is not sent again, nor is another one', async () => {
  let requests = 0
  const server = await serveHttp((_request, response) => {
    requests += 1
    if (requests === 1) response.end()
  })
  const guarded = createGuardedFetch({ allowLoopback: true })
  const send = () =>
    guarded.fetch({ method: 'GET', url: server.url, timeoutMs: 5_000, bodyBytesMax: 10 })
  assert.ok((await send()).ok)
  const hanging = send()
  while (requests < 2) await new Promise((resolve) => setImmediate(resolve))
  guarded.close()
  const stopping = { ok: false, kind: 'connect', message: 'The service is stopping.' }
  assert.deepEqual(await hanging, stopping)
  assert.deepEqual(await send(), stopping)
  assert.equal(requests, 2)
})
