import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { expectError, expectStatus, items, text, type Body } from '../../../test/kit/api.ts'
import { asOperator } from '../../../test/kit/accounts/external-accounts.ts'
import { createCustomer } from '../../../test/kit/customers.ts'
import { eventuallyChained } from '../../../test/kit/database/chained.ts'
import { completePerson, submitted } from '../../../test/kit/onboarding/verification.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { asCaller, operate, operatorNamed, tokenOf } from '../../../test/kit/operator.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { invited } from '../../../test/kit/setups/operators.ts'
import { productionBank } from '../../../test/kit/setups/production.ts'
import type { Caller } from '../../kernel/access/operator.ts'
import { addMs, DAY_MS } from '../../kernel/clock.ts'
import type { ApiError } from '../../kernel/errors.ts'
import { mustParseId, newId, newUuid } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { raiseFlag } from '../../features/verifications/index.ts'
import { inputFor } from '../command-line/command-line.ts'
import { commands } from '../commands.ts'
import { storeInput } from './stored-input.ts'

let aheadMs = 0
const clock = { now: () => addMs(new Date(), aheadMs) }
const kit = await startOwnKit(
  { FOUR_EYES: 'on', FOUR_EYES_FROM: 'USD:100000', ADMIN_PORT: '8081' },
  { clock },
)
const { deps } = kit.florin
const platform = await kit.platform({
  environment: 'PRODUCTION',
  currencies: ['USD'],
  kind: 'UNREGULATED',
})

/** The same service for a single operator. */
const alone: typeof kit = {
  ...kit,
  florin: { ...kit.florin, deps: { ...deps, settings: { ...deps.settings, fourEyes: 'off' } } },
}

const anna = operatorNamed('Anna', 'ADMIN')
const bea = operatorNamed('Bea', 'ADMIN')
const ben = operatorNamed('Ben', 'TREASURER')
const tom = operatorNamed('Tom', 'TREASURER')
const rita = operatorNamed('Rita', 'REVIEWER')
const ron = operatorNamed('Ron', 'REVIEWER')

const as = <T = Body>(caller: Caller, line: string, ...rest: string[]): Promise<T> =>
  operate<T>(asCaller(kit, caller), line, ...rest)

const idOf = (proposal: Body): string => text(proposal['proposalId'])
const statusOf = async (proposal: Body): Promise<unknown> =>
  (await as(anna, `proposals show ${idOf(proposal)}`))['status']

const receive = (amount: number, currency = 'USD', rail = 'ACH') =>
  `deposits receive --amount ${amount} --currency ${currency} --rail ${rail} --trace ${newUuid()}`

const isProposed = (answer: Body): boolean => text(answer['status'] ?? '') === 'PROPOSED'

const newToken = (name: string) => `tokens create --platform ${platform.platformId} --name ${name}`

test('OPER-22 every command with a threshold says what it moves', () => {
  const found = commands.filter(({ access }) => access.fourEyes === 'threshold')
  assert.ok(found.length > 4)
  for (const { name, access } of found) assert.ok(access.amountOf, name)
})

test('OPER-22 the sum of a day counts in USD at the mid rate rounded up, over all tokens', async () => {
  await as(ben, 'rates set --price EUR=0.8')
  assert.ok(!isProposed(await as(ben, receive(40_000, 'EUR', 'SEPA'))), '500.00 USD')
  assert.ok(!isProposed(await as(tokenOf(ben), receive(49_998))), '999.98 USD in all')
  assert.ok(isProposed(await as(ben, receive(1, 'EUR', 'SEPA'))), '1.25 cents are 2')
  assert.ok(!isProposed(await as(ben, receive(1))), 'what was proposed is not counted')
  assert.ok(isProposed(await as(ben, receive(1))))
  assert.ok(!isProposed(await as(tom, receive(99_999))), 'another operator')
  aheadMs = DAY_MS
  assert.ok(!isProposed(await as(ben, receive(99_999))), 'another day')
  aheadMs = 0
})

test('OPER-22 without a usable rate a second operator is needed', async () => {
  const uma = operatorNamed('Uma', 'TREASURER')
  assert.ok(isProposed(await as(uma, receive(1, 'BRL', 'PIX'))))
})

