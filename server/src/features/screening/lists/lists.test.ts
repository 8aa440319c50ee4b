import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, items, text, type Body } from '../../../../test/kit/api.ts'
import { CUSTOMERS, newAccount } from '../../../../test/kit/accounts/external-accounts.ts'
import { BUSINESS, createCustomer, readCustomer } from '../../../../test/kit/customers.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { createOwner } from '../../../../test/kit/onboarding/beneficial-owners.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { payee } from '../../../../test/kit/payments.ts'
import { newScaCustomer, RIGHT } from '../../../../test/kit/sca/sca.ts'
import {
  MATCH,
  screeningProvider,
  type Screener,
} from '../../../../test/kit/setups/screening-provider.ts'
import { newWallet } from '../../../../test/kit/wallets/signing-wallets.ts'
import { mustParseId } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'

const kit = await startOwnKit()
const { db } = kit.florin.deps

const newVersion = async ({ provider }: Screener, version: string): Promise<Body | undefined> =>
  (await provider.post('lists', { version }))['queued']

const accountStatus = async ({ api }: TestPlatform, id: string): Promise<string> =>
  expectStatus(await api.get(`/customers/external-accounts/${id}`), 200).status

test('PROV-106 every live subject is asked about once under a new version, oldest first', async () => {
  const platform = await kit.platform()
  const person = await createCustomer(platform, { fullName: 'Jane Doe' })
  const business = await createCustomer(platform, BUSINESS)
  const owner = await createOwner(platform, business.id)
  const account = await payee(platform, 'EUR_ACCOUNT', { customerId: person.id })
  const wallet = await payee(platform, 'SPARK_WALLET', { customerId: person.id })
  const gone = await createCustomer(platform, { fullName: 'Jane Gone' })
  expectStatus(await platform.api.delete(`/customers/${gone.id}`), 200)
  await createCustomer(platform)
  const screener = await screeningProvider(kit, platform)
  const subjects = [person.id, business.id, owner.id].map((id) => id)
  const all = [...subjects, account, wallet]
  assert.equal(await newVersion(screener, '1'), all.length)
  await eventually(() => assert.equal(screener.provider.orders().length, all.length))
  const asked = screener.provider
    .orders()
    .toSorted((a, b) => (text(a['id']) < text(b['id']) ? -1 : 1))
    .map(({ subject }) => text(subject))
  assert.deepEqual(asked, all, 'oldest first')
  for (const subject of all) await screener.decide(subject, 'CLEAR')
  assert.equal(await newVersion(screener, '1'), 0, 'the version is known')
  const late = await createCustomer(platform, { fullName: 'Jane Late' })
  await screener.decide(late.id, 'CLEAR')
  assert.equal(screener.provider.orders().length, all.length + 1)
})

test('PROV-106 PROV-5 an account is asked about again by the provider of its currency', async () => {
  const platform = await kit.platform()
  const general = await screeningProvider(kit, platform)
  const euro = await screeningProvider(kit, platform, { options: '--currency EUR' })
  const { id: customerId } = await createCustomer(platform, { fullName: 'Jane Doe' })
  const inEuro = await payee(platform, 'EUR_ACCOUNT', { customerId })
  const inPounds = await payee(platform, 'GBP_ACCOUNT', { customerId })
  await euro.decide(inEuro, 'CLEAR')
  assert.equal(await newVersion(euro, '2'), 1)
  assert.equal(await newVersion(general, '2'), 2)
  await eventually(() => assert.equal(euro.countOf(inEuro), 2))
  await eventually(() => assert.equal(general.countOf(inPounds), 2))
  await eventually(() => assert.equal(general.countOf(customerId), 2))
  const counts = [general.countOf(inEuro), euro.provider.orders().length]
  assert.deepEqual(counts, [0, 2], 'nobody asks about what is not its own')
})

