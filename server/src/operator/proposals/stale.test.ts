/** A proposal is about what its proposer saw: it ends once that is something else (OPER-25). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, text, type Body } from '../../../test/kit/api.ts'
import { asOperator } from '../../../test/kit/accounts/external-accounts.ts'
import { queueAtRow } from '../../../test/kit/database/meet-at-row.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { completePerson, submitted } from '../../../test/kit/onboarding/verification.ts'
import { asCaller, operate, operatorNamed } from '../../../test/kit/operator.ts'
import { approve as approveAction } from '../../../test/kit/setups/agents.ts'
import { APPROVAL, newAgentSetup, send } from '../../../test/kit/setups/agent-setups.ts'
import { lockAnyCustomer } from '../../features/customers/index.ts'
import { raiseFlag } from '../../features/verifications/index.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Caller } from '../../kernel/access/operator.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { parseCommandLine } from '../command-line/command-line.ts'
import { agentCommands } from '../commands/customers/agents.ts'
import { digestOf } from './digest.ts'

const kit = await startOwnKit({ FOUR_EYES: 'on', ADMIN_PORT: '8081' })
const { deps } = kit.florin
const platform = await kit.platform({
  environment: 'PRODUCTION',
  currencies: ['USD'],
  kind: 'UNREGULATED',
})

const anna = operatorNamed('Anna', 'ADMIN')
const bea = operatorNamed('Bea', 'ADMIN')
const ben = operatorNamed('Ben', 'TREASURER')
const tom = operatorNamed('Tom', 'TREASURER')
const rita = operatorNamed('Rita', 'REVIEWER')
const ron = operatorNamed('Ron', 'REVIEWER')

const as = <T = Body>(caller: Caller, line: string, ...rest: string[]): Promise<T> =>
  operate<T>(asCaller(kit, caller), line, ...rest)

const approve = (caller: Caller, proposal: Body): Promise<Body> =>
  as(caller, `proposals approve ${text(proposal['proposalId'])}`)

const assertStale = (caller: Caller, proposal: Body): Promise<void> =>
  assert.rejects(approve(caller, proposal), {
    code: 'CONFLICT',
    details: { reason: 'PROPOSAL_STALE' },
  })

test('OPER-25 an action of an agent that was decided is not what a second operator was shown', async () => {
  const setup = await newAgentSetup(kit, APPROVAL)
  const action = expectStatus(await send(setup), 201)
  const args = `agents approve ${setup.agent.id} ${action.id}`.split(' ')
  const input = parseCommandLine(agentCommands.approve, args)
  const digest = () => deps.db.transaction(() => digestOf(deps, agentCommands.approve, input))
  const before = await digest()
  assert.deepEqual(await digest(), before)
  expectStatus(await approveAction(setup.platform, action), 200)
  assert.notDeepEqual(await digest(), before)
})

const find = (customerId: string, reason: string): Promise<void> =>
  asOperator(kit, platform, async (work) => {
    const id = mustParseId('customer', customerId)
    await lockAnyCustomer(work, id)
    raiseFlag(work, { customerId: id, subject: customerId, reason, level: 'BLOCK' })
  })

/** A person whose submission a provider has blocked. */
async function blocked() {
  const customer = await completePerson(platform)
  const { id: verificationId } = await submitted(platform, customer)
  await find(customer.id, 'SCREENING_BLOCK')
  return { customerId: customer.id, verificationId }
}

test('OPER-25 a customer is not approved by two after its verification has moved', async () => {
  const { customerId } = await blocked()
  const proposal = await as(rita, `review approve ${customerId} --note checked`)
  await as(ron, `review escalate ${customerId}`)
  await assertStale(ron, proposal)
})

test('OPER-25 OPER-23 what a provider finds after the proposal is not closed with what was found before', async () => {
  const { customerId, verificationId } = await blocked()
  const approval = await as(rita, `review approve ${verificationId} --note checked`)
  const dismissal = await as(rita, `review dismiss ${customerId} --note checked`)
  await find(customerId, 'ALERT_SANCTIONS')
  await assertStale(ron, approval)
  await assertStale(ron, dismissal)

  await as(rita, `review hold ${customerId}`)
  const release = await as(rita, `review release ${customerId} --note checked`)
  await find(customerId, 'ALERT_ADVERSE_MEDIA')
  await assertStale(ron, release)
  const again = await as(rita, `review release ${customerId} --note checked`)
  const released = await approve(ron, again)
  assert.equal((released['customer'] as Body)['kycStatus'], 'PENDING')
})

test('OPER-25 a price or a network fee that was set meanwhile is not set back by an older proposal', async () => {
  await as(ben, 'rates set --price GBP=0.75')
  const rate = await as(ben, 'rates set --price GBP=1.2')
  await as(ben, 'rates set --price GBP=0.8')
  await assertStale(tom, rate)
  await as(ben, 'network-fees set --network SOLANA --fee 5000')
  const fee = await as(ben, 'network-fees set --network SOLANA --fee 9000')
  await as(ben, 'network-fees set --network SOLANA --fee 5500')
  await assertStale(tom, fee)
})

test('OPER-25 an endpoint or an entry of the directory that was changed meanwhile is not changed back', async () => {
  const { platformId } = platform
  const endpoint = (name: string) =>
    as(anna, `webhooks set-endpoint --platform ${platformId} --url https://${name}.example.com/`)
  const [first, second] = [await endpoint('one'), await endpoint('two')]
  await approve(bea, second)
  await assertStale(bea, first)
  const listed = (name: string, ...more: string[]) =>
    as(
      anna,
      'uma-providers add bank.example.com --regions US --currencies USD --name',
      name,
      ...more,
    )
  const [allowed, refused] = [await listed('Bank'), await listed('Bank', '--blocked')]
  await approve(bea, refused)
  await assertStale(bea, allowed)
})

test('OPER-23 a block that comes while one operator approves leaves it to two', async () => {
  const customer = await completePerson(platform)
  await submitted(platform, customer)
  const row = sql`select 1 from customers where id = ${mustParseId('customer', customer.id)} for update`
  const [, answer] = await queueAtRow(kit, row, [
    () => find(customer.id, 'SCREENING_BLOCK'),
    () => as(rita, `review approve ${customer.id} --note checked`),
  ])
  assert.partialDeepStrictEqual(answer, { status: 'PROPOSED' })
})
