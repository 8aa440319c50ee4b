import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { createAdminServer } from '../../../app/admin-server.ts'

const kit = await startOwnKit()

const SERVERS = {
  API: () => kit.florin.http,
  dashboard: () => createAdminServer(kit.florin),
}

for (const [name, serverOf] of Object.entries(SERVERS)) {
  test(`CORE-85 connections on which no request came do not keep the ${name} from stopping`, async () => {
    const app = serverOf()
    if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
    const address = app.server.address()
    assert.ok(typeof address === 'object' && address !== null)
    const said = ['', 'GET /metrics HTTP/1.1\r\nHos']
    const sockets = await Promise.all(
      said.map(async (text) => {
        const accepted = once(app.server, 'connection')
        const socket = connect(address.port, '127.0.0.1').resume()
        await accepted
        if (text !== '') await new Promise((done) => socket.write(text, done))
        // It may be reset.
        return { closed: new Promise((done) => socket.on('error', done).on('close', done)) }
      }),
    )
    await app.close()
    await Promise.all(sockets.map(({ closed }) => closed))
  })
}

test('CORE-85 a request from inside the process is no connection that has to be ended', async (t) => {
  const app = createAdminServer(kit.florin)
  await app.inject('/metrics')
  t.mock.timers.enable({ apis: ['setTimeout'] })
  await app.close()
  assert.doesNotThrow(() => t.mock.timers.runAll())
})
