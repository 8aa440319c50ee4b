import assert from 'node:assert/strict'
import type { IncomingHttpHeaders, IncomingMessage, RequestListener } from 'node:http'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { text, type Body } from '../../../test/kit/api.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { serveHttp, serveHttps } from '../../../test/kit/outside/loopback-server.ts'
import { selfSignedCertificate } from '../../../test/kit/outside/self-signed-certificate.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { callProvider, type ProviderCall } from './call-provider.ts'
import { verifyMessage } from './sign-message.ts'

const kit = await startOwnKit()
const { deps } = kit.florin

const register = (name: string, url: string, ...rest: string[]) => {
  // No two of them answer for the same: each names another currency.
  const currency = ['USD', 'EUR', 'GBP', 'MXN', 'BRL', 'INR'][deps.providers.registered().length]
  const line = `providers add --name ${name} --kind http --ports rails --currency ${currency}`
  return operate(kit, `${line} --url ${url}`, ...rest)
}

function call(provider: Body, rest: Partial<ProviderCall> = {}) {
  const found = deps.providers.find(mustParseId('provider', text(provider['providerId'])))
  assert.ok(found)
  return callProvider(deps, found, { method: 'POST', path: '/orders', messageId: 'm1', ...rest })
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

type Seen = Readonly<{ url: string; headers: IncomingHttpHeaders; body: Buffer }>

async function serveBook() {
  const seen: Seen[] = []
  const { url } = await serveHttp((request, response) => {
    void bodyOf(request).then((body) => {
      seen.push({ url: request.url ?? '', headers: request.headers, body })
      response.end('{"state":"ACCEPTED"}')
    })
  })
  return { url, seen }
}

test('PROV-20 PROV-25 PROV-26 a call to a loopback address is signed with every secret, in production too', async () => {
  const { url, seen } = await serveBook()
  const bank = await register('bank', `${url}/psp`)
  const answer = await call(bank, { messageId: 'Order:1', body: '{"id":"Order:1"}' })
  assert.deepEqual(answer, { answered: true, status: 200, body: { state: 'ACCEPTED' } })
  await call(bank, { method: 'GET', path: '/orders/Order:1', messageId: 'm2' })
  assert.deepEqual(
    seen.map((one) => [one.url, one.headers['webhook-id'], one.headers['content-type']]),
    [
      ['/psp/orders', 'Order:1', 'application/json'],
      ['/psp/orders/Order:1', 'm2', undefined],
    ],
  )
  const { secret } = await operate(kit, 'providers rotate-secret bank')
  await call(bank, { body: '{}' })
  assert.ok(seen[0] && seen[2])
  const by = (one: Seen, ...secrets: (Body | undefined)[]) =>
    verifyMessage(one, { secrets: secrets.map(text), now: new Date() })
  assert.equal(by(seen[0], bank['secret']), 'Order:1')
  assert.deepEqual([by(seen[2], secret), by(seen[2], bank['secret'])], ['m1', 'm1'])
  assert.equal(String(seen[2].headers['webhook-signature']).split(' ').length, 2)
})

const NO_ANSWERS: readonly (readonly [string, RequestListener, RegExp])[] = [
  ['not JSON', (_, response) => response.writeHead(502).end('<html>'), /^Status 502, .* not JSON/],
  ['empty', (_, response) => response.end(), /not JSON/],
  ['longer than 256 KiB', (_, response) => response.end(`"${'x'.repeat(262_144)}"`), /too long/],
  ['cut off', (_, response) => response.destroy(), /connection broke/],
  ['too slow', () => undefined, /within 50 ms/],
]

for (const [what, listener, error] of NO_ANSWERS) {
  test(`PROV-26 an answer that is ${what} is no answer`, async () => {
    const { url } = await serveHttp(listener)
    const other = await register('other', url)
    const answer = await call(other, { timeoutMs: what === 'too slow' ? 50 : 5_000 })
    assert.match(answer.answered ? 'answered' : answer.error, error)
    await operate(kit, 'providers remove other')
  })
}

test('PROV-26 a redirect is not followed, any other status with JSON is an answer', async () => {
  const { url, seen } = await serveBook()
  const moved = await serveHttp((_, response) => {
    response.writeHead(302, { location: url }).end('{"moved":true}')
  })
  const other = await register('other', moved.url)
  assert.deepEqual(await call(other), { answered: true, status: 302, body: { moved: true } })
  assert.equal(seen.length, 0)
  await operate(kit, 'providers remove other')
})

test('PROV-2 PROV-26 a certificate is good by the provider’s own authorities alone', async () => {
  const certificate = selfSignedCertificate(['127.0.0.1'])
  const file = join(kit.dataDir, 'ca.pem')
  await writeFile(file, certificate.certificatePem)
  const { url } = await serveHttps((_, response) => response.end('{}'), certificate)
  const trusting = await register('trusting', url, '--ca', file)
  assert.deepEqual(await call(trusting), { answered: true, status: 200, body: {} })
  const wary = await register('wary', url)
  const answer = await call(wary)
  assert.match(answer.answered ? 'answered' : answer.error, /secure connection/)
})
