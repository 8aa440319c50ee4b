/** Every block of the documentation is run as it stands, and what it prints is what the text says. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { verifyWebhook } from '../kit/outside/verify-webhook.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { expectStatus, text } from '../kit/api.ts'
import { PRINTED_ORIGIN, readPage, ROOT } from '../kit/pages/doc-examples.ts'
import { isForOperators, startDocPages } from '../kit/pages/doc-pages.ts'
import { eventually } from '../kit/eventually.ts'
import { startReceiver } from '../kit/outside/receiver.ts'

const { kit, origin, scratch, tested, page, snippet, mustRunAll } = await startDocPages()

const receiver = await startReceiver()
after(() => receiver.stop())

async function freePort(): Promise<string> {
  const free = await startReceiver()
  await free.stop()
  return new URL(free.url).port
}
const RECEIVER_PORT = await freePort()
const PROCESSOR_PORT = await freePort()

// A folder of the reader's own, with the package as it is published and what its wallet half needs.
const project = join(scratch, 'project')
const installed = join(project, 'node_modules/@florin/sdk')
await mkdir(installed, { recursive: true })
execFileSync(process.execPath, [join(ROOT, 'tools/sdk/build-sdk.ts'), installed])
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
  Number(/"balance":\{"amount":(\d+)/.exec(printed)?.[1])

// A beginner follows these on one platform, and perhaps again. The first time npm and npx start the commands.
const newcomer = await kit.platform()
for (const { round, ...started } of [
  { round: 'at first', isByNpm: true },
  { round: 'and again' },
] as const) {
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
    { env: { ENDPOINT: receiver.url }, platform: newcomer, ...started },
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
      const steps = [
        'PENDING',
        'PROCESSING',
        'COMPLETED',
        'FAILED',
        'REFUND_PENDING',
        'REFUND_COMPLETED',
      ]
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
      ...started,
    },
  )
}

test('README.md: customers are listed in TypeScript', async () => {
  const { api, clientId, clientSecret } = await kit.platform()
  const customer = await api.post('/customers', { customerType: 'INDIVIDUAL' })
  const printed = await snippet('README.md', 'list', { given: { clientId, clientSecret } })
  assert.equal(printed, `${expectStatus(customer, 201).id}\n`)
})

tested.add('sdk/README.md')
test('sdk/README.md: a payment is on its way', async () => {
  const { api, clientId, clientSecret } = await kit.platform()
  const usd = await api.get('/platform/internal-accounts', { query: { currency: 'USD' } })
  const accountId = text(expectStatus(usd, 200).data[0]?.id)
  const fund = { amount: 10_000 }
  expectStatus(await api.post(`/sandbox/internal-accounts/${accountId}/fund`, fund), 200)
  const address = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  const wallet = { currency: 'USDC', accountInfo: { accountType: 'SOLANA_WALLET', address } }
  const payee = expectStatus(await api.post('/platform/external-accounts', wallet), 201).id
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

page('docs/guides/feed-prices.md', 'registered, pushed, spread, stale, jumped', ({ of }) => {
  assert.match(of('register'), /ports\s+.*prices/)
  assert.match(of('push'), /EUR\s+feed\s+0\.92\s+0\.9198\s+0\.9202/)
  assert.match(of('pull'), /pullSeconds/)
  const received = [...of('spread').matchAll(/"receivingAmount":(\d+)/g)].map(
    ([, amount]) => amount,
  )
  assert.deepEqual(received, ['919800', '917500'])
  assert.match(of('stale'), /"result":"APPLIED"[^]*"data":\[\][^]*MXN\s+feed/)
  assert.match(of('jump'), /"result":"EXCEPTION"[^]*PRICE_JUMP[^]*RESOLVED[^]*EUR\s+feed\s+1\.84/)
})

page(
  'docs/guides/connect-a-card-processor.md',
  'registered, issued, authorized, cleared, stood in, shown',
  ({ of }) => {
    assert.match(of('register'), /ports\s+.*cards/)
    assert.match(of('issue'), /"state":"ACTIVE"[^]*"last4":"4242"[^]*CARD_ISSUE\s+.*DECIDED/)
    const decisions = [...of('authorize').matchAll(/"decision":"(\w+)"/g)].map(([, one]) => one)
    assert.deepEqual(decisions, ['APPROVED', 'APPROVED', 'DECLINED'])
    const transactions = of('authorize').match(/CardTransaction:[0-9a-f-]+/g) ?? []
    assert.equal(new Set(transactions).size, 2)
    assert.match(of('authorize'), /"declineReason":"INSUFFICIENT_FUNDS"/)
    assert.equal(balanceIn(of('authorize')), 48_750)
    const results = [...of('events').matchAll(/"result":"(\w+)"/g)].map(([, result]) => result)
    assert.deepEqual(results, ['APPLIED', 'DUPLICATE', 'APPLIED', 'APPLIED'])
    assert.equal(balanceIn(of('events')), 49_000)
    assert.equal(of('stand-in').match(/"decision":"APPROVED"/g)?.length, 2)
    assert.equal(balanceIn(of('stand-in')), 48_300)
    assert.match(
      of('reveal'),
      /"panEmbedUrl":"https:\/\/cards\.processor\.example\/show\?card=p-Card:/,
    )
  },
  {
    replaced: { '9701': PROCESSOR_PORT, 'processor.mjs': join(scratch, 'processor.mjs') },
    prepare: async () => {
      const { files } = await readPage('docs/guides/connect-a-card-processor.md')
      const program = (files.get('processor.mjs') ?? '').replace('9701', PROCESSOR_PORT)
      await writeFile(join(scratch, 'processor.mjs'), program)
    },
  },
)

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
    assert.match(of('oauth'), /^\{"id":"Session:[^]*"type":"OAUTH"/)
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
  const missing = /RESOLVE_ERRORS[^]*"field":"birthDate"[^]*MISSING_IDENTITY_DOCUMENT/
  assert.match(of('person'), missing)
  assert.match(of('documents'), /"UNREADABLE"[^]*"fileName":"passport\.pdf"[^]*"APPROVED"/)
  assert.match(of('company'), /"verificationStatus":"APPROVED"/)
  assert.match(of('terms'), /"endUserTermsConsent":\{[^}]*"termsVersion":"V1"/)
  assert.match(of('leaving'), /"fullName":"Ana Maria Example"/)
  assert.match(of('leaving'), /"isDeleted":true/)
})

page('docs/guides/command-line.md', 'logged in, and events arrive', ({ of }) => {
  assert.match(of('login'), /clientId/)
  assert.match(of('tail'), /INCOMING_PAYMENT\.COMPLETED +Webhook:/)
  assert.match(of('demo'), /customers +16/)
  assert.match(of('trigger'), /id +Webhook:[^]*"id":"Webhook:/)
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

page(
  'docs/guides/connect-a-kyc-vendor.md',
  'proven, registered, screened, released, alerted',
  ({ of }) => {
    assert.match(of('prove'), /^401$/m)
    assert.match(of('prove'), /screening/)
    assert.doesNotMatch(of('prove'), /^fail/m)
    assert.match(of('register'), /identity.*screening/)
    assert.match(of('screen'), /"kycStatus":"HOLD"[^]*SCREENING_BLOCK[^]*Jane Blocked/)
    assert.match(of('release'), /not without a note[^]*"status": ?"ACTIVE"/)
    assert.match(of('alert'), /"result":"APPLIED"[^]*"result":"DUPLICATE"[^]*ALERT_PEP/)
  },
  {
    replaced: { '4100': RECEIVER_PORT, 'vendor.mjs': join(scratch, 'vendor.mjs') },
    prepare: async () => {
      const { files } = await readPage('docs/guides/connect-a-kyc-vendor.md')
      await writeFile(join(scratch, 'vendor.mjs'), files.get('vendor.mjs') ?? '')
    },
  },
)

test('every page with something to run is run here', () =>
  mustRunAll((path) => !isForOperators(path)))
