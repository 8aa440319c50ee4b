import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text, type Body } from '../../../test/kit/api.ts'
import { asOperator } from '../../../test/kit/accounts/external-accounts.ts'
import { createCustomer } from '../../../test/kit/customers.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { asCaller, operate, operatorNamed, tokenOf } from '../../../test/kit/operator.ts'
import { scriptedProvider } from '../../../test/kit/outside/scripted-provider.ts'
import { formTokenOf, openDashboard } from '../../../test/kit/pages/dashboard.ts'
import { balanceOf, platformAccount, quote, readTransaction } from '../../../test/kit/payments.ts'
import { newScaCustomer } from '../../../test/kit/sca/sca.ts'
import { invited } from '../../../test/kit/setups/operators.ts'
import { openProductionAccount, productionBank } from '../../../test/kit/setups/production.ts'
import type { Caller } from '../../kernel/access/operator.ts'
import { formatId, mustParseId, newUuid } from '../../kernel/ids.ts'
import { openException } from '../../orders/index.ts'

const kit = await startOwnKit({ ADMIN_PORT: '8081', FOUR_EYES: 'on', FOUR_EYES_FROM: 'USD:100000' })
const platform = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD'] })
const sandbox = await kit.platform({ currencies: ['USD'] })
const account = await openProductionAccount(kit, platform, {
  id: await platformAccount(platform, 'USD'),
  funded: 100_000_000n,
})
const bank = await productionBank(kit, platform)

const anna = operatorNamed('Anna', 'ADMIN')
const ben = operatorNamed('Ben', 'TREASURER')
const tom = operatorNamed('Tom', 'TREASURER')
const rita = operatorNamed('Rita', 'REVIEWER')
const ron = operatorNamed('Ron', 'REVIEWER')

const as = <T = Body>(caller: Caller, line: string, ...rest: string[]): Promise<T> =>
  operate<T>(asCaller(kit, caller), line, ...rest)

const refusedWith = (code: string, details: object) => ({ code, details })

/** A payout over ACH that waits for the operator. */
async function payout(amount: number): Promise<string> {
  const quoted = await quote(platform, {
    from: account,
    to: bank,
    amount,
    immediatelyExecute: true,
  })
  return expectStatus(quoted, 201).transactionId
}

const statusOf = async (id: string): Promise<string> => (await readTransaction(platform, id)).status

const auditOf = async (resource: unknown) =>
  items(await operate(kit, `audit list --resource ${String(resource)}`)).map(
    ({ actor, action, note }) => ({ actor, action, note }),
  )

/** Proposes to confirm a payout that is over the threshold by itself. */
async function proposed(by = ben): Promise<Readonly<{ id: string; proposal: Body }>> {
  const id = await payout(150_000)
  return { id, proposal: await as(by, `settlements confirm ${id}`) }
}

test('OPER-22 OPER-23 below the threshold of a day one operator confirms, from there on it is proposed', async () => {
  const [first, second] = [await payout(99_999), await payout(50_000)]
  const uma = operatorNamed('Uma', 'TREASURER')
  assert.equal((await as(uma, `settlements confirm ${first}`))['status'], 'COMPLETED')
  const proposal = await as(tokenOf(uma), `settlements confirm ${second} --reference R1`)
  assert.equal(proposal['status'], 'PROPOSED')
  assert.equal(proposal['command'], 'settlements confirm')
  assert.deepEqual(proposal['input'], { transactionId: second, reference: 'R1' })
  assert.equal(proposal['platformId'], platform.platformId)
  assert.equal((proposal['amount'] as Body)['amount'], 50_000)
  assert.equal(proposal['proposedBy'], 'operator-token:Uma/ci')
  assert.equal(await statusOf(second), 'PROCESSING')
  assert.ok(items(await operate(kit, 'settlements list')).length > 0, 'it still waits')
})