test('PROV-106 only a worse verdict acts, a better one lifts nothing', async () => {
  const platform = await kit.platform()
  const customer = await createCustomer(platform, { fullName: 'Jane Doe' })
  const customerId = customer.id
  const account = await payee(platform, 'EUR_ACCOUNT', { customerId })
  const screener = await screeningProvider(kit, platform)
  let version = 0
  const round = async (verdict: string, on: string): Promise<void> => {
    version += 1
    const before = screener.countOf(on)
    await newVersion(screener, String(version))
    await eventually(() => assert.equal(screener.countOf(on), before + 1))
    await screener.decide(on, verdict, verdict === 'CLEAR' ? [] : [MATCH])
  }
  await round('REVIEW', account)
  assert.equal(await accountStatus(platform, account), 'UNDER_REVIEW')
  await operate(kit, `external-accounts set-status ${account} ACTIVE`)
  await round('REVIEW', account)
  assert.equal(await accountStatus(platform, account), 'ACTIVE', 'the operator has decided')
  await round('BLOCK', account)
  assert.equal(await accountStatus(platform, account), 'INACTIVE')
  await round('CLEAR', account)
  assert.equal(await accountStatus(platform, account), 'INACTIVE')
  const lines = items(await operate(kit, `review list --platform ${platform.platformId}`))
  const line = lines.find((one) => text(one['customerId']) === customerId)
  assert.deepEqual(line?.['reasons'], ['SCREENING_CLEAR'], 'PROV-107 a CLEAR says so')
  const activate = `external-accounts set-status ${account} ACTIVE`
  await assert.rejects(operate(kit, activate), { code: 'INVALID_INPUT' })
  await operate(kit, `${activate} --note`, 'another person')
  assert.equal(await accountStatus(platform, account), 'ACTIVE')
  await round('BLOCK', customerId)
  assert.equal((await readCustomer(platform, customer)).kycStatus, 'HOLD')
})

test('PROV-102 PROV-103 trust in an account ends when it is blocked', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const { customerId } = await newScaCustomer(platform)
  const account = await newAccount(api, {
    customerId,
    currency: 'USDC',
    ownershipType: 'THIRD_PARTY',
    accountInfo: { accountType: 'SOLANA_WALLET', address: newWallet().address },
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Doe' },
  })
  const path = `${CUSTOMERS}/${account.id}`
  const { scaChallenge } = expectStatus(await api.post(`${path}/trust`), 200)
  const proof = { challengeId: scaChallenge?.['id'], code: RIGHT }
  expectStatus(await api.post(`${path}/trust/confirm`, proof), 200)
  expectError(await api.delete(path), 409, 'BENEFICIARY_TRUSTED')
  const screener = await screeningProvider(kit, platform)
  await newVersion(screener, '1')
  await screener.decide(account.id, 'BLOCK', [MATCH])
  assert.equal(await accountStatus(platform, account.id), 'INACTIVE')
  assert.equal((await api.delete(path)).status, 204, 'TRUST-9 only a trusted one is kept')
})

test('PROV-106 at most 20 subjects a second are asked about', async () => {
  const platform = await kit.platform()
  const names = Array.from({ length: 45 }, (_, index) => ({ fullName: `Jane ${index} Doe` }))
  await Promise.all(names.map((name) => createCustomer(platform, name)))
  const screener = await screeningProvider(kit, platform)
  const begun = Date.now()
  assert.equal(await newVersion(screener, '1'), names.length)
  await eventually(() => assert.equal(screener.provider.orders().length, names.length))
  assert.ok(Date.now() - begun >= 2_000, 'three seconds have begun')
})

test('PROV-106 every night at 02:00 UTC the version is asked for', async () => {
  const platform = await kit.platform()
  const customer = await createCustomer(platform, { fullName: 'Jane Doe' })
  const screener = await screeningProvider(kit, platform)
  screener.provider.answer(({ path }) =>
    path === '/lists'
      ? { json: { version: '2026-11-16' } }
      : { json: { state: 'ACCEPTED', reference: 'A1' } },
  )
  const key = mustParseId('provider', screener.provider.id)
  const dueOf = async (): Promise<Date> => {
    const [job] = await db.read.many<{ dueAt: Date }>(
      sql`select due_at from jobs where name = 'screening.pull-version' and key = ${key} and state = 'WAITING'`,
    )
    assert.ok(job)
    return job.dueAt
  }
  assert.match((await dueOf()).toISOString(), /T02:00:00.000Z$/)
  await db.read.run(
    sql`update jobs set due_at = now() where name = 'screening.pull-version' and key = ${key}`,
  )
  await screener.orderOf(customer.id)
  const calls = screener.provider.received.map(({ method, path }) => `${method} ${path}`)
  assert.equal(calls.filter((call) => call === 'GET /lists').length, 1)
  await eventually(async () => assert.ok((await dueOf()) > new Date()))
})
