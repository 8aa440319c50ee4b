/** Every shell block of the documentation is run as it stands, and what it prints is what the text says. */
import assert from 'node:assert/strict'
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { verifyWebhook } from '../../src/crypto/webhook-signature.ts'
import { sql } from '../../src/infra/db/sql.ts'
import { mustParseId, newUuid } from '../../src/kernel/ids.ts'
import { expectStatus, items } from '../kit/api.ts'
import { PRINTED_ORIGIN, readPage, ROOT, runExamples } from '../kit/doc-examples.ts'
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
  env?: Record<string, string>
  replaced?: Record<string, string>
  prepare?: (platform: TestPlatform) => Promise<void>
}>

const run = async (path: string, { env, replaced, prepare }: Surroundings): Promise<Printed> => {
  const platform = await kit.platform()
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
    ...(replaced && { replaced }),
  })
  return { of: (example) => printed.get(example) ?? assert.fail(example), platform }
}

const tested = new Set<string>()

/** One page, run from top to bottom on a platform of its own. */
function page(
  path: string,
  about: string,
  check: (printed: Printed) => Promise<void> | void,
  surroundings: Surroundings = {},
): void {
  tested.add(path)
  test(`${path}: ${about}`, async () => check(await run(path, surroundings)))
}

const receiver = await startReceiver()
after(() => receiver.stop())

page(
  'README.md',
  'an account is funded, a wallet paid, and signed events arrive',
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
  },
  { env: { ENDPOINT: receiver.url } },
)

page('docs/guides/first-payout.md', 'priced, paid, failed and refunded', ({ of }) => {
  assert.match(of('destination'), /"status":"ACTIVE"/)
  assert.match(of('quote'), /"status":"PENDING"/)
  assert.match(of('quote'), /"totalSendingAmount":10000,/)
  assert.match(of('execute'), /"status":"PROCESSING"[^]*"status":"COMPLETED"/)
  assert.match(of('failure'), /"status":"FAILED"/)
  assert.match(of('failure'), /"failureReason":"QUOTE_EXECUTION_FAILED"/)
  assert.match(of('failure'), /"balance":\{"amount":190000,/, 'one of the two came back')
  for (const step of ['PROCESSING', 'COMPLETED', 'FAILED', 'REFUND_PENDING', 'REFUND_COMPLETED']) {
    assert.match(of('events'), new RegExp(`"OUTGOING_PAYMENT\\.${step}"`))
  }
  assert.match(of('events'), /"INTERNAL_ACCOUNT\.BALANCE_UPDATED"/)
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

const RECEIVER_PORT = await (async () => {
  const free = await startReceiver()
  await free.stop()
  return new URL(free.url).port
})()

page(
  'docs/guides/receiving-webhooks.md',
  'the receiver takes what is genuine, once',
  ({ of }) => {
    const heard = ['run', 'connect', 'hear', 'look'].map(of).join('\n')
    assert.match(of('run'), /^401$/m)
    assert.match(of('connect'), /"response_status":204/)
    assert.match(heard, /^received INCOMING_PAYMENT\.COMPLETED Transaction:/m)
    assert.match(heard, /^received INTERNAL_ACCOUNT\.BALANCE_UPDATED InternalAccount:/m)
    assert.equal(heard.match(/^received INCOMING_PAYMENT\.COMPLETED/gm)?.length, 1)
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

// Beside the packages, so that programs find the SDK as they would when it is installed.
const PROGRAMS = join(ROOT, '.cache', `sdk-${newUuid()}`)
after(() => rm(PROGRAMS, { recursive: true, force: true }))

page(
  'docs/guides/sdk.md',
  'pays, listens and signs',
  ({ of }) => {
    assert.match(of('pay'), /^paid 100\.00 USD\nINSUFFICIENT_BALANCE \{[^}]*required/m)
    assert.match(of('pay'), /^Transaction:\S+ COMPLETED$/m)
    assert.match(of('receive'), /^401$/m)
    assert.match(of('receive'), /^balance is now \d+$/m)
    assert.match(of('receive'), /"response_status":204/)
    assert.match(of('sign'), /^logged in with EMAIL_OTP\nprivate true$/m)
  },
  {
    replaced: {
      '4000': RECEIVER_PORT,
      'pay.mjs': join(PROGRAMS, 'pay.mjs'),
      'receive.mjs': join(PROGRAMS, 'receive.mjs'),
      'sign.mjs': join(PROGRAMS, 'sign.mjs'),
    },
    prepare: async () => {
      const { files } = await readPage('docs/guides/sdk.md')
      await mkdir(PROGRAMS, { recursive: true })
      for (const [name, text] of files) {
        await writeFile(join(PROGRAMS, name), text.replaceAll(PRINTED_ORIGIN, origin))
      }
    },
  },
)

page(
  'docs/guides/going-to-production.md',
  'settings, a platform and its prices',
  async ({ of }) => {
    const settings = await readFile(join(scratch, 'florin.env'), 'utf8')
    assert.match(settings, /^MASTER_KEY=2026a:[A-Za-z0-9+/]{43}=$/m)
    assert.match(of('platform'), /^clientSecret\s+\S+/m)
    assert.match(of('platform'), /EUR/)
  },
  {
    replaced: {
      'florin.env': join(scratch, 'florin.env'),
      // The block that follows is the same operator at the same installation.
      'MASTER_KEY=$(': 'NEW_MASTER_KEY=$(',
      '2026a:$MASTER_KEY': '2026a:$NEW_MASTER_KEY',
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

// The last: afterwards the service beside it lacks the key that everything is sealed under.
page('docs/runbooks/key-rotation.md', 'tokens, webhook keys and the master key', ({ of }) => {
  assert.match(of('token'), /revoked\s+(true|yes)/)
  const keyOf = (text: string) => /BEGIN PUBLIC KEY-----[^-]+/.exec(text)?.[0]
  assert.ok(keyOf(of('webhook-key')))
  assert.match(of('master-key'), /ok\s+true\nkeyId\s+2026b\nresealed\s+[1-9]/)
})

/** Where a link of a page leads, as a path of the repository; none for addresses of the web. */
const linksOf = (path: string, text: string): string[] =>
  [...text.matchAll(/\]\(([^)#\s]+)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => join(dirname(path), target))

const FOLDERS = ['docs/concepts', 'docs/guides', 'docs/runbooks']
const FRONT_PAGES = ['server/src/ledger/README.md', 'sdk/README.md', 'examples/README.md']
const inFolders = await Promise.all(
  FOLDERS.map(async (folder) => {
    const names = await readdir(join(ROOT, folder))
    return names.map((name) => `${folder}/${name}`)
  }),
)
const pages = inFolders.flat()

test('every page with shell blocks is run, and each of its blocks is an example', async () => {
  for (const path of pages) {
    const { examples, shellBlocks } = await readPage(path)
    assert.equal(examples.size, shellBlocks, `${path}: each shell block has a name of its own`)
    assert.equal(tested.has(path), shellBlocks > 0, `${path} is run if it has something to run`)
  }
})

test('every link from page to page leads somewhere', async () => {
  const roots = (await readdir(ROOT)).filter((name) => name.endsWith('.md'))
  for (const path of [...roots, ...FRONT_PAGES, ...pages]) {
    const text = await readFile(join(ROOT, path), 'utf8')
    for (const target of linksOf(path, text)) {
      await assert.doesNotReject(access(join(ROOT, target)), `${path} links to ${target}`)
    }
  }
})