test('OPER-24 OPER-9 OPER-28 another person with the role approves, and the audit names both', async () => {
  const { id, proposal } = await proposed()
  const { proposalId } = proposal
  const approve = `proposals approve ${String(proposalId)}`
  const same = refusedWith('FORBIDDEN', { reason: 'SAME_OPERATOR' })
  await assert.rejects(as(ben, approve), same)
  await assert.rejects(as(tokenOf(ben), approve), same)
  await assert.rejects(as(rita, approve), refusedWith('FORBIDDEN', { requiredRole: 'TREASURER' }))
  await assert.rejects(
    as(tokenOf(tom), approve),
    refusedWith('FORBIDDEN', { reason: 'MACHINE_TOKEN' }),
  )
  assert.equal(await statusOf(id), 'PROCESSING')
  assert.equal((await as(tom, approve))['status'], 'COMPLETED')
  assert.equal(await statusOf(id), 'COMPLETED')
  assert.deepEqual(await auditOf(id), [
    { actor: 'operator:Tom', action: 'settlements confirm', note: 'proposedBy operator:Ben' },
  ])
  const what = `settlements confirm ${id}`
  assert.deepEqual(await auditOf(proposalId), [
    { actor: 'operator:Tom', action: 'proposals approve', note: what },
    { actor: 'operator:Ben', action: 'proposals propose', note: what },
  ])
  const executed = refusedWith('CONFLICT', { proposalStatus: 'EXECUTED' })
  await assert.rejects(as(tom, approve), executed)
  await assert.rejects(as(tom, `proposals reject ${String(proposalId)}`), executed)
  await assert.rejects(as(ben, `proposals withdraw ${String(proposalId)}`), executed)
  const shown = await as(anna, `proposals show ${String(proposalId)}`)
  assert.deepEqual(
    [shown['status'], shown['decidedBy'], (shown['result'] as Body)['status']],
    ['EXECUTED', 'operator:Tom', 'COMPLETED'],
  )
})

test('OPER-25 what has changed since is stale, and is not run', async () => {
  const { id, proposal } = await proposed()
  const before = await balanceOf(platform, account)
  expectStatus(await platform.api.post(`/transactions/${id}/cancel`, {}), 200)
  const approve = `proposals approve ${String(proposal['proposalId'])}`
  const stale = refusedWith('CONFLICT', { reason: 'PROPOSAL_STALE' })
  await assert.rejects(as(tom, approve), stale)
  assert.equal(await balanceOf(platform, account), before + 150_000, 'refunded once')
  const shown = await as(tom, `proposals show ${String(proposal['proposalId'])}`)
  assert.equal(shown['status'], 'FAILED')
  assert.deepEqual((shown['error'] as Body)['details'], stale.details)
  await assert.rejects(as(tom, approve), refusedWith('CONFLICT', { proposalStatus: 'FAILED' }))
  assert.equal(
    (await auditOf(proposal['proposalId']))[0]?.note?.toString().split(': ')[1],
    'refused with CONFLICT',
  )
})

/** A payout of production that a provider has accepted and that is overdue, so that the operator may say what is true. */
async function overduePayout() {
  const own = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD'] })
  const { deps } = kit.florin
  const settings = { ...deps.settings, fourEyes: 'off' as const }
  const alone = { ...kit, florin: { ...kit.florin, deps: { ...deps, settings } } }
  const provider = await scriptedProvider(alone, `--platform ${own.platformId} --ports rails`)
  const account = await platformAccount(own, 'USD')
  const from = await openProductionAccount(kit, own, { id: account, funded: 100_000n })
  const to = await productionBank(kit, own)
  const quoted = await quote(own, { from, to, amount: 1_000, immediatelyExecute: true })
  const { transactionId } = expectStatus(quoted, 201)
  const order = await provider.orderOf(transactionId)
  const orderId = mustParseId('order', text(order['id']))
  await provider.report(order, 1, { state: 'ACCEPTED', reference: 'A1' })
  const id = await asOperator(kit, own, async (work) =>
    openException(work, { type: 'OVERDUE', orderId, details: {} }),
  )
  const status = async () => (await readTransaction(own, transactionId)).status
  return { provider, order, exceptionId: formatId('exception', id), status }
}

