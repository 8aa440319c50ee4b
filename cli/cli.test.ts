import assert from 'node:assert/strict'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { verifyWebhook } from '../sdk/src/index.ts'
import { emitEvent } from '../server/test/kit/outside/emit-event.ts'
import { openReceiver } from '../server/test/kit/outside/connect-receiver.ts'
import { eventually } from '../server/test/kit/eventually.ts'
import { startKit, type TestPlatform } from '../server/test/kit/florin.ts'
import { callFlorin, type CommandRun } from '../server/test/kit/operator.ts'
import { expectStatus, type Body } from '../server/test/kit/api.ts'

const kit = await startKit()
const home = await mkdtemp(join(tmpdir(), 'florin-home-'))
after(() => rm(home, { recursive: true, force: true }))
const { origin } = new URL(kit.baseUrl)
let users = 0

/** A user with a folder of their own; `call` runs a command line of theirs. */
async function user() {
  const platform = await kit.platform()
  // From here on its events have numbers.
  expectStatus(await platform.api.send('HEAD', '/events/stream'), 200)
  const config = join(home, `user-${(users += 1)}`)
  const env = { XDG_CONFIG_HOME: config }
  const call = (
    line: string,
    more: Partial<Parameters<typeof callFlorin>[0]> = {},
  ): Promise<CommandRun> =>
    callFlorin({ args: line.split(' '), cwd: home, ...more, env: { ...env, ...more.env } })
  return { platform, config: join(config, 'florin'), call }
}

const credentials = ({ clientId, clientSecret }: TestPlatform): string =>
  `${clientId}\n${clientSecret}\n`

async function loggedIn() {
  const one = await user()
  const input = credentials(one.platform)
  const { status, stderr } = await one.call(`login --origin ${origin}`, { input })
  assert.equal(status, 0, stderr)
  return one
}

describe('login', () => {
  test('OPER-150 credentials come from standard input, and are kept where only their owner reads', async () => {
    const { platform, config, call } = await user()
    const run = await call(`login --origin ${origin} --json`, { input: credentials(platform) })
    assert.equal(run.status, 0, run.stderr)
    assert.ok(!run.stdout.includes(platform.clientSecret))
    const file = join(config, 'login.json')
    assert.equal((JSON.parse(run.stdout) as Body)['file'], file)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.equal((await stat(config)).mode & 0o777, 0o700)
    assert.ok((await readFile(file, 'utf8')).includes(platform.clientSecret))
  })

  test('OPER-150 credentials come from the environment too, and are stored when the service takes them', async () => {
    const { platform, config, call } = await user()
    const env = { FLORIN_CLIENT_ID: platform.clientId, FLORIN_ORIGIN: origin }
    const wrong = await call('login', { env: { ...env, FLORIN_CLIENT_SECRET: 'wrong' } })
    assert.equal(wrong.status, 1)
    assert.match(wrong.stderr, /^florin: UNAUTHORIZED \(401\)/)
    await assert.rejects(stat(config))
    const right = { ...env, FLORIN_CLIENT_SECRET: platform.clientSecret }
    assert.equal((await call('login', { env: right })).status, 0)
    assert.equal((await call('open Card:1')).status, 0)
  })

  test('OPER-150 a secret is no option, and nothing works before the login', async () => {
    const { call } = await user()
    assert.match(
      (await call('login --client-secret x')).stderr,
      /There is no option --client-secret/,
    )
    assert.match((await call('events tail')).stderr, /You are not logged in\. Run: florin login/)
    assert.match((await call('login')).stderr, /Give a client id and its secret/)
  })

  test('OPER-150 what cannot be used is said in one line: an address, a damaged file, a folder, a number', async () => {
    const { config, call } = await loggedIn()
    const XDG_CONFIG_HOME = import.meta.filename
    for (const [line, words, env] of [
      ['login --origin nonsense', 'nonsense is no address as http://127.0.0.1:8080.', {}],
      ['login --dashboard nonsense', 'nonsense is no address as http://127.0.0.1:8080.', {}],
      ['open Card:1', 'x is no address as http://127.0.0.1:8080.', { FLORIN_ORIGIN: 'x' }],
      ['events tail --limit x', '--limit is a whole number from 1.', {}],
      ['requests tail --limit x', '--limit is a whole number from 1.', {}],
      ['events tail', `${XDG_CONFIG_HOME}/florin/login.json cannot be read`, { XDG_CONFIG_HOME }],
    ] as const) {
      const { status, stderr } = await call(line, { env })
      assert.equal(status, 1)
      assert.ok(stderr.startsWith(`florin: ${words}`) && stderr.split('\n').length === 2, stderr)
    }
    const file = join(config, 'login.json')
    await writeFile(file, '{')
    const { stderr } = await call('events tail')
    assert.equal(stderr, `florin: ${file} is damaged. Run: florin login\n`)
  })

  test('OPER-150 a file that others can read is refused', async () => {
    const { config, call } = await loggedIn()
    await chmod(join(config, 'login.json'), 0o644)
    assert.match(
      (await call('events tail')).stderr,
      /Others can read .*login\.json\. Run: chmod 600/,
    )
  })
})

