import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../infra/db/statement/sql.ts'
import { mustParseId, newUuid } from '../../../kernel/ids.ts'
import { checkLedger } from '../../../ledger/reports/check-ledger.ts'
import { expectError, expectStatus, items, text, type Body } from '../../../../test/kit/api.ts'
import { advance } from '../../../../test/kit/outside/connect-receiver.ts'
import { createCustomer, listEvents } from '../../../../test/kit/customers.ts'
import { newCard } from '../../../../test/kit/cards.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { LOCAL_ACTOR, operate } from '../../../../test/kit/operator.ts'
import {
  balanceOf,
  customerAccount,
  fund,
  payee,
  payer,
  platformAccount,
  quote,
  readTransaction,
} from '../../../../test/kit/payments.ts'
import { UsageError } from '../../command.ts'

const kit = await startOwnKit()
const { db } = kit.florin.deps

const giveUp = (account: string, ...more: readonly string[]) =>
  operate(kit, `accounts return ${account} --reason`, 'offboarded', ...more)

const returnable = async ({ platformId }: TestPlatform) =>
  items(await operate(kit, `accounts returnable --platform ${platformId}`))

const refusedWith = (reason: string, details: object = {}) => ({
  code: 'CONFLICT',
  details: { reason, ...details },
})

/** A customer that was rejected, with money that it cannot send. */
async function rejected(platform: TestPlatform, { funded = 5_000, currency = 'USD' } = {}) {
  const customer = await createCustomer(platform, { fullName: 'Rea Jected 002' })
  assert.equal(customer.kycStatus, 'REJECTED')
  const customerId = customer.id
  const account = await customerAccount(platform, customerId, currency)
  if (funded > 0) await fund(platform, account, funded)
  return { customerId, account, customer }
}

/** A deleted customer to whose closed account a payment came back. */
async function deletedWithMoney(platform: TestPlatform) {
  const { customerId, account: from } = await payer(platform, { funded: 700 })
  const to = await payee(platform, 'USD_ACCOUNT', { suffix: '005' })
  const paid = await quote(platform, { from, to, amount: 700, immediatelyExecute: true })
  const { transactionId } = expectStatus(paid, 201)
  expectStatus(await platform.api.delete(`/customers/${customerId}`), 200)
  await advance(platform, 31)
  const refund = (await readTransaction(platform, transactionId)).refund
  assert.equal(refund?.status, 'COMPLETED')
  return { customerId, account: from }
}

test('IACC-17 IACC-18 L20 the balance of a rejected customer goes to the platform, with events and an audit entry', async () => {
  const platform = await kit.platform()
  const own = await platformAccount(platform, 'USD')
  await fund(platform, own, 100)
  const { customerId, account, customer } = await rejected(platform)
  const to = await payee(platform, 'USD_ACCOUNT')
  const refused = await quote(platform, { from: account, to, amount: 1 })
  expectError(refused, 403, 'USER_NOT_READY')
  const [listed, ...others] = await returnable(platform)
  assert.deepEqual(others, [])
  assert.deepEqual(
    { ...listed, balance: listed?.['balance']?.['amount'] },
    {
      accountId: account,
      platformId: platform.platformId,
      customerId,
      cause: 'REJECTED',
      balance: 5_000,
      since: customer.createdAt,
    },
  )
  assert.equal(listed?.['balance']?.['currency']?.['code'], 'USD')
  const shown = await operate(kit, `accounts show ${account}`)
  assert.deepEqual(shown['returnable'], { cause: 'REJECTED', since: customer.createdAt })

  const before = (await listEvents(platform)).length
  const { journalEntryId, reference, ...moved } = await giveUp(account)
  assert.match(text(reference), /^RET-[A-HJ-NP-Z2-9]{10}$/)
  assert.deepEqual(moved, {
    accountId: account,
    platformAccountId: own,
    amount: 5_000,
    currency: 'USD',
  })
  assert.equal(await balanceOf(platform, account), 0)
  assert.equal(await balanceOf(platform, own), 5_100)
  const events = (await listEvents(platform)).slice(0, -before)
  assert.deepEqual(
    events.map(({ type, data }) => [type, text(data?.['id'])]).toSorted(),
    [account, own].map((id) => ['INTERNAL_ACCOUNT.BALANCE_UPDATED', id]).toSorted(),
    'and no event of a payment',
  )
  const history = await platform.api.get('/transactions', { query: { customerId } })
  assert.equal(expectStatus(history, 200).data.length, 1, 'the funding alone')

  const [entry] = items(await operate(kit, `audit list --limit 1 --resource ${account}`))
  assert.deepEqual(
    [text(entry?.['action']), text(entry?.['actor']), text(entry?.['note'])],
    ['accounts return', LOCAL_ACTOR, `50.00 USD, ${text(reference)}: offboarded`],
  )
  const [journal] = await db.read.many<{ type: string; reason: string; lines: number }>(
    sql`select j.type, r.reason, count(e.*)::int as lines from ledger_journals j
        join balance_returns r on r.platform_id = j.platform_id and r.reference = j.reference
        join ledger_entries e on e.platform_id = j.platform_id and e.journal_id = j.id
        where j.platform_id = ${mustParseId('platform', platform.platformId)}
          and j.id = ${text(journalEntryId)}::uuid and j.reference = ${text(reference)}
        group by 1, 2`,
  )
  assert.deepEqual(journal, { type: 'balance.returned', reason: 'offboarded', lines: 2 })
  assert.deepEqual(await returnable(platform), [])
  await assert.rejects(giveUp(account), refusedWith('NOTHING_TO_RETURN'))
  assert.deepEqual((await checkLedger(db)).problems, [])
})

