import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { client, expectError, expectStatus, items, text } from '../../../../test/kit/api.ts'
import { newCard } from '../../../../test/kit/cards.ts'
import { externalAccountBody } from '../../../../test/kit/accounts/external-account-bodies.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { sendAsProvider } from '../../../../test/kit/outside/send-as-provider.ts'
import {
  END_USER,
  enrolTotp,
  newScaCustomer,
  scaOf,
  startSmsLogin,
} from '../../../../test/kit/sca/sca.ts'
import { newLink } from '../../../../test/kit/stablecoins.ts'
import {
  completeBusiness,
  completePerson,
  submitted,
} from '../../../../test/kit/onboarding/verification.ts'
import { delegate, logIn, walletOn } from '../../../../test/kit/wallets/wallets.ts'
import { createFlorin, type Florin } from '../../../app/florin.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import { mustParseId } from '../../../kernel/ids.ts'
import { SEALED_COLUMNS } from '../../reseal/sealed-columns.ts'

// Contact data is sealed too, so that all columns of the table have values.
const kit = await startOwnKit({ SEAL_CONTACT_DATA: 'on' })
const { settings, log, db } = kit.florin.deps
const OLD_KEY = settings.masterKey ?? ''
const NEW_KEY = `2027:${randomBytes(32).toString('base64')}`

const started: Florin[] = []
after(() => Promise.all(started.map((one) => one.stop())))

/** The same installation with other keys. */
async function restart(masterKey: string): Promise<Readonly<{ florin: Florin; baseUrl: string }>> {
  const florin = await createFlorin({
    settings: { ...settings, databaseUrl: kit.databaseUrl, masterKey },
    log,
    checkReplies: true,
    worker: false,
  })
  started.push(florin)
  const origin = await florin.http.listen({ host: '127.0.0.1', port: 0 })
  return { florin, baseUrl: `${origin}/2025-10-13` }
}

const platform = await kit.platform({ currencies: ['USD', 'EUR', 'USDB'] })

/** One of nearly everything that is kept sealed. */
async function fill({ api }: TestPlatform) {
  const person = await completePerson(platform)
  const business = await completeBusiness(platform)
  await submitted(platform, business)
  const account = externalAccountBody('USD_ACCOUNT')
  const external = expectStatus(await api.post('/platform/external-accounts', account), 201)
  await newCard(platform)
  const bank = '--name bank --kind http --ports rails --url https://127.0.0.1'
  const provider = await operate(kit, `providers add ${bank}`)
  await operate(kit, 'providers rotate-secret bank')
  expectStatus(
    await sendAsProvider(kit, { provider, path: 'reports', body: { reports: [1] } }),
    200,
  )
  await newLink(api)
  const sca = await newScaCustomer(platform)
  const recoveryCodes = items(await enrolTotp(sca)).map(text)
  await startSmsLogin(sca)
  const wallet = await walletOn(platform)
  await delegate(wallet)
  const link = `/customers/${person.id}/kyc-link`
  const keyed = { headers: { 'Idempotency-Key': 'link-1' } }
  const shown = expectStatus(await api.post(link, {}, keyed), 201)
  // What was asked is written a second later.
  await eventually(async () => {
    const kept = sql`select 1 from request_log where content is not null limit 1`
    assert.equal((await db.read.many(kept)).length, 1)
  })
  return { person, business, account, external, sca, recoveryCodes, wallet, link, keyed, shown }
}