/** A run that goes on until it is ended; `end` answers what it printed. */
function start(call: Awaited<ReturnType<typeof user>>['call'], line: string) {
  const over = new AbortController()
  const lines: string[] = []
  const run = call(line, {
    signal: over.signal,
    onOutput: (text) => lines.push(...text.trimEnd().split('\n')),
  })
  return {
    lines,
    end: () => {
      over.abort()
      return run
    },
  }
}

describe('listen', () => {
  test('OPER-151 events arrive signed, without an endpoint, and the next run goes on after the last one', async () => {
    const { platform, call } = await loggedIn()
    const receiver = await openReceiver()
    const line = `listen --forward-to ${receiver.url} --json`
    const first = start(call, `${line} --after 0`)
    const written = [await emitEvent(kit, platform), await emitEvent(kit, platform)]
    const received = () => receiver.deliveries.map(({ event }) => event.id)
    await eventually(() => assert.equal(first.lines.length, 2))
    const { status, stderr } = await first.end()
    assert.equal(status, 0)
    const publicKey = /-----BEGIN[^]*-----END PUBLIC KEY-----/.exec(stderr)?.[0] ?? ''
    for (const { raw, headers } of receiver.deliveries) {
      const event = await verifyWebhook({ payload: new Uint8Array(raw), headers, publicKey })
      assert.ok(written.includes(event.id))
    }
    written.push(await emitEvent(kit, platform), await emitEvent(kit, platform))
    const second = start(call, line)
    await eventually(() => assert.equal(second.lines.length, 2))
    const again = await second.end()
    assert.ok(again.stderr.includes(publicKey), 'the key stays')
    assert.deepEqual(received(), written)
  })

  test('OPER-151 an event waits for a receiver that is not there, and any answer is taken', async () => {
    const { platform, call } = await loggedIn()
    const receiver = await openReceiver()
    await receiver.stop()
    const down = start(call, `listen --forward-to ${receiver.url} --after 0`)
    await emitEvent(kit, platform)
    await eventually(async () => assert.equal(down.lines.length, 0))
    const ended = await down.end()
    assert.deepEqual([ended.status, ended.stdout], [0, ''])
    const failing = await openReceiver()
    failing.answer(500)
    const up = start(call, `listen --forward-to ${failing.url} --after 0`)
    await eventually(() =>
      assert.match(up.lines[0] ?? '', /CARD\.STATE_CHANGE {2}Webhook:.* {2}500$/),
    )
    await up.end()
  })

  test('OPER-151 what is no address is refused in one line', async () => {
    const { call } = await loggedIn()
    for (const to of ['localhost:3000', 'ftp://x', 'nonsense']) {
      const { status, stderr } = await call(`listen --forward-to ${to}`)
      assert.equal(status, 1)
      assert.match(stderr, /^florin: --forward-to is an address/)
    }
  })
})

describe('events and pages', () => {
  test('OPER-152 tail prints events of one type as they happen, and resend sends one again', async () => {
    const { platform, call } = await loggedIn()
    const following = start(call, 'events tail --after 0 --type INVITATION.CLAIMED --json')
    await emitEvent(kit, platform)
    const id = await emitEvent(kit, platform, { type: 'INVITATION.CLAIMED' })
    await eventually(() => assert.equal(following.lines.length, 1))
    await following.end()
    assert.equal((JSON.parse(following.lines[0] ?? '') as Body)['id'], id)
    assert.match((await call(`events resend ${id}`)).stderr, /WEBHOOK_ENDPOINT_NOT_SET/)
    assert.match((await call('events resend x')).stderr, /Give the id of an event/)
  })

  test('OPER-157 requests are printed as they are answered, but for those of the command', async () => {
    const { platform, call } = await loggedIn()
    const following = start(call, 'requests tail --limit 1 --json')
    await eventually(async () => {
      await platform.api.get('/exchange-rates')
      assert.ok(following.lines.length > 0)
    })
    const { status } = await following.end()
    assert.equal(status, 0)
    const [line] = following.lines.map((one) => JSON.parse(one) as Body)
    assert.notEqual(line?.['operation'], 'listRequests')
  })

  test('OPER-153 open prints the page of an id on the dashboard', async () => {
    const { platform, call } = await loggedIn()
    const id = 'Customer:019a0000-0000-7000-8000-000000000000'
    const { stdout } = await call(`open ${id} --json`)
    const port = Number(new URL(origin).port) + 1
    const url = `http://127.0.0.1:${port}/customers/${encodeURIComponent(id)}`
    assert.deepEqual(JSON.parse(stdout), { url })
    assert.match((await call('open Nothing:1')).stderr, /There is no page for Nothing:1/)
    const input = credentials(platform)
    await call(`login --origin ${origin} --dashboard https://ops.example.com/x`, { input })
    const other = await call(`open ${id} --json`)
    assert.match(other.stdout, /"https:\/\/ops\.example\.com\/customers\//)
  })
})
