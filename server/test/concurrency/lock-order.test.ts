/** CORE-44: payments, deletions and changes lock the customer's row last, so that none waits for another in a circle. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, type Sql } from '../../src/infra/db/statement/sql.ts'
import { mustParseId, newUuid } from '../../src/kernel/ids.ts'
import { CUSTOMERS, newAccount } from '../kit/accounts/external-accounts.ts'
import { expectError, expectFields, expectStatus, items, type Answer } from '../kit/api.ts'
import { newCardholder } from '../kit/cards.ts'
import { createCustomer } from '../kit/customers.ts'
import { queueAtRow } from '../kit/database/meet-at-row.ts'
import { MANY_CONNECTIONS, startOwnKit, type TestPlatform } from '../kit/florin.ts'
import { operate } from '../kit/operator.ts'
import { scriptedProvider } from '../kit/outside/scripted-provider.ts'
import { customerAccount, execute, fund, payee, payer, quote } from '../kit/payments.ts'
import { authorize, awaiting, scaPayer, type ScaPayer } from '../kit/sca/payments.ts'
import { newScaCustomer } from '../kit/sca/sca.ts'
import { approve } from '../kit/setups/agents.ts'
import { APPROVAL, newAgentSetup, newQuote, run } from '../kit/setups/agent-setups.ts'
import { MATCH } from '../kit/setups/screening-provider.ts'
import { newWallet } from '../kit/wallets/signing-wallets.ts'
import {
  advance,
  challengeOf,
  newWallet as newEmbeddedWallet,
  signedHeaders,
} from '../kit/wallets/wallets.ts'

const kit = await startOwnKit(MANY_CONNECTIONS)

const customerRow = (id: string): Sql =>
  sql`select 1 from customers where id = ${mustParseId('customer', id)} for update`

const accountRow = (id: string): Sql =>
  sql`select 1 from internal_accounts where id = ${mustParseId('internalAccount', id)} for update`

/** The server ends a deadlock by failing one of the transactions, which is then run again. */
async function withoutRetry<T>(race: () => Promise<T>): Promise<T> {
  const { db } = kit.florin.deps
  const before = db.retries()
  const answers = await race()
  assert.equal(db.retries(), before, 'no transaction was run again')
  return answers
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

async function inTurn<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let n = 0; n < count; n += 1) made.push(await make())
  return made
}

/** Six payments beside three changes of their customer. */
const race = (
  payments: readonly (() => Promise<Answer>)[],
  change: (index: number) => Promise<Answer>,
) =>
  withoutRetry(() =>
    Promise.all([
      Promise.all(payments.map((pay) => pay())),
      Promise.all(times(3, (index) => change(index))),
    ]),
  )

const remove = ({ api }: TestPlatform, customerId: string) => api.delete(`/customers/${customerId}`)

function expectMoney(deleted: Answer): void {
  const { reason } = expectError(deleted, 409, 'CONFLICT')
  assert.ok(['BALANCE', 'PAYMENT_UNDER_WAY'].includes(String(reason)), String(reason))
}

/** Drops EUR and adds it, in turn. */
const changeCurrencies = ({ platform: { api }, sca }: ScaPayer, index: number) =>
  api.patch(`/customers/${sca.customerId}`, {
    customerType: 'INDIVIDUAL',
    currencies: index % 2 ? ['USD', 'EUR'] : ['USD'],
  })

test('CUST-62 SCA-56 CORE-44 six proofs beside three deletions of their customer are all answered at once', async () => {
  const setup = await scaPayer(kit)
  const { platform, sca } = setup
  const quotes = await inTurn(6, () => awaiting(setup))
  const [authorized, deleted] = await race(
    quotes.map((one) => () => authorize(platform, one)),
    () => remove(platform, sca.customerId),
  )
  for (const answer of authorized) expectStatus(answer, 200)
  deleted.forEach(expectMoney)
})

test('CUST-62 ACT-21 CORE-44 six approvals beside three deletions of their customer are all answered at once', async () => {
  const setup = await newAgentSetup(kit, APPROVAL)
  const { platform, customerId } = setup
  const actions = await inTurn(6, async () =>
    expectStatus(await run(setup, expectStatus(await newQuote(setup), 201)), 200),
  )
  const [approved, deleted] = await race(
    actions.map((one) => () => approve(platform, one)),
    () => remove(platform, customerId),
  )
  for (const answer of approved) expectStatus(answer, 200)
  deleted.forEach(expectMoney)
})

test('CUST-56 CORE-44 six executions beside three changes of currencies are all answered at once', async () => {
  const setup = await scaPayer(kit)
  const { platform, from, to } = setup
  const quotes = await inTurn(6, async () =>
    expectStatus(await quote(platform, { from, to, amount: 10_000 }), 201),
  )
  const [executed, changed] = await race(
    quotes.map((one) => () => execute(platform, one)),
    (index) => changeCurrencies(setup, index),
  )
  for (const answer of [...executed, ...changed]) expectStatus(answer, 200)
})

test('CUST-62 SCA-56 CORE-44 a deletion that comes while a proof waits for the account waits for the proof', async () => {
  const setup = await scaPayer(kit)
  const { platform, sca, from } = setup
  const quoted = await awaiting(setup)
  const [authorized, deleted] = await withoutRetry(() =>
    queueAtRow(kit, accountRow(from), [
      () => authorize(platform, quoted),
      () => remove(platform, sca.customerId),
    ]),
  )
  expectStatus(authorized, 200)
  expectMoney(deleted)
})

