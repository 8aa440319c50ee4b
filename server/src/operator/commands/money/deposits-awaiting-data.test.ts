/** CUST-66: a deposit from outside is held while its customer lacks what the currency asks for, and released by itself. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text, type HasId } from '../../../../test/kit/api.ts'
import { advance } from '../../../../test/kit/outside/connect-receiver.ts'
import { createCustomer, listAccounts, currencyOf } from '../../../../test/kit/customers.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  balanceOf,
  customerAccount,
  eventTypesOf,
  readTransaction,
} from '../../../../test/kit/payments.ts'
import { newUuid } from '../../../kernel/ids.ts'

const kit = await startOwnKit()
const DATA = { fullName: 'Ada Obi', phoneNumber: '+2348012345678' }

/** A customer that holds naira by default and has told nothing of itself, and how its account is paid into. */
async function newHolder(platform: TestPlatform) {
  const customer = await createCustomer(platform)
  const account = await customerAccount(platform, customer.id, 'NGN')
  const listed = await listAccounts(platform, customer)
  const naira = listed.find((one) => currencyOf(one) === 'NGN')
  const info = items(naira?.fundingPaymentInstructions)[0]?.accountOrWalletInfo
  return { customer, account, reference: text(info?.reference) }
}

const receive = (reference: string, ...more: readonly string[]) =>
  operate(
    kit,
    `deposits receive --environment SANDBOX --amount 500 --currency NGN --rail BANK_TRANSFER --trace ${newUuid()}`,
    '--reference',
    reference,
    ...more,
  )

async function tell({ api }: TestPlatform, { id }: HasId, data: object = DATA): Promise<void> {
  const body = { customerType: 'INDIVIDUAL', ...data }
  expectStatus(await api.patch(`/customers/${id}`, body), 200)
}

const totalOf = async (platform: TestPlatform, customer: HasId): Promise<unknown> =>
  (await listAccounts(platform, customer)).find((one) => currencyOf(one) === 'NGN')?.totalBalance
    .amount

const newPlatform = () => kit.platform({ currencies: ['USD', 'NGN'] })

test('CUST-66 a deposit is held until the data is there, then released by itself', async () => {
  const platform = await newPlatform()
  const { customer, account, reference } = await newHolder(platform)
  const held = await receive(reference)
  assert.deepEqual([held['status'], held['reason']], ['HELD', 'PROVIDER_DATA_MISSING'])
  const id = text(held['transactionId'])
  const pending = await readTransaction(platform, id)
  assert.deepEqual([pending.status, pending.pendingReason], ['PENDING', 'COMPLIANCE_REVIEW'])
  assert.equal(await balanceOf(platform, account), 0)
  assert.equal(await totalOf(platform, customer), 500)
  await tell(platform, customer, { fullName: DATA.fullName })
  await advance(platform, 1)
  assert.equal((await readTransaction(platform, id)).status, 'PENDING', 'half of it is not enough')
  await tell(platform, customer, { phoneNumber: DATA.phoneNumber })
  await eventually(async () => {
    assert.equal((await readTransaction(platform, id)).status, 'COMPLETED')
  })
  const done = await readTransaction(platform, id)
  assert.equal(done.pendingReason, undefined)
  assert.equal(await balanceOf(platform, account), 500)
  assert.deepEqual(await eventTypesOf(platform, id), [
    'INCOMING_PAYMENT.PENDING',
    'INCOMING_PAYMENT.COMPLETED',
  ])
  assert.equal((await operate(kit, `deposits show ${id}`))['status'], 'TAKEN')
  const next = await receive(reference)
  assert.equal(next['status'], 'TAKEN', 'what comes later is credited at once')
})

test('CUST-66 the operator may return it, and cannot release it without the data', async () => {
  const platform = await newPlatform()
  const { customer, account, reference } = await newHolder(platform)
  const held = text((await receive(reference))['depositId'])
  await assert.rejects(operate(kit, `deposits release ${held}`), {
    code: 'MISSING_MANDATORY_USER_INFO',
  })
  assert.equal((await operate(kit, `deposits return ${held}`))['status'], 'RETURNED')
  assert.equal((await readTransaction(platform, held)).status, 'FAILED')
  await tell(platform, customer)
  await advance(platform, 1)
  assert.equal(await balanceOf(platform, account), 0)
  assert.equal(await totalOf(platform, customer), 0)
})

test('CUST-66 what is under review waits for both, the operator first or the data', async () => {
  const platform = await newPlatform()
  const { customer, account, reference } = await newHolder(platform)
  const [one, two] = [await receive(reference, '--review'), await receive(reference, '--review')]
  assert.equal(one['reason'], undefined)
  const passed = await operate(kit, `deposits release ${text(one['depositId'])}`)
  assert.deepEqual([passed['status'], passed['reason']], ['HELD', 'PROVIDER_DATA_MISSING'])
  await tell(platform, customer)
  await eventually(async () => assert.equal(await balanceOf(platform, account), 500))
  await advance(platform, 1)
  assert.equal(await balanceOf(platform, account), 500, 'the other one is still under review')
  const released = await operate(kit, `deposits release ${text(two['depositId'])}`)
  assert.equal(released['status'], 'TAKEN')
  assert.equal(await balanceOf(platform, account), 1_000)
})

test('CUST-66 IACC-10 what is attributed later is held the same way', async () => {
  const platform = await newPlatform()
  const { customer, account } = await newHolder(platform)
  const parked = await receive('rent')
  assert.equal(parked['status'], 'UNATTRIBUTED')
  const id = text(parked['depositId'])
  const held = await operate(kit, `deposits attribute ${id} --to ${account}`)
  assert.deepEqual([held['status'], held['reason']], ['HELD', 'PROVIDER_DATA_MISSING'])
  assert.equal(await totalOf(platform, customer), 500)
  assert.equal(await balanceOf(platform, account), 0)
  await tell(platform, customer)
  await eventually(async () => assert.equal(await balanceOf(platform, account), 500))
})

test('CUST-66 data that comes as the deposit does leaves nothing held', async () => {
  const platform = await newPlatform()
  const holders = await Promise.all(Array.from({ length: 10 }, () => newHolder(platform)))
  await Promise.all(
    holders.flatMap(({ customer, reference }) => [receive(reference), tell(platform, customer)]),
  )
  await eventually(async () => {
    const balances = await Promise.all(holders.map(({ account }) => balanceOf(platform, account)))
    assert.deepEqual(
      balances,
      holders.map(() => 500),
    )
  })
})