test('IACC-18 TXN-8 what comes back to a closed account stays listed until it is returned, each time', async () => {
  const platform = await kit.platform()
  const { customerId, account } = await deletedWithMoney(platform)
  const own = await platformAccount(platform, 'USD')
  const [listed] = await returnable(platform)
  const { updatedAt } = expectStatus(await platform.api.get(`/customers/${customerId}`), 200)
  assert.deepEqual(
    [listed?.['accountId'], listed?.['cause'], listed?.['since']],
    [account, 'DELETED', updatedAt],
  )
  assert.equal((await giveUp(account))['amount'], 700)
  assert.equal(await balanceOf(platform, own), 700)
  assert.deepEqual(await returnable(platform), [])
})

test('IACC-18 CARD-29 a card return after the deletion lands on the closed account, and is returnable', async () => {
  const platform = await kit.platform()
  const card = await newCard(platform, { funds: 100 })
  const bought = await card.clear(await card.authorize(100), 100)
  expectStatus(await platform.api.delete(`/customers/${card.customerId}`), 200)
  await card.creditReturn(bought, 60)
  const [listed] = await returnable(platform)
  assert.deepEqual([listed?.['accountId'], listed?.['balance']?.['amount']], [card.accountId, 60])
  assert.equal((await giveUp(card.accountId))['amount'], 60)
})

test('IACC-17 SIGN-21 CRED-1 a wallet is returned too, without its owner’s signature', async () => {
  const platform = await kit.platform({ currencies: ['USD', 'USDB'] })
  const { account } = await rejected(platform, { currency: 'USDB', funded: 42 })
  const own = await platformAccount(platform, 'USDB')
  const shown = await operate(kit, `accounts show ${account}`)
  assert.equal(shown['type'], 'EMBEDDED_WALLET')
  assert.deepEqual((await giveUp(account))['platformAccountId'], own)
  assert.equal(await balanceOf(platform, own), 42)
})

test('IACC-17 a frozen account is returned as well, and what is held stays', async () => {
  const platform = await kit.platform()
  const { account, customerId } = await rejected(platform, { funded: 300 })
  const query = { customerId, currency: 'USD' }
  const [found] = expectStatus(
    await platform.api.get('/customers/internal-accounts', { query }),
    200,
  ).data
  const [info] = items(found?.fundingPaymentInstructions)
  const to = text(info?.accountOrWalletInfo.accountNumber)
  const arrived = `--amount 500 --currency USD --rail ACH --trace ${newUuid()} --to ${to}`
  await operate(kit, `deposits receive ${arrived} --environment SANDBOX --review`)
  await operate(kit, `accounts freeze ${account}`)
  assert.equal((await giveUp(account))['amount'], 300)
  const left = await operate(kit, `accounts show ${account}`)
  assert.deepEqual([left['available'], left['held']], [0, 500])
})

