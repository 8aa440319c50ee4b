/** Every block of the documentation is run as it stands, and what it prints is what the text says. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { verifyWebhook } from '../../src/crypto/webhook-signature.ts'
import { NETWORKS } from '../../src/features/rates/index.ts'
import { sql } from '../../src/infra/db/sql.ts'
import { mustParseId, newUuid } from '../../src/kernel/ids.ts'
import { expectStatus, items, text } from '../kit/api.ts'
import { cloneDatabase } from '../kit/database.ts'
import { PRINTED_ORIGIN, readPage, ROOT, runExamples, runSnippet } from '../kit/doc-examples.ts'
import { eventually } from '../kit/eventually.ts'
import { startKit, type TestPlatform } from '../kit/florin.ts'
import { startReceiver } from '../kit/receiver.ts'
import { MASTER_KEY, startServerProcess } from '../kit/server-process.ts'

const kit = await startKit()
const server = await startServerProcess({ DATABASE_URL: kit.databaseUrl, DATA_DIR: kit.dataDir })
after(() => server.end('SIGTERM'))
const origin = new URL(server.baseUrl).origin
const scratch = await mkdtemp(join(tmpdir(), 'florin-docs-'))
after(() => rm(scratch, { recursive: true, force: true }))

/** What a page's examples print, by name. */
type Printed = Readonly<{ of(example: string): string; platform: TestPlatform }>

type Surroundings = Readonly<{
  env?: Record<string, string | undefined>
  cwd?: string
  replaced?: Record<string, string>
  /** One that others have used before; else a new one. */
  platform?: TestPlatform
  prepare?: (platform: TestPlatform) => Promise<void>
}>

const run = async (
  path: string,
  { env, prepare, platform: known, ...rest }: Surroundings,
): Promise<Printed> => {
  const platform = known ?? (await kit.platform())
  await prepare?.(platform)
  const { examples } = await readPage(path)
  const printed = await runExamples(examples, {
    origin,
    env: {
      CLIENT_ID: platform.clientId,
      CLIENT_SECRET: platform.clientSecret,
      PLATFORM_ID: platform.platformId,
      DATABASE_URL: kit.databaseUrl,
      DATA_DIR: kit.dataDir,
      MASTER_KEY,
      ...env,
    },
    ...rest,
  })
  return { of: (example) => printed.get(example) ?? assert.fail(example), platform }
}

const tested = new Set<string>()

/** One page, run from top to bottom; on a platform of its own, unless it is given one. */
function page(
  path: string,
  about: string,
  check: (printed: Printed) => Promise<void> | void,
  surroundings: Surroundings = {},
): void {
  tested.add(path)
  test(`${path}: ${about}`, async () => check(await run(path, surroundings)))
}

/** A piece of a program of the page, with what a reader has at hand and writes below it; what it prints. */
async function snippet(
  path: string,
  name: string,
  { given, then = '' }: { given: Record<string, string>; then?: string },
): Promise<string> {
  const { snippets } = await readPage(path)
  return runSnippet(snippets.get(name) ?? assert.fail(name), { origin, given, then })
}

const receiver = await startReceiver()
after(() => receiver.stop())

const RECEIVER_PORT = await (async () => {
  const free = await startReceiver()
  await free.stop()
  return new URL(free.url).port
})()

// A folder of the reader's own, with the package as it is published and what its wallet half needs.
const project = join(scratch, 'project')
const installed = join(project, 'node_modules/@florin/sdk')
await mkdir(installed, { recursive: true })
execFileSync(process.execPath, [join(ROOT, 'tools/build-sdk.ts'), installed])
for (const name of ['@hpke', '@noble', '@scure']) {
  await symlink(join(ROOT, 'node_modules', name), join(project, 'node_modules', name))
}

async function savePrograms(): Promise<void> {
  const { files } = await readPage('docs/guides/sdk.md')
  for (const [name, code] of files) {
    await writeFile(join(project, name), code.replaceAll(PRINTED_ORIGIN, origin))
  }
}

