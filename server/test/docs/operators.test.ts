/** The pages for operators: every block is run as it stands, and what it prints is what the text says. */
import assert from 'node:assert/strict'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { serve } from '../../src/app/serve.ts'
import { NETWORKS } from '../../src/features/rates/index.ts'
import { findFreePort } from '../../src/infra/db/embedded/postmaster.ts'
import { sql } from '../../src/infra/db/statement/sql.ts'
import { loadSettings } from '../../src/infra/settings/settings.ts'
import { mustParseId, newUuid } from '../../src/kernel/ids.ts'
import { RESOLUTIONS } from '../../src/orders/exceptions/resolutions.ts'
import { expectStatus, items, text } from '../kit/api.ts'
import { cloneDatabase } from '../kit/database/database.ts'
import { readPage, ROOT } from '../kit/pages/doc-examples.ts'
import { isForOperators, startDocPages } from '../kit/pages/doc-pages.ts'
import { eventually } from '../kit/eventually.ts'
import type { TestPlatform } from '../kit/florin.ts'
import { scriptedProvider } from '../kit/outside/scripted-provider.ts'
import { payee, payer, quote } from '../kit/payments.ts'
import { MASTER_KEY } from '../kit/processes/server-process.ts'
import { silentLog } from '../kit/processes/silent-log.ts'

const { kit, scratch, page, mustRunAll } = await startDocPages()

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
    replaced: { 'postgres://florin:secret@db.internal/florin': production.url },
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
    const [to] = items((await platform.api.get('/platform/external-accounts')).body.data)
    const [from] = items(
      (await platform.api.get('/platform/internal-accounts', { query: { currency: 'USD' } })).body
        .data,
    )
    const again = {
      source: { sourceType: 'ACCOUNT', accountId: from?.id },
      destination: { destinationType: 'ACCOUNT', accountId: to?.id },
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

/** A payout that its provider reports as settled with another amount. */
async function reportOtherAmount(platform: TestPlatform): Promise<void> {
  const { account, customerId } = await payer(platform)
  const options = `--environment SANDBOX --platform ${platform.platformId} --ports rails`
  const provider = await scriptedProvider(kit, options)
  const to = await payee(platform, 'EUR_ACCOUNT', { customerId })
  const asked = { from: account, to, amount: 10_000, immediatelyExecute: true }
  const paid = expectStatus(await quote(platform, asked), 201)
  const order = await provider.orderOf(paid.transactionId)
  const said = { state: 'SETTLED', amount: { amount: 9_153, currency: 'EUR' } }
  assert.equal(text((await provider.report(order, 1, said))['result']), 'EXCEPTION')
}

page(
  'docs/runbooks/exceptions.md',
  'a contradiction is looked at and resolved',
  async ({ of }) => {
    assert.match(of('look'), /AMOUNT_MISMATCH[^]*9153/)
    assert.match(of('decide'), /RESOLVED[^]*state\s+FAILED/)
    const rows = await readFile(join(ROOT, 'docs/runbooks/exceptions.md'), 'utf8')
    for (const [type, ways] of Object.entries(RESOLUTIONS)) {
      const named = ways.map((way) => `\`${way}\``).join(', ')
      assert.match(rows, new RegExp(`^\\| \`${type}\` \\| .* \\| ${named} \\|$`, 'm'), type)
    }
  },
  { prepare: reportOtherAmount },
)

page(
  'docs/runbooks/money-to-return.md',
  'the balance of a rejected customer is found and returned',
  ({ of }) => {
    assert.match(of('look'), /REJECTED/)
    assert.match(of('return'), /amount\s+50\.00 USD[^]*case-4711[^]*"balance":\{"amount":5000,/)
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
      const env = { DATA_DIR: join(scratch, 'embedded'), MASTER_KEY, PORT: '0', ADMIN_PORT: '0' }
      const embedded = await serve(loadSettings(env, { cwd: scratch }), silentLog)
      await embedded.stop()
    },
  },
)

// After those that ask doctor: its platform has no prices.
const BANK_PORT = String(await findFreePort())

page(
  'docs/guides/connect-your-bank.md',
  'PROV-1 a bank is proven and registered, opens an account, pays, returns, contradicts itself',
  ({ of }) => {
    assert.match(of('prove'), /^11 passed, 0 failed, 0 skipped$/m)
    assert.match(of('register'), /ports\s+rails, deposits\n/)
    assert.match(of('account'), /"status":"ACTIVE"[^]*"accountType":"US_ACCOUNT"/)
    assert.match(of('deposit'), /"result":"APPLIED"[^]*"TAKEN"[^]*"amount":150000/)
    assert.match(of('pay'), /"status":"COMPLETED"[^]*SETTLED/)
    assert.match(of('return'), /"result":"APPLIED"[^]*"amount":144000/)
    assert.match(of('exception'), /"EXCEPTION"[^]*FAILED_AFTER_SETTLED[^]*RESOLVED/)
    assert.match(of('rotate'), /whsec_/)
  },
  {
    replaced: { '9700': BANK_PORT, 'bank.mjs': join(scratch, 'bank.mjs') },
    prepare: async () => {
      const { files } = await readPage('docs/guides/connect-your-bank.md')
      await writeFile(join(scratch, 'bank.mjs'), files.get('bank.mjs') ?? '')
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

test('every page for operators with something to run is run here', () => mustRunAll(isForOperators))