test('IACC-17 refused, and nothing is written', async () => {
  const platform = await kit.platform()
  const own = await platformAccount(platform, 'USD')
  const { account: live } = await payer(platform)
  const { account } = await rejected(platform)
  const before = (await listEvents(platform)).length
  await assert.rejects(giveUp(live), refusedWith('NOT_RETURNABLE', { accountId: live }))
  await assert.rejects(giveUp(own), refusedWith('NOT_RETURNABLE', { accountId: own }))
  const nowhere = `InternalAccount:${newUuid()}`
  await assert.rejects(giveUp(nowhere), { code: 'REFERENCE_NOT_FOUND' })
  await operate(kit, `accounts freeze ${own}`)
  await assert.rejects(giveUp(account), refusedWith('NO_PLATFORM_ACCOUNT'))
  await operate(kit, `accounts unfreeze ${own}`)
  const calls = [
    [],
    ['--reason', ''],
    ['--reason', 'x'.repeat(1_001)],
    ['--reason', 'x', '--reference', ''],
    ['--reason', 'x', '--reference', 'x'.repeat(141)],
  ]
  for (const more of calls) {
    await assert.rejects(operate(kit, `accounts return ${account}`, ...more), UsageError)
  }
  assert.equal((await listEvents(platform)).length, before + 2, 'freezing and unfreezing')
  assert.equal(await balanceOf(platform, account), 5_000)
})

test('IACC-17 a reference is used once for a platform, and by another as well', async () => {
  const platform = await kit.platform()
  const reference = ['--reference', 'Case 4711']
  const first = await rejected(platform)
  const second = await rejected(platform)
  assert.equal((await giveUp(first.account, ...reference))['reference'], 'Case 4711')
  await assert.rejects(giveUp(second.account, ...reference), refusedWith('DUPLICATE_REFERENCE'))
  assert.equal(await balanceOf(platform, second.account), 5_000)
  const elsewhere = await rejected(await kit.platform())
  assert.equal((await giveUp(elsewhere.account, ...reference))['amount'], 5_000)
})

test('IACC-17 L14 FEE-6 what is returned first pays what the platform owes', async () => {
  const platform = await kit.platform()
  const feeConfigs = [
    {
      feeType: 'CROSS_CURRENCY_TRANSACTION',
      sourceCurrency: 'USD',
      variableFeeBps: 0,
      fixedFee: { amount: 50, currency: 'USD' },
    },
  ]
  expectStatus(await platform.api.patch('/config', { feeConfigs }), 200)
  const { account: from } = await payer(platform)
  const own = await platformAccount(platform, 'USD')
  const to = await payee(platform, 'EUR_ACCOUNT', { suffix: '005' })
  const paid = await quote(platform, { from, to, amount: 1_000, immediatelyExecute: true })
  expectStatus(paid, 201)
  const out = { source: { accountId: own }, amount: 50 }
  const destination = { accountId: await payee(platform, 'USD_ACCOUNT') }
  expectStatus(await platform.api.post('/transfer-out', { ...out, destination }), 201)
  await advance(platform, 31)
  const { account } = await rejected(platform, { funded: 80 })
  assert.equal((await giveUp(account))['amount'], 80)
  assert.equal(await balanceOf(platform, own), 30, 'the fee that came back unpaid is settled')
})

test('IACC-18 the list goes on after a row, oldest first, across platforms unless one is named', async () => {
  const platform = await kit.platform()
  const accounts: string[] = []
  for (const amount of [1, 2, 3]) {
    accounts.push((await rejected(platform, { funded: amount })).account)
    await advance(platform, 1)
  }
  const ids = (rows: readonly Body[]) => rows.map(({ accountId }) => text(accountId))
  const all = await returnable(platform)
  assert.deepEqual(ids(all), accounts)
  const [first] = all
  const place = `${text(first?.['since'])}/${text(first?.['accountId'])}`
  const { platformId } = platform
  const line = `accounts returnable --platform ${platformId} --after ${place} --limit 1`
  assert.deepEqual(ids(items(await operate(kit, line))), accounts.slice(1, 2))
  const everywhere = ids(items(await operate(kit, 'accounts returnable --limit 1000')))
  for (const account of accounts) assert.ok(everywhere.includes(account))
})
