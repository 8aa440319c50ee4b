import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../../test/kit/api.ts'
import { createCustomer } from '../../../../test/kit/customers.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startKit } from '../../../../test/kit/florin.ts'
import {
  customerAccount,
  execute,
  fund,
  payer,
  readTransaction,
} from '../../../../test/kit/payments.ts'
import { quoteUma, umaAddressOf } from '../../../../test/kit/uma.ts'
import { sql } from '../../../infra/db/statement/sql.ts'

const kit = await startKit()
const sender = await kit.platform()

const PERSON = { fullName: 'Ann Able', idType: 'SSN', identifier: '111-22-3333' }
const asks = (names: readonly string[], mandatory: boolean) =>
  names.map((name) => ({ name, mandatory }))

for (const { what, customer, asked, given = {}, emitted } of [
  {
    what: 'a number that may be told is not',
    customer: PERSON,
    asked: [...asks(['TAX_ID', 'ID_NUMBER', 'IDENTIFIER'], false), ...asks(['FULL_NAME'], false)],
    given: { TAX_ID: '111-22-3333' },
    emitted: { FULL_NAME: 'Ann Able' },
  },
  {
    what: 'of a person’s number that must be told its end is',
    customer: PERSON,
    asked: asks(['TAX_ID', 'ID_NUMBER', 'IDENTIFIER'], true),
    emitted: { TAX_ID: '***-**-3333', ID_NUMBER: '***-**-3333', IDENTIFIER: '***-**-3333' },
  },
  {
    what: 'and of one that the request tells, in whatever form',
    customer: {},
    asked: asks(['TAX_ID', 'ID_NUMBER', 'IDENTIFIER'], true),
    given: { TAX_ID: '111-22-3333', ID_NUMBER: 111223333, IDENTIFIER: { ssn: '111-22-3333' } },
    emitted: { TAX_ID: '***-**-3333', ID_NUMBER: '*****3333', IDENTIFIER: '****' },
  },
]) {
  test(`CUST-12 HOOK-5 UMA-6 between platforms of this installation: ${what}`, async () => {
    const receiver = await payer(await kit.platform({ currencies: ['USD'] }), { funded: 0 })
    const { api } = receiver.platform
    const usd = { currencyCode: 'USD', minAmount: 1, maxAmount: 9_000_000_000 }
    const enabledTransactionTypes = ['INCOMING', 'OUTGOING']
    const supported = { ...usd, enabledTransactionTypes, requiredCounterpartyFields: asked }
    expectStatus(await api.patch('/config', { supportedCurrencies: [supported] }), 200)
    const created = await createCustomer(sender, customer)
    const from = await customerAccount(sender, created.id, 'USD')
    await fund(sender, from, 100_000)
    const to = await umaAddressOf(receiver.platform, receiver.customerId)
    const quoted = await quoteUma(sender, { from, to, senderCustomerInfo: given })
    expectStatus(await execute(sender, expectStatus(quoted, 201)), 200)

    const listed = await eventually(async () => {
      const { data } = expectStatus(await api.get('/transactions'), 200)
      assert.equal(data[0]?.status, 'COMPLETED')
      return data
    })
    const incoming = await readTransaction(receiver.platform, listed[0]?.id)
    assert.deepEqual(incoming.counterpartyInformation, emitted)
    const { data: events } = expectStatus(await api.get('/events'), 200)
    const stored = await kit.florin.deps.db.read.many(
      sql`select counterparty_information::text from transactions where counterparty_information is not null`,
    )
    const shown = JSON.stringify([listed, incoming, events, stored])
    assert.match(shown, /INCOMING_PAYMENT.COMPLETED/)
    assert.doesNotMatch(shown, /22-?3333/)
  })
}
