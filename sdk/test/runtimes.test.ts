/** One journey with the packed package in every runtime that is here, against the real service. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { expectStatus } from '../../server/test/kit/api.ts'
import { startKit } from '../../server/test/kit/florin.ts'
import { connect, openReceiver } from '../../server/test/kit/outside/connect-receiver.ts'
import { openBrowser } from '../../server/test/kit/pages/browser.ts'
import { hasChromium } from '../../server/test/kit/pages/installed-chromium.ts'
import { packSdk } from './packed.ts'

const { project, installed } = packSdk()
const kit = await startKit()
const { origin } = new URL(kit.baseUrl)
const receiver = await openReceiver()

/** Plain JavaScript: what a runtime does not have by itself is not there. */
const JOURNEY = `
import { createFlorin, verifyWebhook } from '@florin/sdk'

export async function journey({ clientId, clientSecret, baseUrl, closedUrl, webhook }) {
  const florin = createFlorin({ baseUrl, clientId, clientSecret })
  for (const fullName of ['Ana', 'Ben', 'Cem'])
    await florin.customers.create({ customerType: 'INDIVIDUAL', fullName })
  const customers = []
  for await (const { fullName } of florin.customers.list({ limit: 2 })) customers.push(fullName)

  const [account] = await florin.platform.internalAccounts.list({ currency: 'USD' }).toArray()
  await florin.sandbox.fund(account.id, { amount: 50_000 })
  const payee = await florin.platform.externalAccounts.create({
    currency: 'USDC',
    accountInfo: {
      accountType: 'SOLANA_WALLET',
      address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    },
  })
  const { transactionId } = await florin.quotes.create({
    source: { sourceType: 'ACCOUNT', accountId: account.id },
    destination: { destinationType: 'ACCOUNT', accountId: payee.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000,
    immediatelyExecute: true,
  })
  let streamed
  for await (const { event } of florin.events.stream({ after: '0' })) {
    if (event.data.id !== transactionId) continue
    streamed = event.type
    break
  }
  const timeline = await florin.timeline.get(transactionId).toArray()
  const { type: verified } = await verifyWebhook(webhook)
  const lost = createFlorin({ baseUrl: closedUrl, clientId, clientSecret, retries: 0 })
  const failure = await lost.config.get().catch(({ name, host, message }) => ({ name, host, message }))
  return { customers: customers.sort(), streamed, entries: timeline.length, verified, failure }
}
`
writeFileSync(join(project, 'journey.mjs'), JOURNEY)
writeFileSync(
  join(project, 'run.mjs'),
  `import process from 'node:process'
import { journey } from './journey.mjs'
console.log(JSON.stringify(await journey(JSON.parse(process.env.GIVEN))))
process.exit()`,
)

/** An address where nothing listens. */
async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return `http://127.0.0.1:${port}`
}
const closedUrl = await closedAddress()

const hooked = await kit.platform()
await connect(hooked, receiver)
const [delivery] = receiver.ofType('TEST')
assert.ok(delivery)
const webhook = {
  payload: delivery.raw.toString(),
  headers: String(delivery.headers['x-service-signature']),
  publicKey: hooked.webhookPublicKey,
}

async function given() {
  const { api, clientId, clientSecret } = await kit.platform()
  // From here on its events have numbers.
  expectStatus(await api.send('HEAD', '/events/stream'), 200)
  return { clientId, clientSecret, baseUrl: origin, closedUrl, webhook }
}

type Journey = Readonly<{
  customers: string[]
  streamed: string
  entries: number
  verified: string
  failure: Readonly<{ name: string; host: string; message: string }>
}>

function mustHaveArrived({ customers, streamed, entries, verified, failure }: Journey): void {
  assert.deepEqual(customers, ['Ana', 'Ben', 'Cem'])
  assert.match(streamed, /^OUTGOING_PAYMENT\./)
  assert.ok(entries > 0)
  assert.equal(verified, 'TEST')
  const { host } = new URL(closedUrl)
  assert.deepEqual([failure.name, failure.host], ['FlorinConnectionError', host])
  const why = failure.message.replace(host, 'HOST')
  assert.match(why, /^the connection to HOST failed \(.+\), after 1 attempt\(s\)$/)
}

/** Without our own `.bin`, whose Node.js is the one that runs this. */
const PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.endsWith('node_modules/.bin'))
  .join(delimiter)

const start = (program: string, args: readonly string[], more: Record<string, string> = {}) =>
  promisify(execFile)(program, args, { cwd: project, env: { ...process.env, PATH, ...more } })

async function travel(program: string, args: readonly string[] = []): Promise<void> {
  const GIVEN = JSON.stringify(await given())
  const { stdout } = await start(program, [...args, 'run.mjs'], { GIVEN })
  mustHaveArrived(JSON.parse(stdout) as Journey)
}

const versionOf = (program: string): Promise<string | undefined> =>
  start(program, ['--version']).then(
    ({ stdout }) => stdout.trim().split('\n')[0],
    () => undefined,
  )

/** No package of the distributions that we test on has these, so their absence is told and fails nothing. */
function leaveOut(t: TestContext, what: string): void {
  t.diagnostic(`not run where missing: the journey of the SDK in ${what}`)
}

test('OPER-202 the journey ends well in the Node.js of the service', () =>
  travel(process.execPath, ['--no-experimental-strip-types']))

test('OPER-202 the journey ends well in the Node.js of the machine', async (t) => {
  const [, major = 0, minor = 0] = (
    /^v(\d+)\.(\d+)/.exec((await versionOf('node')) ?? '') ?? []
  ).map(Number)
  const isSupported = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)
  if (isSupported) await travel('node')
  else leaveOut(t, 'another Node.js: this machine has none that is supported')
})

for (const [program, args] of [
  ['deno', ['run', '--allow-all']],
  ['bun', ['run']],
] as const) {
  test(`OPER-202 the journey ends well in ${program}`, async (t) => {
    if (await versionOf(program)) await travel(program, args)
    else leaveOut(t, `${program}: it is not installed here`)
  })
}

/** The API has no CORS, so that the page is of the service's own origin. */
test('OPER-202 the journey ends well in Chromium', async (t) => {
  if (!hasChromium())
    return t.diagnostic('not run: the journey of the SDK in Chromium: it is not installed here')
  const browser = await openBrowser()
  const page = await browser.newPage()
  const imports = { '@florin/sdk': '/packed/index.js' }
  const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>`
  await page.route(`${origin}/packed/**`, (route) => {
    const name = new URL(route.request().url()).pathname.slice('/packed/'.length)
    if (name === '') return route.fulfill({ contentType: 'text/html', body: html })
    if (name === 'journey.js')
      return route.fulfill({ contentType: 'text/javascript', body: JOURNEY })
    return route.fulfill({ contentType: 'text/javascript', path: join(installed, name) })
  })
  await page.goto(`${origin}/packed/`)
  const call = `import('/packed/journey.js').then(({ journey }) => journey(${JSON.stringify(await given())}))`
  mustHaveArrived(await page.evaluate<Journey>(call))
})
