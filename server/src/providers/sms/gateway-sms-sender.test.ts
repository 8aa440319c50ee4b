import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { serveHttp } from '../../../test/kit/outside/loopback-server.ts'
import { findFreePort } from '../../infra/db/embedded/postmaster.ts'
import type { ApiError } from '../../kernel/errors.ts'
import { gatewaySmsSender } from './gateway-sms-sender.ts'
import { smsSenderFor } from './sms-sender-for.ts'

const SMS = { to: '+4930123456', text: '123456 is your code' }

type Received = { method: string; path: string; authorization: string; type: string; body: unknown }

async function read(request: IncomingMessage): Promise<Received> {
  const raw = Buffer.concat(await Array.fromAsync(request))
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    authorization: request.headers.authorization ?? '',
    type: request.headers['content-type'] ?? '',
    body: JSON.parse(raw.toString()) as unknown,
  }
}

async function startGateway(status = 200) {
  const received: Received[] = []
  const { url } = await serveHttp((request, response) => {
    void read(request).then((one) => {
      received.push(one)
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('answer')
    })
  })
  return { url, received }
}

test('CONT-2 a message is posted as JSON, the credentials of the address as Basic', async () => {
  const { url, received } = await startGateway(202)
  const gateway = `${url.replace('http://', 'http://user:p%40ss@')}/send?brand=acme`
  await gatewaySmsSender(gateway).send(SMS)
  assert.deepEqual(received, [
    {
      method: 'POST',
      path: '/send?brand=acme',
      authorization: `Basic ${Buffer.from('user:p@ss').toString('base64')}`,
      type: 'application/json',
      body: SMS,
    },
  ])
})

test('without configured credentials the request has none', async () => {
  const { url, received } = await startGateway()
  await gatewaySmsSender(url).send(SMS)
  assert.equal(received[0]?.authorization, '')
})

test('a refusal, a redirect, a failure and an unreachable gateway answer unavailable', async () => {
  const urls = await Promise.all(
    [400, 302, 500].map(async (status) => (await startGateway(status)).url),
  )
  const reasons = [/status 400$/, /redirect/, /status 500$/, /ECONNREFUSED/]
  const unused = `http://127.0.0.1:${await findFreePort()}/`
  for (const [index, url] of [...urls, unused].entries()) {
    await assert.rejects(gatewaySmsSender(url).send(SMS), (error: ApiError) => {
      assert.equal(error.code, 'SERVICE_UNAVAILABLE', url)
      assert.match(error.because ?? '', reasons[index] ?? assert.fail())
      assert.match(error.headers?.['Retry-After'] ?? '', /^\d+$/)
      return true
    })
  }
})

test('a sandbox sends no message; production without a gateway is not implemented', async () => {
  const { url, received } = await startGateway()
  await smsSenderFor({ environment: 'SANDBOX' }, { smsGatewayUrl: url }).send(SMS)
  assert.deepEqual(received, [])
  assert.throws(
    () => smsSenderFor({ environment: 'PRODUCTION' }, { smsGatewayUrl: undefined }),
    (error: ApiError) => error.code === 'NOT_IMPLEMENTED',
  )
})