test('CUST-56 CORE-44 a change of currencies that comes while a payment waits for the account waits for the payment', async () => {
  const setup = await scaPayer(kit)
  const { platform, from, to } = setup
  const quoted = expectStatus(await quote(platform, { from, to, amount: 10_000 }), 201)
  const [executed, changed] = await withoutRetry(() =>
    queueAtRow(kit, accountRow(from), [
      () => execute(platform, quoted),
      () => changeCurrencies(setup, 0),
    ]),
  )
  expectStatus(executed, 200)
  expectStatus(changed, 200)
})

test('SCA-56 TRUST-2 CORE-44 a change of trust that comes while a proof waits for the customer waits for the proof', async () => {
  const setup = await scaPayer(kit)
  const { platform, sca, to } = setup
  const quoted = await awaiting(setup)
  const [authorized, trusted] = await withoutRetry(() =>
    queueAtRow(kit, customerRow(sca.customerId), [
      () => authorize(platform, quoted),
      () => platform.api.post(`${CUSTOMERS}/${to}/trust`),
    ]),
  )
  expectStatus(authorized, 200)
  expectFields(trusted, ['externalAccountId'])
})

type Started = Readonly<{
  platform: TestPlatform
  customerId: string
  /** Sent off before the deletion, and waits for the customer's row. */
  act: () => Promise<unknown>
}>

const ACTS: readonly (readonly [what: string, start: () => Promise<Started>])[] = [
  [
    'CARD-5 the issue of a card',
    async () => {
      const platform = await kit.platform()
      const { customerId, accounts } = await newCardholder(platform, { funds: 0 })
      const body = { customerId, form: 'VIRTUAL', fundingSource: accounts['USD'] }
      const act = async () => expectStatus(await platform.api.post('/cards', body), 201)
      return { platform, customerId, act }
    },
  ],
  [
    'IACC-17 a return of a balance',
    async () => {
      const platform = await kit.platform()
      const { id: customerId } = await createCustomer(platform, { fullName: 'Rea Jected 002' })
      const account = await customerAccount(platform, customerId, 'USD')
      await fund(platform, account, 100)
      const act = () => operate(kit, `accounts return ${account} --reason offboarded`)
      return { platform, customerId, act }
    },
  ],
  [
    'TRUST-2 a change of trust',
    async () => {
      const platform = await kit.platform()
      const { customerId } = await newScaCustomer(platform)
      const { id } = await newAccount(platform.api, {
        customerId,
        currency: 'USDC',
        ownershipType: 'THIRD_PARTY',
        accountInfo: { accountType: 'SOLANA_WALLET', address: newWallet().address },
        beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Doe' },
      })
      const act = async () => expectStatus(await platform.api.post(`${CUSTOMERS}/${id}/trust`), 200)
      return { platform, customerId, act }
    },
  ],
  [
    'EACC-12 a new default account',
    async () => {
      const platform = await kit.platform()
      const { customerId } = await payer(platform, { funded: 0 })
      const addDefault = (suffix: string) =>
        payee(platform, 'USD_ACCOUNT', {
          customerId,
          suffix,
          more: { defaultUmaDepositAccount: true },
        })
      await addDefault('100')
      const act = () => addDefault('200')
      return { platform, customerId, act }
    },
  ],
  [
    'PROV-96 an alert that freezes the accounts',
    async () => {
      const platform = await kit.platform()
      const line = `--environment SANDBOX --platform ${platform.platformId} --ports identity`
      const provider = await scriptedProvider(kit, line)
      const { customerId } = await payer(platform, { funded: 0 })
      const alert = {
        alertId: newUuid(),
        subject: customerId,
        kind: 'SANCTIONS',
        level: 'BLOCK',
        matches: [MATCH],
        message: 'Found on a list.',
        at: '2026-11-15T09:12:00.000Z',
      }
      const act = async () => {
        const [taken] = items((await provider.post('alerts', { alerts: [alert] }))['results'])
        assert.equal(taken?.['result'], 'APPLIED')
      }
      return { platform, customerId, act }
    },
  ],
]

for (const [what, start] of ACTS) {
  test(`${what}, and a deletion behind it: neither waits for the other in a circle (CUST-62)`, async () => {
    const { platform, customerId, act } = await start()
    const [, deleted] = await withoutRetry(() =>
      queueAtRow(kit, customerRow(customerId), [act, () => remove(platform, customerId)]),
    )
    expectStatus(deleted, 200)
  })
}

test('SIGN-10 CORE-44 a signed change that a job settles, and another behind it: neither waits in a circle', async () => {
  const customer = { email: 'ann+processing@example.com' }
  const wallet = await newEmbeddedWallet(kit, { customer })
  const { api } = wallet
  const changeTo =
    (email: string) =>
    (headers: Record<string, string> = {}) =>
      api.patch(
        `/customers/${wallet.customer.id}`,
        { customerType: 'INDIVIDUAL', email },
        { headers },
      )
  const change = changeTo('new+processing@example.com')
  const { requestId } = await challengeOf(change)
  const signed = signedHeaders({ stamp: 'sandbox-valid-signature', requestId })
  expectStatus(await change(signed), 200)
  await withoutRetry(() =>
    queueAtRow(kit, customerRow(wallet.customer.id), [
      changeTo('other+processing@example.com'),
      () => advance(api, 5),
    ]),
  )
  const { email } = expectStatus(await change(signed), 200) as Readonly<{ email?: string }>
  assert.equal(email, 'new+processing@example.com')
})