test('CORE-90 keys reseal lets the old key go, and everything is found as it was', async () => {
  const made = await fill(platform)
  const readAll = async ({ api }: Pick<TestPlatform, 'api'>) => {
    const ids = [made.person, made.business].map(({ id }) => id)
    const paths = [
      ...ids.map((id) => `/customers/${id}`),
      ...ids.map((id) => `/documents?documentHolder=${id}`),
      `/beneficial-owners?customerId=${made.business.id}`,
      `/platform/external-accounts/${made.external.id}`,
      `/auth/credentials?accountId=${made.wallet.accountId}`,
      '/auth/wallet-signer',
    ]
    return Promise.all(paths.map(async (path) => expectStatus(await api.get(path), 200)))
  }
  const before = await readAll(platform)
  const both = await restart(`${NEW_KEY},${OLD_KEY}`)
  const done = await operate(both, 'keys reseal --batch 2')
  assert.deepEqual([done['ok'], done['keyId'], done['unopened']], [true, '2027', 0])
  const parts = items(done['parts']).map(({ what }) => text(what))
  const untouched = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).filter(
    (name) => !parts.includes(name),
  )
  // Nothing of them is there at this moment.
  assert.deepEqual(untouched, [
    'transactions.payment_instructions',
    'transactions.counterparty_information',
    'uma_payer_data.data',
    'wallet_otps.target_scalar',
    'wallet_requests.reply',
    'sca_enrolments.secret',
    'identity_decisions.evidence',
    'screenings.matches',
    'proposals.sealed_input',
    'proposals.sealed_result',
    'alerts.content',
    'deposits.sender_account',
    'provider_orders.body',
    'provider_orders.sealed_secret',
    'order_reports.content',
  ])
  assert.ok(parts.includes('files'))
  // The process with the old key writes its log of requests a second later.
  await eventually(async () => {
    const again = await operate(both, 'keys reseal')
    assert.deepEqual([again['ok'], again['resealed']], [true, 0])
  })

  const only = await restart(NEW_KEY)
  const api = client(only.baseUrl, platform)
  assert.deepEqual(await readAll({ api }), before)
  const details = expectError(
    await api.post('/platform/external-accounts', made.account),
    409,
    'CONFLICT',
  )
  assert.equal(text(details['externalAccountId']), made.external.id, 'EACC-10 still holds')
  assert.deepEqual(expectStatus(await api.post(made.link, {}, made.keyed), 201), made.shown)
  const sca = scaOf(api, made.sca.customerId)
  const { challengeId } = expectStatus(await sca.post('/login/start', { factor: 'TOTP' }), 200)
  const [code] = made.recoveryCodes
  const proof = { factor: 'TOTP', challengeId, code, endUserIpAddress: END_USER }
  expectStatus(await sca.post('/login/complete', proof), 200)
  await logIn({ ...made.wallet, platform: { ...platform, api }, api })
  for await (const id of only.florin.deps.files.listBefore(new Date(Date.now() + 1000))) {
    let bytes = 0
    for await (const chunk of only.florin.deps.files.read(id)) bytes += chunk.length
    assert.ok(bytes > 0, 'an uploaded file opens under the new key alone')
  }
})

test('CORE-90 what does not open is counted and left alone', async () => {
  const { platformId } = await kit.platform()
  const id = mustParseId('platform', platformId)
  const keyNow = () =>
    db.read.one<{ sealed: Buffer }>(
      sql`select webhook_private_key as sealed from platforms where id = ${id}`,
    )
  const before = await keyNow()
  const strange = await restart(`2028:${randomBytes(32).toString('base64')},${NEW_KEY}`)
  const done = await operate(strange, 'keys reseal')
  assert.equal(done['ok'], false, 'it was sealed under a key that is not given')
  const part = items(done['parts']).find(
    ({ what }) => text(what) === 'platforms.webhook_private_key',
  )
  assert.deepEqual(part?.['unopened'], 1)
  assert.deepEqual(await keyNow(), before)
})

/** Digests and their salts, public keys, proofs of a key, logos and what was sent in the open: nothing to seal. */
const UNSEALED = /[._](digest|hash|salt|fingerprint|public_key|challenge|check_value|logo)$/

test('CORE-90 every column of bytes is known: sealed, an index of a sealed one, or no secret', async () => {
  const columns = await db.read.many<{ name: string }>(
    sql`select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = current_schema() and (data_type = 'bytea' or udt_name = '_bytea')
        order by 1`,
  )
  const sealed = SEALED_COLUMNS.flatMap(({ table, column, beside }) =>
    [column, ...(beside?.columns ?? [])].map((name) => `${table}.${name}`),
  )
  assert.deepEqual(
    columns
      .map(({ name }) => name)
      .filter((name) => !sealed.includes(name) && !UNSEALED.test(name)),
    [],
    'add a sealed column to sealed-columns.ts',
  )
})