const balanceIn = (printed: string): number =>
  Number(/"balance":\{"amount":(\d+),/.exec(printed)?.[1])

// Whoever begins follows these on one platform, and perhaps again.
const newcomer = await kit.platform()
for (const round of ['at first', 'and again']) {
  page(
    'README.md',
    `an account is funded, a wallet paid, and signed events arrive, ${round}`,
    async ({ of, platform }) => {
      assert.match(of('webhook-endpoint'), /"webhookEndpoint":"http:\/\/127\.0\.0\.1/)
      assert.match(of('fund'), /"balance":\{"amount":200000,/)
      assert.match(of('pay'), /"status":"PROCESSING"/)
      assert.match(of('read'), /"status":"COMPLETED"/)
      for (const type of ['INCOMING_PAYMENT.COMPLETED', 'OUTGOING_PAYMENT.COMPLETED']) {
        const { headers, raw } = await eventually(
          () => receiver.ofType(type)[0] ?? assert.fail(`${type} arrives`),
        )
        const signature = String(headers['x-service-signature'])
        assert.ok(verifyWebhook(platform.webhookPublicKey, signature, raw), type)
      }
      assert.match(of('dashboard'), /http:\/\/127\.0\.0\.1:8081\/sign-in\/[\w-]{43}/)
    },
    { env: { ENDPOINT: receiver.url }, platform: newcomer },
  )

  page(
    'docs/guides/first-payout.md',
    `priced, paid, failed and refunded, ${round}`,
    ({ of }) => {
      assert.match(of('destination'), /"status":"ACTIVE"/)
      assert.match(of('quote'), /"status":"PENDING"/)
      assert.match(of('quote'), /"totalSendingAmount":10000,/)
      assert.match(of('execute'), /"status":"PROCESSING"[^]*"status":"COMPLETED"/)
      assert.match(of('failure'), /"status":"FAILED"/)
      assert.match(of('failure'), /"failureReason":"QUOTE_EXECUTION_FAILED"/)
      const left = balanceIn(of('prepare')) - 10_000
      assert.equal(balanceIn(of('failure')), left, 'one of the two came back')
      const steps = ['PROCESSING', 'COMPLETED', 'FAILED', 'REFUND_PENDING', 'REFUND_COMPLETED']
      for (const step of steps) {
        assert.match(of('events'), new RegExp(`"OUTGOING_PAYMENT\\.${step}"`))
      }
      assert.match(of('events'), /"INTERNAL_ACCOUNT\.BALANCE_UPDATED"/)
    },
    { platform: newcomer },
  )

  page(
    'docs/guides/sdk.md',
    `pays, listens and signs, ${round}`,
    ({ of }) => {
      assert.match(of('pay'), /^paid 100\.00 USD\nINSUFFICIENT_BALANCE \{[^}]*required/m)
      assert.match(of('pay'), /^Transaction:\S+ COMPLETED$/m)
      assert.match(of('receive'), /^401$/m)
      assert.match(of('receive'), /^balance is now \d+$/m)
      assert.match(of('receive'), /"response_status":204/)
      assert.match(of('sign'), /^logged in with EMAIL_OTP\nprivate true$/m)
    },
    {
      env: { FLORIN: ROOT },
      cwd: project,
      replaced: { '4000': RECEIVER_PORT },
      platform: newcomer,
      prepare: savePrograms,
    },
  )
}

test('README.md: customers are listed in TypeScript', async () => {
  const { api, clientId, clientSecret } = await kit.platform()
  const customer = await api.post('/customers', { customerType: 'INDIVIDUAL' })
  const printed = await snippet('README.md', 'list', { given: { clientId, clientSecret } })
  assert.equal(printed, `${text(expectStatus(customer, 201)['id'])}\n`)
})

tested.add('sdk/README.md')
test('sdk/README.md: a payment is on its way', async () => {
  const { api, clientId, clientSecret } = await kit.platform()
  const usd = await api.get('/platform/internal-accounts', { query: { currency: 'USD' } })
  const accountId = text(items(expectStatus(usd, 200)['data'])[0]?.['id'])
  const fund = { amount: 10_000 }
  expectStatus(await api.post(`/sandbox/internal-accounts/${accountId}/fund`, fund), 200)
  const address = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  const wallet = { currency: 'USDC', accountInfo: { accountType: 'SOLANA_WALLET', address } }
  const payee = text(expectStatus(await api.post('/platform/external-accounts', wallet), 201)['id'])
  const given = { clientId, clientSecret, accountId, payee }
  assert.match(await snippet('sdk/README.md', 'pay', { given }), /^[\d.]+ USDC on its way\n$/)
})

tested.add('docs/concepts/webhooks.md')
test('docs/concepts/webhooks.md: the check takes what was sent, and nothing else', async () => {
  const platform = await kit.platform()
  const own = await startReceiver()
  await platform.api.patch('/config', { webhookEndpoint: own.url })
  expectStatus(await platform.api.post('/sandbox/webhooks/test', {}), 200)
  const { headers, raw } = own.deliveries[0] ?? assert.fail('the event arrives')
  await own.stop()
  const given = {
    body: raw.toString(),
    header: String(headers['x-service-signature']),
    key: platform.webhookPublicKey,
  }
  const then = `for (const bytes of [body, body + ' ']) console.log(isGenuine(bytes, header, key))`
  const printed = await snippet('docs/concepts/webhooks.md', 'signature', { given, then })
  assert.equal(printed, 'true\nfalse\n')
})

page('docs/guides/uma.md', 'an address is looked up, paid, and pays', ({ of }) => {
  assert.match(of('lookup'), /"estimatedExchangeRate":0\.92,/)
  assert.match(of('pay'), /"status":"PROCESSING"[^]*"status":"COMPLETED"/)
  assert.match(of('pay'), /"totalReceivingAmount":9154,/)
  assert.match(of('receive'), /"status":"COMPLETED"/)
  assert.match(of('receive'), /"umaAddress":"\$success\.usd@sandbox\.uma\.test"/)
})

page('docs/guides/agents.md', 'connected, bound, approved, stopped', ({ of }) => {
  assert.match(of('create'), /"isConnected":false/)
  assert.match(of('redeem'), /"isConnected":true/)
  assert.match(of('pay'), /"status":"APPROVED"/)
  assert.match(of('limit'), /"reason":"PER_TRANSACTION_LIMIT_EXCEEDED"/)
  assert.match(of('approve'), /"status":"PENDING_APPROVAL"[^]*"status":"APPROVED"/)
  assert.match(of('stop'), /"isPaused":true[^]*"AGENT_PAUSED"[^]*"UNAUTHORIZED"/)
})

page('docs/guides/cards.md', 'issued, shown, used, declined, closed', ({ of }) => {
  assert.match(of('issue'), /"state":"ACTIVE"/)
  assert.match(of('reveal'), /"panEmbedUrl":"http[^"]+\/embed\/cards\/[\w-]{43}"/)
  assert.match(of('buy'), /"status":"SETTLED"[^]*"balance":\{"amount":48500,/)
  const cleared = [...of('clearings').matchAll(/"settledAmount":\{"amount":(\d+),/g)]
  assert.deepEqual(
    cleared.map(([, amount]) => amount),
    ['1800', '700', '4370'],
  )
  const reasons = [...of('decline').matchAll(/"declineReason":"(\w+)"/g)].map(
    ([, reason]) => reason,
  )
  assert.deepEqual(reasons, ['SPENDING_LIMIT_EXCEEDED', 'INSUFFICIENT_FUNDS', 'CARD_PAUSED'])
  assert.match(of('decline'), /"state":"FROZEN"[^]*"state":"CLOSED"/)
})

page('docs/guides/strong-authentication.md', 'logged in, held, proven, paid', ({ of }) => {
  assert.match(of('login'), /"factor":"SMS_OTP"[^]*"status":"SUCCESS"/)
  assert.match(of('pay'), /"status":"PENDING_AUTHORIZATION"[^]*"scaChallenge":\{/)
  assert.match(of('authorize'), /"status":400[^]*"status":"PROCESSING"[^]*"status":"COMPLETED"/)
  assert.match(of('enrol'), /"recoveryCodes":\[/)
  const phone = of('phone')
  assert.match(phone, /"factors":\[\{"factor":"TOTP"\}\][^]*"reason":"FRESH_LOGIN_REQUIRED"/)
  assert.match(phone, /"SUCCESS"[^]*"factors":\[\{"factor":"SMS_OTP"\},\{"factor":"TOTP"\}\]/)
})

// Beside the packages that it imports.
const DEVICE = join(ROOT, '.cache', `device-${newUuid()}.mjs`)
after(() => rm(DEVICE, { force: true }))

page(
  'docs/guides/embedded-wallets.md',
  'a device logs in and pays',
  ({ of }) => {
    assert.match(of('wallet'), /"type":"EMBEDDED_WALLET"[^]*"type":"EMAIL_OTP"/)
    assert.match(of('quote'), /"payloadToSign":/)
    assert.match(of('pay'), /^logged in until [^]*^payout PROCESSING$[^]*"status":"COMPLETED"/m)
    assert.match(of('literal'), /"status":"PROCESSING"/)
  },
  {
    replaced: { 'device.mjs': DEVICE },
    prepare: async () => {
      const { files } = await readPage('docs/guides/embedded-wallets.md')
      await mkdir(dirname(DEVICE), { recursive: true })
      await writeFile(DEVICE, files.get('device.mjs') ?? '')
    },
  },
)

page('docs/concepts/idempotency.md', 'a key has one effect and one request', ({ of }) => {
  const [first, second, ...more] = of('replay').split('HTTP/').slice(1)
  assert.ok(first && second && more.length === 0)
  assert.match(first, /^1\.1 201/)
  assert.doesNotMatch(first, /idempotent-replayed/i)
  assert.match(second, /^1\.1 201[^]*idempotent-replayed: true/i)
  const idOf = (answer: string) => /Customer:[0-9a-f-]+/.exec(answer)?.[0]
  assert.equal(idOf(second), idOf(first))
  assert.match(of('reused'), /"status":409,"code":"IDEMPOTENCY_KEY_REUSED"/)
})

page('docs/concepts/time.md', 'the clock is read and moved', ({ of }) => {
  assert.match(of('clock'), /"offsetSeconds":0\}/)
  assert.match(of('clock'), /"offsetSeconds":86400,"jobs":\[.*\],"events":\[.*\]\}/)
})

page('docs/concepts/errors.md', 'all fields at once, and typos are named', ({ of }) => {
  assert.match(of('fields'), /"code":"INVALID_INPUT"/)
  for (const field of ['businessInfo.country', 'businessInfo.taxId']) {
    assert.ok(of('fields').includes(`"field":"${field}"`), field)
  }
  assert.match(of('typo'), /^ignored-fields: fullname\r$/im)
  assert.match(of('typo'), /^x-request-id: \S+\r$/im)
  assert.match(of('parameter'), /"suggestions":\{"nam":"name"\}/)
})

page('docs/concepts/sandbox.md', 'magic values decide', ({ of }) => {
  const statuses = of('magic-names').match(/[A-Z]{4,}/g)
  assert.deepEqual(statuses, ['PENDING', 'REJECTED', 'UNVERIFIED', 'APPROVED'])
  assert.match(of('magic-account'), /"beneficiaryVerificationStatus":"NOT_MATCHED"/)
})

page('docs/concepts/ledger.md', 'balances, and the book is sound', ({ of }) => {
  assert.match(of('balances'), /"balance":\{"amount":12345,/)
  assert.match(of('balances'), /"totalBalance":\{"amount":12345,/)
  assert.match(of('check'), /^ok\s+(true|yes)/m)
})

page('docs/guides/onboarding.md', 'from the first customer to the last', ({ of }) => {
  assert.match(of('individual'), /"kycStatus":"APPROVED"/)
  assert.match(of('individual'), /"data":\[\{"id":"InternalAccount:/)
  assert.match(of('business'), /"kybStatus":"UNVERIFIED"/)
  assert.match(of('link'), /"kycUrl":"[^"]+\/verify\/[\w-]+\?redirect_uri=https%3A/)
  assert.match(of('terms'), /"endUserTermsConsent":\{[^}]*"termsVersion":"V1"/)
  assert.match(of('leaving'), /"fullName":"Ana Maria Example"/)
  assert.match(of('leaving'), /"isDeleted":true/)
})

page(
  'docs/guides/receiving-webhooks.md',
  'the receiver takes what is genuine, once',
  ({ of }) => {
    const heard = ['run', 'connect', 'hear', 'look'].map(of).join('\n')
    assert.match(of('run'), /^401$/m)
    assert.match(of('connect'), /"response_status":204/)
    // Not at the beginning of a line: what curl writes meanwhile ends without one.
    assert.match(heard, /received INCOMING_PAYMENT\.COMPLETED Transaction:/)
    assert.match(heard, /received INTERNAL_ACCOUNT\.BALANCE_UPDATED InternalAccount:/)
    assert.equal(heard.match(/received INCOMING_PAYMENT\.COMPLETED/g)?.length, 1)
    assert.match(of('look'), /"type":"INCOMING_PAYMENT\.COMPLETED"/)
  },
  {
    replaced: { '4000': RECEIVER_PORT, 'receiver.mjs': join(scratch, 'receiver.mjs') },
    prepare: async () => {
      const { files } = await readPage('docs/guides/receiving-webhooks.md')
      await writeFile(join(scratch, 'receiver.mjs'), files.get('receiver.mjs') ?? '')
    },
  },
)

// An installation of its own: what the first block writes is all that the second knows of it.
const production = await cloneDatabase()
after(() => production.drop())
const checkout = join(scratch, 'production')
await mkdir(checkout)

page(
  'docs/guides/going-to-production.md',
  'RATE-12 FEE-11 settings, a platform, every price it needs, and network fees',
  async ({ of }) => {
    const settings = join(checkout, '.env')
    assert.equal((await stat(settings)).mode & 0o777, 0o600)
    assert.match(await readFile(settings, 'utf8'), /^MASTER_KEY=2026a:[A-Za-z0-9+/]{43}=$/m)
    assert.match(of('platform'), /^clientSecret\s+\S+/m)
    const guide = await readFile(join(ROOT, 'docs/guides/going-to-production.md'), 'utf8')
    for (const [network, { feeAsset }] of Object.entries(NETWORKS)) {
      assert.match(guide, new RegExp(`^\\| ${feeAsset} \\| network fees on`, 'm'))
      assert.ok(guide.includes(`\`${network}\``), network)
    }
    for (const need of ['EUR\\s+SUPPORTED_CURRENCY', 'SOL\\s+NETWORK_FEE:SOLANA']) {
      assert.match(of('prices'), new RegExp(need))
    }
    assert.match(of('prices'), /all current/)
    assert.match(of('network-fees'), /SOLANA.*5000/)
  },
  {
    cwd: checkout,
    env: { DATABASE_URL: undefined, DATA_DIR: undefined, MASTER_KEY: undefined },
    replaced: {
      'postgres://florin:secret@db.internal/florin': production.url,
      'npm run -s florin --': `node ${join(ROOT, 'server/src/bin/florin.ts')}`,
    },
  },
)

const insertDeadJob = async ({ platformId }: TestPlatform): Promise<void> => {
  const id = mustParseId('platform', platformId)
  const now = new Date()
  await kit.florin.deps.db.read.run(
    sql`insert into jobs (platform_id, id, name, payload, due_at, state, attempts, last_error, created_at)
        values (${id}, ${newUuid()}, 'files.erase', ${sql.json({ fileId: newUuid() })}, ${now}, 'DEAD', 10,
          'Error: the disk is full', ${now})`,
  )
}

page(
  'docs/runbooks/dead-jobs.md',
  'a dead job is seen, retried and done',
  async ({ of, platform }) => {
    assert.match(of('look'), /files\.erase/)
    assert.match(of('look'), /the disk is full/)
    assert.match(of('retry'), /WAITING/)
    assert.match(of('afterwards'), /0 dead/)
    const id = mustParseId('platform', platform.platformId)
    await eventually(async () => {
      const left = await kit.florin.deps.db.read.many(
        sql`select 1 from jobs where platform_id = ${id} and name = 'files.erase'`,
      )
      assert.deepEqual(left, [])
    })
  },
  { prepare: insertDeadJob },
)

/** The runbook's own query. */
async function waitingRefunds(): Promise<unknown[]> {
  const { queries } = await readPage('docs/runbooks/failed-refunds.md')
  const client = new pg.Client({ connectionString: kit.databaseUrl })
  await client.connect()
  const { rows } = await client.query(queries.get('waiting') ?? '')
  await client.end()
  return rows
}

page(
  'docs/runbooks/failed-refunds.md',
  'what could not be refunded is found in suspense',
  async ({ of, platform }) => {
    assert.match(of('look'), /OUTGOING_PAYMENT\.REFUND_FAILED/)
    assert.match(of('look'), /"refund":\{[^}]*"status":"FAILED"/)
    assert.match(of('mend'), /refundStatus\s+COMPLETED/)
    assert.match(of('mend'), /"balance":\{"amount":10000,/)
    assert.deepEqual(await waitingRefunds(), [])
    const [to] = items((await platform.api.get('/platform/external-accounts')).body['data'])
    const [from] = items(
      (await platform.api.get('/platform/internal-accounts', { query: { currency: 'USD' } })).body[
        'data'
      ],
    )
    const again = {
      source: { sourceType: 'ACCOUNT', accountId: from?.['id'] },
      destination: { destinationType: 'ACCOUNT', accountId: to?.['id'] },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000,
      immediatelyExecute: true,
    }
    expectStatus(await platform.api.post('/quotes', again), 201)
    const id = mustParseId('platform', platform.platformId)
    await eventually(async () => {
      const found = { platform_id: id, currency: 'USD', amount: '10000' }
      assert.deepEqual(await waitingRefunds(), [found])
    })
  },
)

page(
  'docs/runbooks/money-to-return.md',
  'the balance of a rejected customer is found and returned',
  ({ of }) => {
    assert.match(of('look'), /REJECTED/)
    assert.match(of('return'), /amount\s+5000[^]*case-4711[^]*"balance":\{"amount":5000,/)
  },
)

page('docs/runbooks/database-restart.md', 'health is told', ({ of }) => {
  assert.match(of('look'), /"ok"\} 200\n.*"ready"\} 200\n/)
  assert.match(of('afterwards'), /PostgreSQL \d+/)
})

page('docs/runbooks/deposits.md', 'what comes in is credited, waits, goes back', ({ of }) => {
  assert.match(of('receive'), /status\s+TAKEN/)
  assert.match(of('attribute'), /UNATTRIBUTED\s+OWNER_UNKNOWN[^]*status\s+TAKEN/)
  assert.match(of('return'), /status\s+RETURNED/)
  assert.match(of('release'), /status\s+TAKEN[^]*"balance":\{"amount":151200,/)
})

page(
  'docs/runbooks/backup.md',
  'a backup restores to a proven installation',
  ({ of }) => assert.match(of('embedded'), /ok\s+true[^]*ok\s+true[^]*entries/),
  {
    env: {
      DATABASE_URL: undefined,
      DATA_DIR: join(scratch, 'embedded'),
      BACKUPS: scratch,
      RESTORED: join(scratch, 'restored'),
    },
    prepare: async () => {
      const dataDir = join(scratch, 'embedded')
      const embedded = await startServerProcess({ DATA_DIR: dataDir, MASTER_KEY })
      await embedded.end('SIGTERM')
    },
  },
)

// The last: afterwards the service beside it lacks the key that everything is sealed under.
page('docs/runbooks/key-rotation.md', 'tokens, webhook keys and the master key', ({ of }) => {
  assert.match(of('token'), /revoked\s+(true|yes)/)
  const keyOf = (text: string) => /BEGIN PUBLIC KEY-----[^-]+/.exec(text)?.[0]
  assert.ok(keyOf(of('webhook-key')))
  assert.match(of('master-key'), /ok\s+true\nkeyId\s+2026b\nresealed\s+[1-9]/)
})

const runnable = ['README.md', 'sdk/README.md', 'examples/README.md']
const inDocs = (await readdir(join(ROOT, 'docs'), { recursive: true }))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)

test('every page with something to run is run here', async () => {
  for (const path of [...runnable, ...inDocs]) {
    const { examples, files, snippets } = await readPage(path)
    const isRun = examples.size + files.size + snippets.size > 0
    assert.equal(tested.has(path), isRun, `${path} is run if it has something to run`)
  }
})
