import assert from 'node:assert/strict'
import { test } from 'node:test'
import { items, text, type Body, type HasId } from '../../../../test/kit/api.ts'
import {
  createCustomer,
  currencyOf,
  listAccounts,
  listEvents,
} from '../../../../test/kit/customers.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  scriptedProvider,
  type ScriptedProvider,
} from '../../../../test/kit/outside/scripted-provider.ts'

const kit = await startOwnKit()

let lastNumber = 5_000_000_000

const usAccount = (accountNumber = String((lastNumber += 1))) => ({
  accountOrWalletInfo: {
    accountType: 'US_ACCOUNT',
    accountNumber,
    routingNumber: '021000021',
    accountHolderName: 'Florin FBO Ada',
    bankName: 'First Bank',
    paymentRails: ['ACH', 'WIRE'],
  },
  instructionsNotes: 'Name the reference.',
})

type Setup = Readonly<{ platform: TestPlatform; provider: ScriptedProvider }>

async function setup(): Promise<Setup> {
  const platform = await kit.platform({ currencies: ['USD', 'EUR'] })
  const provider = await scriptedProvider(
    kit,
    `--environment SANDBOX --platform ${platform.platformId} --ports deposits --currency USD`,
  )
  return { platform, provider }
}

async function dollarsOf(platform: TestPlatform, customer: HasId) {
  const accounts = await listAccounts(platform, customer)
  const dollars = accounts.find((one) => currencyOf(one) === 'USD')
  assert.ok(dollars)
  return dollars
}

const openingOf = (provider: ScriptedProvider, account: HasId) =>
  eventually(() => {
    const found = provider.orders().find((one) => text(one['accountId']) === account.id)
    assert.ok(found, 'the order has come')
    return found
  })

/** A new customer, and the order to open its account. */
async function newOpening({ platform, provider }: Setup) {
  const customer = await createCustomer(platform, { fullName: 'Ada Lovelace' })
  const account = await dollarsOf(platform, customer)
  assert.equal(account.status, 'PENDING')
  return { customer, account, order: await openingOf(provider, account) }
}

const decide = ({ provider }: Setup, order: Body, said: object) =>
  provider.report(order, 1, { state: 'DECIDED', ...said })

test('PROV-86 a new account is ordered of its currency’s provider and opened by its instructions', async () => {
  const made = await setup()
  const { platform, provider } = made
  const { customer, account, order } = await newOpening(made)
  assert.deepEqual(
    [order['type'], order['currency'], order['isPlatformAccount'], order['holder']?.['name']],
    ['ACCOUNT_OPENING', 'USD', false, 'Ada Lovelace'],
  )
  assert.match(text(order['holderName']), / FBO Ada Lovelace$/)
  const accounts = await listAccounts(platform, customer)
  const euros = accounts.find((one) => currencyOf(one) === 'EUR')
  assert.equal(text(euros?.status), 'ACTIVE', 'the sandbox opens what no provider serves')
  const instruction = usAccount()
  assert.equal(
    text(
      (await decide(made, order, { decision: 'OPENED', instructions: [instruction] }))['result'],
    ),
    'APPLIED',
  )
  const opened = await dollarsOf(platform, customer)
  assert.equal(opened.status, 'ACTIVE')
  const [shown] = opened.fundingPaymentInstructions
  const { accountNumber } = instruction.accountOrWalletInfo
  assert.equal(text(shown?.accountOrWalletInfo.accountNumber), accountNumber)
  assert.equal(text(shown?.instructionsNotes), instruction.instructionsNotes)
  for (const type of ['STATUS_UPDATED', 'FUNDING_INSTRUCTIONS_UPDATED'] as const) {
    const events = await listEvents(platform, `INTERNAL_ACCOUNT.${type}`)
    assert.ok(
      events.some(({ data }) => data.id === account.id),
      type,
    )
  }
  const at = new Date().toISOString()
  const paid = await provider.post('deposits', {
    deposits: [
      {
        depositId: 'd-1',
        state: 'RECEIVED',
        amount: { amount: 700, currency: 'USD' },
        rail: 'ACH',
        to: { accountNumber },
        at,
      },
    ],
  })
  assert.equal(text(items(paid['results'])[0]?.['depositStatus']), 'TAKEN')
})

test('PROV-86 an account that the provider refuses has failed', async () => {
  const made = await setup()
  const { customer, order } = await newOpening(made)
  await decide(made, order, { decision: 'REFUSED', reason: 'not served' })
  assert.equal((await dollarsOf(made.platform, customer)).status, 'FAILED')
  const second = await newOpening(made)
  await made.provider.report(second.order, 1, { state: 'FAILED', reason: 'OTHER' })
  assert.equal((await dollarsOf(made.platform, second.customer)).status, 'FAILED')
})

test('PROV-86 IACC-9 instructions that are taken or malformed leave the account pending', async () => {
  const made = await setup()
  const first = await newOpening(made)
  const instruction = usAccount()
  await decide(made, first.order, { decision: 'OPENED', instructions: [instruction] })
  const { accountNumber: _, ...info } = usAccount().accountOrWalletInfo
  for (const said of [
    { decision: 'OPENED', instructions: [instruction] },
    { decision: 'OPENED', instructions: [{ accountOrWalletInfo: info }] },
    { decision: 'OPENED', instructions: [] },
  ]) {
    const { customer, order } = await newOpening(made)
    await decide(made, order, said)
    assert.equal((await dollarsOf(made.platform, customer)).status, 'PENDING')
    const open = items(await operate(kit, 'exceptions list'))
    const found = open.find(({ orderId }) => text(orderId) === text(order['id']))
    assert.equal(text(found?.['type']), 'INSTRUCTION_INVALID')
  }
})

test('PROV-28 PROV-86 an account is opened once: other instructions or a refusal are an exception', async () => {
  const made = await setup()
  const { customer, order } = await newOpening(made)
  const opened = { state: 'DECIDED', decision: 'OPENED', instructions: [usAccount()] }
  const refused = { state: 'DECIDED', decision: 'REFUSED', reason: 'not served' }
  for (const [sequence, said, result] of [
    [1, opened, 'APPLIED'],
    [2, { ...opened, fees: [] }, 'DUPLICATE'],
    [3, { ...opened, instructions: [usAccount()] }, 'EXCEPTION'],
    [4, refused, 'EXCEPTION'],
  ] as const) {
    assert.equal(text((await made.provider.report(order, sequence, said))['result']), result)
  }
  const { status, fundingPaymentInstructions } = await dollarsOf(made.platform, customer)
  assert.equal(status, 'ACTIVE')
  assert.equal(
    text(fundingPaymentInstructions[0]?.accountOrWalletInfo.accountNumber),
    opened.instructions[0]?.accountOrWalletInfo.accountNumber,
  )
})
