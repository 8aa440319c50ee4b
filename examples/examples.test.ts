/** Every example is run as a reader would, against the real service; what it prints is checked. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { format, promisify } from 'node:util'
import { startKit } from '../server/test/kit/florin.ts'

const HERE = import.meta.dirname
const kit = await startKit()
const { origin } = new URL(kit.baseUrl)

/** As `npm start` makes its first one. */
const platform = await kit.platform({
  currencies: ['USD', 'EUR', 'GBP', 'MXN', 'BRL', 'INR', 'USDC', 'BTC'],
})

const CONNECTION = {
  FLORIN_ORIGIN: origin,
  FLORIN_CLIENT_ID: platform.clientId,
  FLORIN_CLIENT_SECRET: platform.clientSecret,
  FLORIN_WEBHOOK_PUBLIC_KEY: platform.webhookPublicKey,
}

async function run(name: string): Promise<string> {
  const env = { ...process.env, ...CONNECTION }
  const program = [join(HERE, name)]
  return (await promisify(execFile)(process.execPath, program, { env, timeout: 60_000 })).stdout
}

/** In this process, which has the SDK loaded. */
async function runAgain(name: string): Promise<string> {
  const { console: terminal } = globalThis
  const { log } = terminal
  const printed: string[] = []
  Object.assign(process.env, CONNECTION)
  terminal.log = (...values: unknown[]) => void printed.push(format(...values))
  try {
    await import(pathToFileURL(join(HERE, name)).href)
    return printed.join('\n')
  } finally {
    terminal.log = log
    for (const variable of Object.keys(CONNECTION)) delete process.env[variable]
  }
}

const EXAMPLES: Readonly<Record<string, readonly RegExp[]>> = {
  'first-payout.ts': [
    /^sent {7}5\.00 USD$/m,
    /^received {3}[\d.]+ USDC$/m,
    /^paid twice no$/m,
    /^status {5}COMPLETED$/m,
  ],
  'marketplace-payout.ts': [
    /^Jane Doe: CUSTOMER\.KYC_APPROVED$/m,
    /^Otto Example 001: CUSTOMER\.KYC_PENDING$/m,
    /^OUTGOING_PAYMENT\.COMPLETED: [\d.]+ USD$/m,
    /^no payout for the other one: USER_NOT_READY$/m,
  ],
  'cross-currency-payout.ts': [
    /^arrives 1000\.00 MXN$/m,
    /^costs {3}[\d.]+ USD$/m,
    /^too late: asking for a new price$/m,
    /^status {2}COMPLETED$/m,
  ],
  'embedded-wallet.ts': [
    /^logged in with EMAIL_OTP$/m,
    /^signing {3}10000000 USDB$/m,
    /^paid {6}10\.000000 USDB COMPLETED$/m,
  ],
  'card-purchase.ts': [
    /^card {6}ACTIVE \d{4}$/m,
    /^BLUE DOOR COFFEE 12\.50 USD AUTHORIZED/m,
    /^cleared {3}SETTLED$/m,
    /^GOLD AND SONS 200\.01 USD DECLINED SPENDING_LIMIT_EXCEEDED$/m,
    /^BLUE DOOR COFFEE 5\.00 USD DECLINED CARD_PAUSED$/m,
    /^balance {3}485\.00 USD$/m,
  ],
  'agent-with-approval.ts': [
    /^connected as Supplier payments$/m,
    /^150\.00 USD APPROVED$/m,
    /^400\.01 USD FORBIDDEN PER_TRANSACTION_LIMIT_EXCEEDED$/m,
    /^250\.00 USD PENDING_APPROVAL$/m,
    /^approved by the platform: APPROVED$/m,
    /^spent today 400\.00 USD$/m,
  ],
  'uma-payment.ts': [
    /prefers EUR$/m,
    /^sent {8}100\.00 USD COMPLETED$/m,
    /^received {4}91\.54 EUR$/m,
    /^was paid {4}COMPLETED$/m,
  ],
}

for (const [name, expected] of Object.entries(EXAMPLES)) {
  test(`${name} tells its story, and can be run again`, async () => {
    for (const round of [run, runAgain]) {
      const printed = await round(name)
      for (const line of expected) assert.match(printed, line, round.name)
    }
  })
}

test('every example is run here and listed in the readme', async () => {
  const readme = await readFile(join(HERE, 'README.md'), 'utf8')
  const helpers = ['connect.ts', 'webhook-receiver.ts', 'examples.test.ts']
  const found = (await readdir(HERE)).filter((one) => one.endsWith('.ts') && !helpers.includes(one))
  assert.deepEqual(found.toSorted(), Object.keys(EXAMPLES).toSorted())
  for (const name of found) assert.ok(readme.includes(`(${name})`), name)
})

test('without a service that was ever started, an example says what to do', async () => {
  const bare = { PATH: process.env['PATH'] }
  const env = { ...bare, FLORIN_ORIGIN: origin, FLORIN_DATA_DIR: join(HERE, 'nowhere') }
  const failed = promisify(execFile)(process.execPath, [join(HERE, 'first-payout.ts')], { env })
  await assert.rejects(failed, /Run `npm start` first/)
})
