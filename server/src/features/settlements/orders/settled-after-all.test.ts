import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text, type Body } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { balanceOf, fund, payee, platformAccount, quote } from '../../../../test/kit/payments.ts'
import { railsSetup, type RailsSetup } from '../../../../test/kit/setups/rails.ts'

const kit = await startOwnKit()

const AMOUNT = { amount: 10_000, currency: 'USD' }

/** The whole book in one currency, by class of account. */
async function sums(currency = 'USD'): Promise<ReadonlyMap<string, number>> {
  const rows = items(await operate(kit, 'ledger balances'))
  const found = rows.filter((one) => text(one['currency']) === currency)
  return new Map(found.map((one) => [text(one['accountClass']), Number(one['amount'])]))
}

const worldOf = (book: ReadonlyMap<string, number>): number =>
  [...book].reduce((sum, [name, amount]) => (name.startsWith('WORLD') ? sum + amount : sum), 0)

/** Starts what is paid from an account outside; its transaction. */
const STARTS = {
  async COLLECTION({ platform, account }: RailsSetup): Promise<string> {
    const from = await payee(platform, 'USD_ACCOUNT')
    const ends = { source: { accountId: from }, destination: { accountId: account } }
    const { amount } = AMOUNT
    return expectStatus(await platform.api.post('/transfer-in', { ...ends, amount }), 201).id
  },
  async PULL({ platform }: RailsSetup): Promise<string> {
    const [from, to] = await Promise.all([
      payee(platform, 'USD_ACCOUNT'),
      payee(platform, 'EUR_ACCOUNT'),
    ])
    const made = expectStatus(await quote(platform, { from, to, amount: AMOUNT.amount }), 201)
    expectStatus(await platform.api.post(`/quotes/${made.id}/execute`), 200)
    return made.transactionId
  },
}

/** It failed by the provider's word, and was settled by its next. */
async function contradicted(
  on: RailsSetup,
  id: string,
): Promise<Readonly<{ order: Body; line: string }>> {
  const order = await on.provider.orderOf(id)
  await on.provider.report(order, 1, { state: 'FAILED', reason: 'OTHER' })
  const said = await on.provider.report(order, 2, { state: 'SETTLED', amount: AMOUNT })
  assert.equal(text(said['result']), 'EXCEPTION')
  return { order, line: `exceptions resolve ${text(said['exceptionId'])} --note x` }
}

for (const leg of ['COLLECTION', 'PULL'] as const) {
  test(`PROV-70 L15 the money of a ${leg} that was settled after all waits for the operator`, async () => {
    const on = await railsSetup(kit)
    const before = await sums()
    const id = await STARTS[leg](on)
    const { order, line } = await contradicted(on, id)
    assert.equal(text(order['type']), leg)
    await operate(kit, `${line} --as SETTLED`)
    assert.equal((await on.transaction(id)).status, 'FAILED')
    const after = await sums()
    assert.equal(worldOf(after) - worldOf(before), -10_000, 'it came in')
    assert.equal(after.get('SUSPENSE:unattributed'), 10_000)
    assert.equal(after.get('LOSS:providers'), undefined)
    const [deposit] = items(await operate(kit, 'deposits list'))
    assert.deepEqual(
      [deposit?.['status'], deposit?.['reference'], deposit?.['rail']],
      ['UNATTRIBUTED', order['reference'], order['rail']],
    )
    await operate(kit, `deposits attribute ${text(deposit?.['depositId'])} --to ${on.account}`)
    assert.equal(await on.balance(), 110_000)
    const back = { state: 'RETURNED', amount: AMOUNT, returnId: 'r1' }
    const said = await on.provider.report(order, 3, back)
    assert.equal(text(said['result']), 'EXCEPTION', 'an operator takes back what was attributed')
    const returned = `exceptions resolve ${text(said['exceptionId'])} --note x --as RETURNED`
    await assert.rejects(operate(kit, `${returned} --amount 10000`), { code: 'INVALID_INPUT' })
    assert.equal(worldOf(await sums()) - worldOf(before), -10_000)
    assert.equal((await operate(kit, 'ledger check'))['ok'], true)
  })
}

for (const bearer of ['SERVICE', 'PLATFORM'] as const) {
  test(`PROV-70 what comes back of a payout that was settled after all goes to the ${bearer}, which bore it`, async () => {
    const on = await railsSetup(kit)
    const own = await platformAccount(on.platform, 'EUR')
    await fund(on.platform, own, 5_000)
    const euros = async () => ({
      loss: (await sums('EUR')).get('LOSS:providers') ?? 0,
      world: worldOf(await sums('EUR')),
      own: await balanceOf(on.platform, own),
    })
    const before = await euros()
    const order = await on.provider.orderOf(await on.pay())
    await on.provider.report(order, 1, { state: 'FAILED', reason: 'OTHER' })
    const resolve = async (sequence: number, report: object, as: string): Promise<void> => {
      const said = await on.provider.report(order, sequence, report)
      await operate(kit, `exceptions resolve ${text(said['exceptionId'])} --note x --as ${as}`)
    }
    const of = (amount: number) => ({ amount: { amount, currency: 'EUR' } })
    await resolve(2, { state: 'SETTLED', ...of(9_154) }, `SETTLED --bear ${bearer}`)
    assert.equal((await euros()).world - before.world, 9_154)
    await resolve(3, { state: 'RETURNED', returnId: 'r1', ...of(154) }, 'RETURNED --amount 154')
    await resolve(4, { state: 'RETURNED', returnId: 'r2', ...of(9_000) }, 'RETURNED --amount 9000')
    assert.deepEqual(await euros(), before, 'as if it had never been paid')
    assert.equal(await on.balance(), 100_000)
    assert.equal((await operate(kit, 'ledger check'))['ok'], true)
  })
}