test('OPER-23 OPER-25 what resolves an exception is stale once its order has moved, not when it was asked about', async () => {
  const { provider, order, exceptionId, status } = await overduePayout()
  const resolve = () => as(ben, `exceptions resolve ${exceptionId} --as FAILED --note lost`)
  const approve = ({ proposalId }: Body) => as(tom, `proposals approve ${String(proposalId)}`)
  const early = await resolve()
  await provider.report(order, 2, { state: 'SENT' })
  await assert.rejects(approve(early), refusedWith('CONFLICT', { reason: 'PROPOSAL_STALE' }))
  assert.equal(await status(), 'PROCESSING')
  const late = await resolve()
  provider.answer(() => ({ json: { state: 'SENT' } }))
  const asked = await as(ben, `orders ask ${text(order['id'])}`)
  assert.equal(asked['state'], 'SENT')
  await approve(late)
  assert.equal(await status(), 'FAILED')
})

test('OPER-25 of 20 operators who press approve at once one runs the command', async () => {
  const { id, proposal } = await proposed()
  const names = Array.from({ length: 20 }, (_, n) => `Racer${n}`)
  const board = await openDashboard(kit)
  const visitors = await Promise.all(
    names.map(async (name) => {
      await invited(kit, name, 'TREASURER')
      return board.signIn(name)
    }),
  )
  const path = `/proposals/${encodeURIComponent(text(proposal['proposalId']))}`
  const pages = await Promise.all(visitors.map((visitor) => visitor.get(path)))
  const answers = await Promise.all(
    visitors.map((visitor, n) =>
      visitor.post(`${path}/approve`, { formToken: formTokenOf(pages[n]?.text ?? '') }),
    ),
  )
  const statuses = answers.map(({ status }) => status).toSorted((x, y) => x - y)
  assert.deepEqual(statuses, [303, ...names.slice(1).map(() => 409)])
  for (const { text: shown } of answers.filter(({ status }) => status === 409))
    assert.match(shown, /Nothing was changed|Already handled or expired/)
  assert.equal((await auditOf(id)).length, 1)
  assert.equal(await statusOf(id), 'COMPLETED')
})

test('OPER-21 what touches a sandbox platform only needs nobody else', async () => {
  const receive = 'deposits receive --amount 500000 --currency USD --rail ACH'
  const toSandbox = await as(ben, `${receive} --environment SANDBOX --trace ${newUuid()}`)
  assert.equal(toSandbox['status'], 'UNATTRIBUTED')
  assert.equal((await as(ben, `${receive} --trace ${newUuid()}`))['status'], 'PROPOSED')
  const name = `tokens create --platform`
  const made = await as(anna, `${name} ${sandbox.platformId} --name own`)
  assert.ok(made['clientSecret'])
  assert.equal((await as(anna, `${name} ${platform.platformId} --name own`))['status'], 'PROPOSED')
})

test('OPER-23 to hold a customer takes one operator, to release it two', async () => {
  const customer = await createCustomer(platform)
  const held = await as(rita, `review hold ${customer.id}`)
  assert.equal((held['customer'] as Body)['kycStatus'], 'HOLD')
  const proposal = await as(rita, `review release ${customer.id}`)
  assert.equal(proposal['status'], 'PROPOSED')
  const released = await as(ron, `proposals approve ${String(proposal['proposalId'])}`)
  assert.notEqual((released['customer'] as Body)['kycStatus'], 'HOLD')
})

test('OPER-23 a reset is approved by two, and rejected by one', async () => {
  const { origin } = new URL(kit.baseUrl)
  const handedIn = async (): Promise<string> => {
    const sca = await newScaCustomer(platform)
    const started = expectStatus(await sca.post('/factors/reset', { factor: 'SMS_OTP' }), 201)
    const link = new URL(started.verificationLink)
    await fetch(`${origin}${link.pathname}/submit${link.search}`, { method: 'POST' })
    return started.resetId
  }
  const [first, second] = [await handedIn(), await handedIn()]
  const proposal = await as(rita, `sca-resets approve ${first}`)
  assert.equal(proposal['status'], 'PROPOSED')
  const passed = await as(ron, `proposals approve ${String(proposal['proposalId'])}`)
  assert.equal(passed['status'], 'LIVENESS_PASSED')
  assert.equal((await as(rita, `sca-resets reject ${second}`))['status'], 'REJECTED')
})
