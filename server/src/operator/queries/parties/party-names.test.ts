import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text, type Body } from '../../../../test/kit/api.ts'
import { newCard } from '../../../../test/kit/cards.ts'
import { createCustomer } from '../../../../test/kit/customers.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { openDashboard } from '../../../../test/kit/pages/dashboard.ts'
import {
  customerAccount,
  fund,
  payee,
  platformAccount,
  quote,
} from '../../../../test/kit/payments.ts'

// Names are sealed, so that every list has to open them.
const kit = await startOwnKit({ SEAL_CONTACT_DATA: 'on' })
const platform = await kit.platform({ name: 'Acme Pay' })
const board = await openDashboard(kit)
const anna = await board.signIn('anna')

const list = async (line: string): Promise<readonly Body[]> => items(await operate(kit, line))

const { id: customerId } = await createCustomer(platform, { fullName: 'Grace Mensah' })
const account = await customerAccount(platform, customerId, 'USD')
await fund(platform, account, 50_000)
const to = await payee(platform, 'USD_ACCOUNT', { customerId })
const paid = expectStatus(
  await quote(platform, { from: account, to, amount: 12_345, immediatelyExecute: true }),
  201,
)
const external = expectStatus(
  await platform.api.get(`/customers/external-accounts/${to}` as const),
  200,
)
const { accountNumber, beneficiary } = JSON.parse(JSON.stringify(external.accountInfo)) as Body
const JANE = `${text(beneficiary?.['fullName'])} ••${text(accountNumber).slice(-4)}`

test('OPER-122 payments and quotes are listed with the names of payer and payee', async () => {
  const [payment] = await list('transactions list --type OUTGOING')
  assert.deepEqual(
    [payment?.['id'], payment?.['payer'], payment?.['payee']],
    [paid.transactionId, 'Grace Mensah', JANE],
  )
  const [quoted] = await list('quotes list')
  assert.deepEqual([quoted?.['payer'], quoted?.['payee']], ['Grace Mensah', JANE])
  for (const path of ['/transactions', '/quotes'])
    assert.ok(
      (await anna.get(path)).text.includes(`<bdi>Grace Mensah</bdi> → <bdi>${JANE}</bdi>`),
      path,
    )
})

test('OPER-122 what is the platform’s own goes by its name, a card by its holder and last four', async () => {
  await fund(platform, await platformAccount(platform, 'USD'), 100)
  const [own] = await list('transactions list --type INCOMING')
  assert.equal(own?.['payee'], 'Acme Pay')
  const card = await newCard(platform, { funds: 1_000 })
  await card.authorize(500)
  const [line] = await list('cards list')
  const [bought] = await list('transactions list --type CARD')
  assert.equal(bought?.['payer'], `${text(line?.['cardholder'])} ••${text(line?.['last4'])}`)
  assert.equal(bought['payee'], text(bought['merchant']?.['descriptor']))
})

test('OPER-122 a deposit is listed with the name of its owner', async () => {
  const shown = await operate(kit, `accounts show ${account}`)
  const [, reference = ''] = /"reference":"([^"]+)"/.exec(JSON.stringify(shown)) ?? []
  const came = 'deposits receive --environment SANDBOX --currency USD --rail ACH --amount 4321'
  await operate(kit, `${came} --trace t-1 --reference ${reference}`)
  const [deposit] = await list('deposits list --all')
  assert.equal(deposit?.['payee'], 'Grace Mensah')
})