test('OPER-22 two at once do not pass the threshold together', async () => {
  const eva = operatorNamed('Eva', 'TREASURER')
  const answers = await Promise.all([1, 2, 3, 4].map(() => as(eva, receive(40_000))))
  assert.equal(answers.filter(isProposed).length, 2)
})

test('OPER-23 a proposal changes nothing, and what would be refused is refused at once', async () => {
  const before = await deps.db.read.one<{ tokens: string }>(
    sql`select count(*)::text as tokens from api_tokens`,
  )
  const proposal = await as(anna, newToken('quiet'))
  assert.ok(isProposed(proposal))
  const after = await deps.db.read.one(sql`select count(*)::text as tokens from api_tokens`)
  assert.deepEqual(after, before)
  await assert.rejects(as(anna, `tokens create --platform Platform:${newUuid()} --name x`), {
    code: 'REFERENCE_NOT_FOUND',
  })
  await assert.rejects(as(anna, newToken('x'), '--permissions', 'NONE'), { name: 'UsageError' })
  await assert.rejects(as(tom, newToken('x')), { details: { requiredRole: 'ADMIN or DEVELOPER' } })
})

test('OPER-23 OPER-26 secrets of the input are sealed, and those of the answer go to the approver alone', async () => {
  const name = `rails-${newUuid().slice(-6)}`
  const line = `providers add --kind http --ports rails --url https://rails.example.com --name ${name}`
  const proposal = await as(anna, line)
  const rows = await deps.db.read.many<{ row: string }>(
    sql`select to_jsonb(p)::text as row from proposals p`,
  )
  assert.ok(rows.length > 0 && rows.every(({ row }) => !row.includes('rails.example.com')))
  const added = await as(bea, `proposals approve ${idOf(proposal)}`)
  assert.ok(added['secret'])
  const shown = await as(anna, `proposals show ${idOf(proposal)}`)
  const result = shown['result'] as Body
  assert.deepEqual([text(result['name']), result['secret']], [name, undefined])
})

test('OPER-23 an option that holds a secret is not shown', async () => {
  const command = commands.find(({ name }) => name === 'providers update')
  assert.ok(command)
  const input = inputFor(command, { args: ['mail'], options: { config: '{"password":"x"}' } })
  const { options, shown } = await storeInput(command, input)
  assert.deepEqual(options, { config: ['{"password":"x"}'] })
  assert.deepEqual(shown, { provider: 'mail', config: '•••' })
})

test('OPER-23 what a file held when it was proposed is what is approved', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-terms-'))
  const file = join(folder, 'terms.txt')
  await writeFile(file, 'As agreed.')
  const version = `V${newUuid()}`
  const proposal = await as(anna, `terms publish --version ${version} --file`, file)
  await writeFile(file, 'Something else.')
  await rm(folder, { recursive: true })
  await as(bea, `proposals approve ${idOf(proposal)}`)
  assert.equal((await as(anna, `terms show ${version}`))['body'], 'As agreed.')
})

test('OPER-24 a name without a record cannot be told from the proposer', async () => {
  const proposal = await as(anna, newToken('guest'))
  await assert.rejects(operate(kit, `proposals approve ${idOf(proposal)}`), {
    code: 'FORBIDDEN',
    details: { reason: 'SAME_OPERATOR' },
  })
})

test('OPER-24 OPER-3 an operator limited to other platforms does not see it', async () => {
  const proposal = await as(anna, newToken('scoped'))
  const other = await kit.platform()
  const limited = { ...bea, platforms: [mustParseId('platform', other.platformId)] }
  for (const verb of ['show', 'approve', 'reject']) {
    await assert.rejects(as(limited, `proposals ${verb} ${idOf(proposal)}`), {
      code: 'REFERENCE_NOT_FOUND',
    })
  }
  assert.deepEqual(await as(limited, 'proposals list'), [])
  const near = { ...bea, platforms: [mustParseId('platform', platform.platformId)] }
  assert.ok((await as(near, `proposals approve ${idOf(proposal)}`))['clientSecret'])
})

