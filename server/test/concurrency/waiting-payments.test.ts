import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, type Sql } from '../../src/infra/db/sql.ts'
import { mustParseId } from '../../src/kernel/ids.ts'
import { client, text, type Body } from '../kit/api.ts'
import { startKit } from '../kit/florin.ts'
import { queueAtRow } from '../kit/meet-at-row.ts'
import { operate } from '../kit/operator.ts'
import { eventTypesOf, readQuote, readTransaction } from '../kit/payments.ts'
import { authorize, awaiting, balances, scaPayer, type ScaPayer } from '../kit/sca-payments.ts'

const kit = await startKit()
/** Another process on the same database: no lock of one process helps. */
const elsewhere = await kit.neighbour()

type Stop = Readonly<{
  what: string
  reason: string
  row: (payer: ScaPayer) => Sql
  stop: (payer: ScaPayer) => Promise<unknown>
}>

const STOPS: readonly Stop[] = [
  {
    what: 'a freeze',
    reason: 'ACCOUNT_NOT_ACTIVE',
    row: ({ from }) =>
      sql`select 1 from internal_accounts where id = ${mustParseId('internalAccount', from)} for update`,
    stop: ({ from }) => operate(kit, `accounts freeze ${from}`),
  },
  {
    what: 'a hold',
    reason: 'CUSTOMER_NOT_READY',
    row: ({ sca }) =>
      sql`select 1 from customers where id = ${mustParseId('customer', sca.customerId)} for update`,
    stop: ({ sca }) => operate(kit, `review hold ${sca.customerId}`),
  },
  {
    what: 'a deletion of the payee',
    reason: 'DESTINATION_DELETED',
    row: ({ to }) =>
      sql`select 1 from external_accounts where id = ${mustParseId('externalAccount', to)} for update`,
    stop: ({ platform, to }) =>
      client(elsewhere, platform).delete(`/customers/external-accounts/${to}`),
  },
]

for (const { what, reason, row, stop } of STOPS) {
  test(`SCA-56 ${what} that comes before the proof stops the payment, one that comes after it does not`, async () => {
    const early = await scaPayer(kit)
    const stopped = await awaiting(early)
    await queueAtRow<unknown>(kit, row(early), [
      () => stop(early),
      async () => {
        const { status, body } = await authorize(early.platform, stopped)
        assert.equal(status, 409)
        assert.equal(body['details']?.['reason'], reason)
      },
    ])
    assert.deepEqual(await balances(early), [100_000, 100_000])
    const late = await scaPayer(kit)
    const paid = await awaiting(late)
    await queueAtRow<unknown>(kit, row(late), [
      async () => assert.equal((await authorize(late.platform, paid)).status, 200),
      () => stop(late),
    ])
    assert.deepEqual(await balances(late), [90_000, 90_000])
    assert.equal((await readQuote(late.platform, paid))['status'], 'COMPLETED')
  })
}

const endings = (types: readonly string[]): readonly string[] =>
  types.filter((type) => /\.(?:FAILED|PROCESSING|EXPIRED)$/.test(type))

test('SCA-56 SCA-51 a proof, a failed re-check and an expiry that race end a payment once', async () => {
  for (let round = 0; round < 6; round += 1) {
    const payer = await scaPayer(kit)
    const { platform, from } = payer
    const far = { api: client(elsewhere, platform) }
    const quoted: Body = await awaiting(payer)
    if (round % 2) await operate(kit, `accounts freeze ${from}`)
    await Promise.all([
      platform.api.post('/sandbox/clock', { advanceSeconds: 300 }),
      authorize(platform, quoted),
      authorize(far, quoted),
    ])
    const types = endings(await eventTypesOf(platform, text(quoted['transactionId'])))
    assert.equal(types.length, 1, types.join())
    const { status } = await readTransaction(platform, quoted['transactionId'])
    const isPaid = text(status) !== 'FAILED'
    assert.equal(isPaid, types[0] === 'OUTGOING_PAYMENT.PROCESSING')
    assert.ok(round % 2 === 0 || !isPaid, 'a frozen account pays nothing')
    assert.deepEqual(await balances(payer), isPaid ? [90_000, 90_000] : [100_000, 100_000])
  }
})
