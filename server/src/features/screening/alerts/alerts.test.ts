import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, items, text, type Body } from '../../../../test/kit/api.ts'
import {
  BUSINESS,
  createCustomer,
  listAccounts,
  readCustomer,
} from '../../../../test/kit/customers.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { createOwner } from '../../../../test/kit/onboarding/beneficial-owners.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  scriptedProvider,
  type ScriptedProvider,
} from '../../../../test/kit/outside/scripted-provider.ts'
import { payee, payer, quote } from '../../../../test/kit/payments.ts'
import { MATCH } from '../../../../test/kit/setups/screening-provider.ts'
import { newUuid } from '../../../kernel/ids.ts'

const kit = await startOwnKit()

type Setup = Readonly<{ platform: TestPlatform; provider: ScriptedProvider }>

async function setup(): Promise<Setup> {
  const platform = await kit.platform()
  const line = `--environment SANDBOX --platform ${platform.platformId} --ports identity`
  return { platform, provider: await scriptedProvider(kit, line) }
}

const alertOn = (subject: string, more: object = {}) => ({
  alertId: newUuid(),
  subject,
  kind: 'SANCTIONS',
  level: 'BLOCK',
  matches: [MATCH],
  message: 'Found on a list.',
  at: '2026-11-15T09:12:00.000Z',
  ...more,
})

const send = async ({ provider }: Setup, ...alerts: readonly object[]): Promise<readonly Body[]> =>
  items((await provider.post('alerts', { alerts }))['results'])

const results = (sent: readonly Body[]): (string | undefined)[] =>
  sent.map(({ result, code }) => text(code ?? result))

const lineOf = async ({ platform }: Setup, id: string): Promise<Body | undefined> =>
  items(await operate(kit, `review list --platform ${platform.platformId}`)).find(
    ({ customerId }) => text(customerId) === id,
  )

test('PROV-96 a BLOCK alert holds the customer and freezes its accounts, once per alertId', async () => {
  const on = await setup()
  const { account, customerId } = await payer(on.platform)
  const to = await payee(on.platform, 'EUR_ACCOUNT', { customerId })
  const alert = alertOn(customerId)
  assert.deepEqual(results(await send(on, alert, alert)), ['APPLIED', 'DUPLICATE'])
  const customer = await readCustomer(on.platform, { id: customerId })
  assert.equal(customer.kycStatus, 'HOLD')
  const accounts = await listAccounts(on.platform, customer)
  assert.deepEqual([...new Set(accounts.map(({ status }) => status))], ['FROZEN'])
  assert.deepEqual((await lineOf(on, customerId))?.['reasons'], ['SUBMITTED', 'ALERT_SANCTIONS'])
  expectError(await quote(on.platform, { from: account, to, amount: 1_000 }), 403, 'USER_NOT_READY')
  const file = await operate(kit, `review show ${customerId}`)
  const [shown] = items(file['alerts'])
  assert.deepEqual(
    [shown?.['alertId'], shown?.['message'], shown?.['matches']],
    [alert.alertId, alert.message, [MATCH]],
  )
  await operate(kit, `review release ${customerId} --note`, 'cleared by the bank')
  assert.deepEqual(results(await send(on, alert)), ['DUPLICATE'])
  assert.equal((await readCustomer(on.platform, customer)).kycStatus, 'APPROVED')
})

test('PROV-96 an alert about an owner holds its business; REVIEW freezes nothing', async () => {
  const on = await setup()
  const business = await createCustomer(on.platform, BUSINESS)
  const owner = await createOwner(on.platform, business.id)
  const sent = await send(on, alertOn(owner.id, { kind: 'PEP', level: 'REVIEW' }))
  assert.deepEqual(results(sent), ['APPLIED'])
  const accounts = await listAccounts(on.platform, business)
  assert.deepEqual([...new Set(accounts.map(({ status }) => status))], ['ACTIVE'])
  const reasons = (await lineOf(on, business.id))?.['reasons']
  assert.ok(JSON.stringify(reasons).includes('ALERT_PEP'))
})

test('PROV-96 a pending customer is held too; an expired document is on the list only', async () => {
  const on = await setup()
  const pending = await createCustomer(on.platform, { fullName: 'Jane 001' })
  const approved = await createCustomer(on.platform, { fullName: 'Jane Doe' })
  const expired = { kind: 'DOCUMENT_EXPIRED', level: 'REVIEW', matches: undefined }
  await send(on, alertOn(pending.id), alertOn(approved.id, expired))
  assert.equal((await readCustomer(on.platform, pending)).kycStatus, 'HOLD')
  assert.equal((await readCustomer(on.platform, approved)).kycStatus, 'APPROVED')
  const id = approved.id
  assert.deepEqual((await lineOf(on, id))?.['reasons'], ['ALERT_DOCUMENT_EXPIRED'])
  await operate(kit, `review dismiss ${id} --note`, 'a new passport came')
  assert.equal(await lineOf(on, id), undefined)
  assert.equal((await readCustomer(on.platform, approved)).kycStatus, 'APPROVED')
})

test('PROV-96 PROV-29 whom the provider does not serve it cannot name', async () => {
  const [on, other] = [await setup(), await setup()]
  const stranger = await createCustomer(other.platform, { fullName: 'Jane Doe' })
  const deleted = await createCustomer(on.platform, { fullName: 'Jane Doe' })
  await on.platform.api.delete(`/customers/${deleted.id}`)
  const subjects = [stranger.id, deleted.id, `Customer:${newUuid()}`]
  const sent = await send(on, ...subjects.map((subject) => alertOn(subject)))
  assert.deepEqual(
    results(sent),
    subjects.map(() => 'REFERENCE_NOT_FOUND'),
  )
  assert.equal((await readCustomer(other.platform, stranger)).kycStatus, 'APPROVED')
})

test('PROV-96 of racing repetitions one is applied', async () => {
  const on = await setup()
  const customer = await createCustomer(on.platform, { fullName: 'Jane Doe' })
  const alert = alertOn(customer.id)
  const sent = await Promise.all([1, 2, 3, 4].map(() => send(on, alert)))
  const [first, ...rest] = results(sent.flat()).toSorted()
  assert.deepEqual([first, ...new Set(rest)], ['APPLIED', 'DUPLICATE'])
})