test('OPER-25 another refusal of the command is its own, and final', async () => {
  const publish = `terms publish --version V${newUuid()} --text Terms`
  const proposal = await as(anna, publish)
  await operate(alone, publish)
  const refused = { code: 'CONFLICT', details: { reason: 'VERSION_EXISTS' } }
  await assert.rejects(as(bea, `proposals approve ${idOf(proposal)}`), refused)
  const shown = await as(anna, `proposals show ${idOf(proposal)}`)
  assert.equal(shown['status'], 'FAILED')
  const { code, details } = shown['error'] as Body
  assert.deepEqual({ code, details }, refused)
})

test('OPER-25 OPER-28 it is rejected by another, withdrawn by its proposer, and over after a day', async () => {
  const [first, second, third] = [
    await as(anna, newToken('one')),
    await as(anna, newToken('two')),
    await as(anna, newToken('three')),
  ]
  await assert.rejects(as(anna, `proposals reject ${idOf(first)}`), {
    details: { reason: 'SAME_OPERATOR' },
  })
  const rejected = await as(bea, `proposals reject ${idOf(first)} --note`, 'not now')
  assert.deepEqual([rejected['status'], rejected['decidedBy']], ['REJECTED', 'operator:Bea'])
  await assert.rejects(as(bea, `proposals withdraw ${idOf(second)}`), { code: 'FORBIDDEN' })
  assert.equal((await as(anna, `proposals withdraw ${idOf(second)}`))['status'], 'WITHDRAWN')
  const [entry] = items(await as(anna, `audit list --resource ${idOf(first)}`))
  assert.deepEqual(
    [entry?.['action'], entry?.['note']],
    ['proposals reject', 'tokens create: not now'],
  )
  const open = items(await as(anna, 'proposals list --limit 500')).map(idOf)
  assert.ok(open.includes(idOf(third)) && !open.includes(idOf(first)))
  assert.deepEqual(open, open.toSorted(), 'oldest first')

  aheadMs = DAY_MS
  assert.equal(await statusOf(third), 'EXPIRED')
  await assert.rejects(as(bea, `proposals approve ${idOf(third)}`), {
    code: 'CONFLICT',
    details: { proposalStatus: 'EXPIRED' },
  })
  kit.florin.jobs.wake()
  await eventually(async () => {
    const [last] = items(await as(anna, `audit list --resource ${idOf(third)}`))
    assert.equal(last?.['action'], 'proposals expire')
  })
  aheadMs = 0
})

test('OPER-28 one that is proposed again before its end was written down has ended with an audit entry', async () => {
  const overdue = await as(anna, newToken('late'))
  aheadMs = DAY_MS
  assert.ok(isProposed(await as(bea, newToken('late'))))
  const shown = await as(anna, `proposals show ${idOf(overdue)}`)
  const by = 'system:proposals.expire'
  assert.deepEqual([shown['status'], shown['decidedBy']], ['EXPIRED', by])
  const [entry] = items(await as(anna, `audit list --resource ${idOf(overdue)}`))
  assert.deepEqual([entry?.['actor'], entry?.['action']], [by, 'proposals expire'])
  aheadMs = 0
})

test('OPER-21 OPER-26 two administrators come alone, a third by two; one who is disabled leaves no proposal', async () => {
  const [one, two] = [await invited(kit, 'One', 'ADMIN'), await invited(kit, 'Two', 'ADMIN')]
  const line = 'operators invite --name Three --email three@example.com --roles ADMIN'
  const third = await operate(one.kit, line)
  assert.ok(isProposed(third))
  assert.ok((await operate(two.kit, `proposals approve ${idOf(third)}`))['url'])
  const proposal = await operate(two.kit, newToken('disabled'))
  await operate(one.kit, 'operators disable Two')
  assert.equal(await statusOf(proposal), 'WITHDRAWN')
  const [entry] = items(await as(anna, `audit list --resource ${idOf(proposal)}`))
  assert.deepEqual([entry?.['actor'], entry?.['action']], ['operator:One', 'proposals withdraw'])
})

test('OPER-27 of equal proposals one is open', async () => {
  const first = await as(anna, newToken('same'))
  const refused = { code: 'CONFLICT', details: { proposalId: idOf(first) } }
  await assert.rejects(as(bea, newToken('same')), refused)
  assert.ok(isProposed(await as(anna, newToken('other'))))
  await as(anna, `proposals withdraw ${idOf(first)}`)
  const race = await Promise.allSettled([1, 2, 3, 4].map(() => as(bea, newToken('same'))))
  assert.equal(race.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('OPER-28 open proposals are counted', async () => {
  const open = items(await as(anna, 'proposals list --limit 500')).length
  const figures = await kit.florin.metrics.registry.metrics()
  assert.match(figures, new RegExp(`^florin_proposals_open ${open}$`, 'm'))
})

test('OPER-23 a price or a network fee that moves beyond 2,000 bps needs a second operator', async () => {
  await as(ben, 'rates set --price GBP=0.75')
  assert.ok(Array.isArray(await as(ben, 'rates set --price GBP=0.9')), 'exactly 2,000')
  const far = await as(ben, 'rates set --price GBP=1.09')
  assert.ok(isProposed(far))
  assert.ok(Array.isArray(await as(tom, `proposals approve ${idOf(far)}`)))
  await as(ben, 'network-fees set --network SOLANA --fee 5000')
  assert.ok(isProposed(await as(ben, 'network-fees set --network SOLANA --fee 3999')))
  assert.ok(Array.isArray(await as(ben, 'network-fees set --network SOLANA --fee 4000')))
})

test('OPER-23 to pause a provider takes one operator, to let it go on two', async () => {
  const line = 'providers add --name pausable --kind manual --ports rails --currency USD'
  await as(bea, `proposals approve ${idOf(await as(anna, line))}`)
  assert.equal((await as(anna, 'providers update pausable --status PAUSED'))['status'], 'PAUSED')
  assert.ok(isProposed(await as(anna, 'providers update pausable --status ENABLED')))
  await assert.rejects(as(anna, 'providers update pausable --status PAUSED --name idle'), {
    code: 'CONFLICT',
  })
})

test('OPER-21 a provider of the sandbox alone needs nobody else', async () => {
  const line = 'providers add --name played --kind manual --ports rails --environment SANDBOX'
  assert.equal((await as(anna, line))['name'], 'played')
})

/** A verdict of a screening provider about an account, as it is kept. */
async function screened(subject: string, verdict: 'REVIEW' | 'BLOCK'): Promise<void> {
  const provider = items(await operate(kit, 'providers list')).find(({ providerId }) => providerId)
  const providerId = mustParseId('provider', text(provider?.['providerId']))
  const order = {
    platformId: mustParseId('platform', platform.platformId),
    id: newId('order'),
    providerId,
    type: 'SCREENING',
    transactionId: undefined,
    subject,
    request: {},
    sealedSecret: undefined,
    amount: undefined,
    currency: undefined,
    ownReference: newUuid(),
    expectedAt: undefined,
    isInstant: false,
    isHeld: true,
    leasedUntil: undefined,
    createdAt: clock.now(),
  }
  await asOperator(kit, platform, async ({ outbox }) => void outbox.orders.push(order))
  await asOperator(kit, platform, ({ tx }) =>
    tx.run(
      sql`insert into screenings (platform_id, order_id, provider_id, subject, verdict, list_version, decided_at)
          values (${order.platformId}, ${order.id}, ${providerId}, ${subject}, ${verdict}, '1', now())`,
    ),
  )
}

test('OPER-23 OPER-25 what a block stopped is released by two who know of all that was found', async () => {
  const bank = await productionBank(kit, platform)
  const set = (status: string) =>
    as(rita, `external-accounts set-status ${bank} ${status} --note checked`)
  assert.deepEqual(
    [(await set('INACTIVE'))['status'], (await set('ACTIVE'))['status']],
    ['INACTIVE', 'ACTIVE'],
  )
  await screened(bank, 'BLOCK')
  assert.equal((await set('INACTIVE'))['status'], 'INACTIVE')
  const proposal = await set('ACTIVE')
  assert.ok(isProposed(proposal))
  await screened(bank, 'REVIEW')
  await assert.rejects(as(ron, `proposals approve ${idOf(proposal)}`), {
    details: { reason: 'PROPOSAL_STALE' },
  })

  const [clear, blocked] = [await completePerson(platform), await completePerson(platform)]
  for (const customer of [clear, blocked]) await submitted(platform, customer)
  await asOperator(kit, platform, async (work) =>
    raiseFlag(work, {
      customerId: mustParseId('customer', blocked.id),
      subject: blocked.id,
      reason: 'SCREENING',
      level: 'BLOCK',
    }),
  )
  const approve = ({ id }: { id: string }) => as(rita, `review approve ${id} --note checked`)
  assert.equal((await approve(clear))['customer']?.['kycStatus'], 'APPROVED')
  assert.ok(isProposed(await approve(blocked)))
})

test('OPER-23 keys reseal, which takes many transactions, is run after it was approved', async () => {
  const proposal = await as(anna, 'keys reseal --batch 5')
  assert.ok(isProposed(proposal))
  await assert.rejects(as(anna, 'keys reseal --batch none'), { name: 'UsageError' })
  const done = await as(bea, `proposals approve ${idOf(proposal)}`)
  assert.equal(done['ok'], true)
  const shown = await as(anna, `proposals show ${idOf(proposal)}`)
  assert.deepEqual([shown['status'], (shown['result'] as Body)['ok']], ['EXECUTED', true])
})

test('OPER-20 with FOUR_EYES=off commands run at once, and doctor says so', async () => {
  assert.ok((await operate(alone, newToken('alone')))['clientSecret'])
  const line = async (of: typeof kit) =>
    items((await operate(of, 'doctor'))['checks']).find(({ check }) => text(check) === 'four-eyes')
  assert.equal((await line(alone))?.['detail'], 'off')
  assert.equal((await line(kit))?.['detail'], 'on')
})

test('OPER-72 OPER-73 a customer is erased once its period is over, no hold is on and a second operator agrees', async () => {
  const { id } = await createCustomer(platform, { fullName: 'Proposita Vellum' })
  expectStatus(await platform.api.delete(`/customers/${id}`), 200)
  const erase = (note: string, ...more: string[]) =>
    as(anna, `customers erase ${id}`, '--note', note, ...more)
  await assert.rejects(erase('too early'), (error: ApiError) => {
    assert.deepEqual([error.code, error.details?.['reason']], ['CONFLICT', 'RETENTION_PERIOD'])
    return true
  })
  const refused = await erase('Proposita Vellum asks', '--override-period')
  await as(bea, `proposals reject ${idOf(refused)} --note no`)

  aheadMs = 5 * 366 * DAY_MS
  const hold = async (to: string) => {
    const proposal = await as(anna, `customers legal-hold ${id} ${to}`, '--note', 'a court')
    if (isProposed(proposal)) await as(bea, `proposals approve ${idOf(proposal)}`)
  }
  await hold('on')
  await assert.rejects(erase('on hold'), (error: ApiError) => {
    assert.equal(error.details?.['reason'], 'LEGAL_HOLD')
    return true
  })
  await hold('off')
  const proposal = await erase('its period is over')
  assert.ok(isProposed(proposal))
  await as(bea, `proposals approve ${idOf(proposal)}`)
  assert.equal(await statusOf(proposal), 'EXECUTED')
  expectError(await platform.api.get(`/customers/${id}`), 404, 'USER_NOT_FOUND')

  const shown = await as(anna, `proposals show ${idOf(refused)}`)
  assert.deepEqual([shown['status'], shown['input']], ['REJECTED', {}])
  await assert.rejects(as(bea, `proposals approve ${idOf(refused)}`), {
    details: { proposalStatus: 'REJECTED' },
  })
  // Years ahead, an entry that was just written would be one that nobody has chained for long.
  aheadMs = 0
  await eventuallyChained(kit)
  for (const check of ['ledger check', 'audit verify'])
    assert.equal((await as(anna, check))['ok'], true, check)
})
