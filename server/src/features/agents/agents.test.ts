import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  connectAgent,
  createAgent,
  policyOf,
  postAgent,
  redeem,
  setPolicy,
} from '../../../test/kit/setups/agents.ts'
import { expectError, expectFields, expectStatus, text } from '../../../test/kit/api.ts'
import { createCustomer } from '../../../test/kit/customers.ts'
import { externalAccountBody } from '../../../test/kit/accounts/external-account-bodies.ts'
import { startKit, type TestPlatform } from '../../../test/kit/florin.ts'
import {
  customerAccount,
  payee,
  payer,
  platformAccount,
  quoteBody,
} from '../../../test/kit/payments.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import { mustParseId } from '../../kernel/ids.ts'

const kit = await startKit()
const platform = await kit.platform()
const other = await kit.platform()
const DAY_SECONDS = 86_400

const newCustomer = async (of: TestPlatform = platform): Promise<string> =>
  (await createCustomer(of)).id

const customerId = await newCustomer()
const create = (policy: object, of = customerId) =>
  postAgent(platform, { customerId: of, policy: policyOf(policy) })

const advance = async (of: TestPlatform, advanceSeconds: number): Promise<void> =>
  void expectStatus(await of.api.post('/sandbox/clock', { advanceSeconds }), 200)

describe('creating an agent', () => {
  test('AGENT-1 a name is trimmed, has 1 to 255 characters and no control characters', async () => {
    const named = async (name: unknown) =>
      platform.api.post('/agents', { name, customerId, policy: policyOf() })
    const wide = '🙂'.repeat(255)
    for (const name of ['  Zoë  ', wide, 'x']) {
      const { agent } = expectStatus(await named(name), 201)
      assert.equal(agent.name, name.trim())
    }
    for (const name of ['', '   ', `${wide}x`, 'a\u0007b', 7, null]) {
      expectFields(await named(name), ['name'])
    }
    const again = expectStatus(await named('Zoë'), 201)
    assert.equal(again.agent.name, 'Zoë', 'names need not be unique')
  })

  test('AGENT-2 an agent’s customer exists in the platform, verified or not', async () => {
    const deleted = await newCustomer()
    expectStatus(await platform.api.delete(`/customers/${deleted}`), 200)
    const foreign = await newCustomer(other)
    for (const id of [
      deleted,
      foreign,
      customerId.replace(/.$/, (end) => (end === '0' ? '1' : '0')),
    ]) {
      expectError(await postAgent(platform, { customerId: id }), 404, 'USER_NOT_FOUND')
    }
    expectFields(await postAgent(platform, { customerId: 'Customer:x' }), ['customerId'])
  })

  test('AGENT-3 a new agent is unpaused, unconnected and unused, and has a code', async () => {
    const policy = policyOf({
      accountRestrictions: { allowedAccountIds: null },
      spendingLimits: { currency: 'USD', perTransactionLimit: 5, dailyLimit: null },
    })
    const { agent, deviceCode } = await createAgent(platform, { customerId, policy })
    assert.equal(agent.customerId, customerId)
    assert.equal(agent.isPaused, false)
    assert.equal(agent.isConnected, false)
    const { dailyTransactionCount, dailySpend, monthlySpend } = agent.usage ?? {}
    assert.deepEqual([dailyTransactionCount, dailySpend, monthlySpend], [0, 0, 0])
    assert.deepEqual(agent.policy.spendingLimits, {
      currency: 'USD',
      perTransactionLimit: 5,
    })
    assert.deepEqual(agent.policy.accountRestrictions, {})
    assert.equal(deviceCode.redeemed, false)
    assert.equal(deviceCode.agentId, agent.id)
    const read = expectStatus(await platform.api.get(`/agents/${agent.id}`), 200)
    assert.deepEqual(read, agent)
  })

  test('AGENT-4 every error of a policy is named under policy.', async () => {
    const limits = (changes: object) => ({
      spendingLimits: { currency: 'USD', perTransactionLimit: 5, ...changes },
    })
    const wrong: readonly (readonly [object, string])[] = [
      [{ permissions: ['FLY'] }, 'permissions.0'],
      [{ permissions: [7] }, 'permissions.0'],
      [{ permissions: undefined }, 'permissions'],
      [{ defaultExecutionMode: 'MAYBE' }, 'defaultExecutionMode'],
      [{ spendingLimits: undefined }, 'spendingLimits'],
      [limits({ currency: 'XXX' }), 'spendingLimits.currency'],
      [limits({ currency: 'GBP' }), 'spendingLimits.currency'],
      [limits({ perTransactionLimit: undefined }), 'spendingLimits.perTransactionLimit'],
      [limits({ perTransactionLimit: '5' }), 'spendingLimits.perTransactionLimit'],
      [limits({ perTransactionLimit: 1.5 }), 'spendingLimits.perTransactionLimit'],
      [limits({ dailyLimit: -1 }), 'spendingLimits.dailyLimit'],
      [limits({ monthlyLimit: 9_000_000_000_000_001 }), 'spendingLimits.monthlyLimit'],
      [limits({ dailyTransactionLimit: 0.5 }), 'spendingLimits.dailyTransactionLimit'],
      [{ approvalThresholds: { amount: 5 } }, 'approvalThresholds.currency'],
      [{ approvalThresholds: { amount: 5, currency: 'XXX' } }, 'approvalThresholds.currency'],
    ]
    for (const [change, field] of wrong) expectFields(await create(change), [`policy.${field}`])
    const several = { ...limits({ currency: 'GBP' }), permissions: ['FLY'] }
    expectFields(await create(several), ['policy.permissions.0', 'policy.spendingLimits.currency'])
    const repeated = expectStatus(
      await create({
        permissions: ['CREATE_QUOTES', 'CREATE_QUOTES'],
        ...limits({ dailyLimit: 0 }),
      }),
      201,
    )
    assert.deepEqual(repeated.agent.policy.permissions, ['CREATE_QUOTES'])
    assert.equal(repeated.agent.policy.spendingLimits.dailyLimit, 0)
    expectStatus(await create({ permissions: [] }), 201)
  })

  test('AGENT-5 accounts of a policy are internal ones of its customer, unknown and foreign alike', async () => {
    const own = await customerAccount(platform, customerId, 'USD')
    const others = await customerAccount(platform, await newCustomer(), 'USD')
    const strangers = [others, await platformAccount(platform, 'USD'), own.replace(/.{4}$/, '0000')]
    for (const stranger of strangers) {
      const allowed = { accountRestrictions: { allowedAccountIds: [own, stranger] } }
      expectFields(await create(allowed), ['policy.accountRestrictions.allowedAccountIds.1'])
      const rules = { accountRestrictions: { accountRules: [{ accountId: stranger }] } }
      expectFields(await create(rules), ['policy.accountRestrictions.accountRules.0.accountId'])
    }
    const twice = {
      accountRestrictions: { accountRules: [{ accountId: own }, { accountId: own }] },
    }
    expectFields(await create(twice), ['policy.accountRestrictions.accountRules.1.accountId'])
    const malformed = { accountRestrictions: { allowedAccountIds: ['x'] } }
    expectFields(await create(malformed), ['policy.accountRestrictions.allowedAccountIds.0'])
  })

  test('CORE-30 AGENT-4 AGENT-5 one answer lists all errors of a new policy', async () => {
    const accountId = await platformAccount(platform, 'USD')
    const accountRestrictions = {
      allowedAccountIds: [accountId, 7, 'InternalAccount:x'],
      accountRules: [{ accountId, perTransactionLimit: -1 }, null],
    }
    const spendingLimits = { currency: 'JMD', perTransactionLimit: '5' }
    const policy = policyOf({ accountRestrictions, spendingLimits })
    expectFields(await postAgent(platform, { customerId, name: ' ', policy }), [
      'name',
      'policy.accountRestrictions.accountRules.0.accountId',
      'policy.accountRestrictions.accountRules.0.perTransactionLimit',
      'policy.accountRestrictions.accountRules.1',
      'policy.accountRestrictions.allowedAccountIds.0',
      'policy.accountRestrictions.allowedAccountIds.1',
      'policy.accountRestrictions.allowedAccountIds.2',
      'policy.spendingLimits.currency',
      'policy.spendingLimits.perTransactionLimit',
    ])
  })
})

describe('changing an agent', () => {
  test('CORE-30 AGENT-4 AGENT-5 one answer lists all errors of a changed policy', async () => {
    const accountId = await customerAccount(platform, customerId, 'USD')
    const approvalThresholds = { currency: 'USD', amount: 3 }
    const { agent } = await createAgent(platform, {
      customerId,
      policy: policyOf({ approvalThresholds }),
    })
    const change = (update: object) => setPolicy(platform, agent.id, update)
    const update = {
      permissions: ['X'],
      approvalThresholds: { currency: 'NOPE' },
      spendingLimits: { currency: 'ZZZ' },
      accountRestrictions: {
        allowedAccountIds: [await platformAccount(platform, 'USD')],
        accountRules: [{ accountId }, { accountId }],
      },
    }
    expectFields(await change(update), [
      'accountRestrictions.accountRules.1.accountId',
      'accountRestrictions.allowedAccountIds.0',
      'approvalThresholds.currency',
      'permissions.0',
      'spendingLimits.currency',
    ])
    // What is stored belongs to it: the amount has its currency, until that is cleared.
    const wrong = { permissions: ['X'] }
    const raised = { ...wrong, approvalThresholds: { amount: 4 } }
    expectFields(await change(raised), ['permissions.0'])
    const cleared = { ...wrong, approvalThresholds: { currency: null } }
    expectFields(await change(cleared), ['approvalThresholds.currency', 'permissions.0'])
  })

  test('AGENT-6 lists replace, objects merge, null clears, and the whole is judged', async () => {
    const account = await customerAccount(platform, customerId, 'USD')
    const { agent } = await createAgent(platform, {
      customerId,
      policy: policyOf({
        spendingLimits: { currency: 'USD', perTransactionLimit: 5, dailyLimit: 50 },
        accountRestrictions: {
          allowedAccountIds: [account],
          accountRules: [{ accountId: account }],
        },
        approvalThresholds: { currency: 'USD', amount: 3 },
      }),
    })
    const id = agent.id
    const change = async (update: object) =>
      expectStatus(await setPolicy(platform, id, update), 200).policy
    const first = await change({
      permissions: ['CREATE_QUOTES'],
      spendingLimits: { monthlyLimit: 500, dailyLimit: null },
      accountRestrictions: { allowedAccountIds: null },
    })
    assert.deepEqual(first, {
      permissions: ['CREATE_QUOTES'],
      defaultExecutionMode: 'AUTO',
      spendingLimits: { currency: 'USD', perTransactionLimit: 5, monthlyLimit: 500 },
      accountRestrictions: { accountRules: [{ accountId: account }] },
      approvalThresholds: { currency: 'USD', amount: 3 },
    })
    const second = await change({
      accountRestrictions: { accountRules: [] },
      approvalThresholds: { amount: null },
    })
    assert.deepEqual(second.accountRestrictions, { accountRules: [] })
    assert.deepEqual(second.approvalThresholds, { currency: 'USD' })
    const stranger = {
      accountRestrictions: { allowedAccountIds: [await platformAccount(platform, 'USD')] },
    }
    const field = 'accountRestrictions.allowedAccountIds.0'
    expectFields(await setPolicy(platform, id, stranger), [field])
    const required = { spendingLimits: { perTransactionLimit: null } }
    expectFields(await setPolicy(platform, id, required), ['spendingLimits.perTransactionLimit'])
    assert.deepEqual(
      expectStatus(await platform.api.get(`/agents/${id}`), 200).policy,
      second,
      'a refused change changes nothing',
    )
  })

  test('AGENT-6 CORE-7 whole restrictions, their rules and a threshold can be cleared', async () => {
    const account = await customerAccount(platform, customerId, 'USD')
    const accountRestrictions = {
      allowedAccountIds: [account],
      accountRules: [{ accountId: account }],
    }
    const approvalThresholds = { currency: 'USD', amount: 3 }
    const policy = policyOf({ accountRestrictions, approvalThresholds })
    const { agent } = await createAgent(platform, { customerId, policy })
    const change = async (update: object) =>
      expectStatus(await setPolicy(platform, agent.id, update), 200).policy
    const rule = { accountId: account, executionMode: null, perTransactionLimit: null }
    const ruled = await change({ accountRestrictions: { accountRules: [rule] } })
    assert.deepEqual(ruled.accountRestrictions, accountRestrictions)
    const unruled = await change({ accountRestrictions: { accountRules: null } })
    assert.deepEqual(unruled.accountRestrictions, { allowedAccountIds: [account] })
    const free = await change({ accountRestrictions: null, approvalThresholds: null })
    assert.deepEqual(
      ['accountRestrictions', 'approvalThresholds'].filter((name) => name in (free ?? {})),
      [],
    )
    const kept = { permissions: null, spendingLimits: null, defaultExecutionMode: null }
    expectFields(await setPolicy(platform, agent.id, kept), Object.keys(kept))
  })

  test('AGENT-6 a threshold without a currency is refused where merging leaves none', async () => {
    const { agent } = await createAgent(platform, { customerId })
    const answer = await setPolicy(platform, agent.id, {
      approvalThresholds: { amount: 1 },
    })
    expectFields(answer, ['approvalThresholds.currency'])
  })

  test('AGENT-7 in another currency limits and usage are converted, rounded down', async () => {
    const { customerId: of, account } = await payer(platform)
    const accountRules = [{ accountId: account, perTransactionLimit: 999 }]
    const agent = await connectAgent(platform, {
      customerId: of,
      policy: policyOf({
        spendingLimits: {
          currency: 'USD',
          perTransactionLimit: 1000,
          dailyLimit: 5001,
          dailyTransactionLimit: 7,
          monthlyLimit: 90_000,
        },
        accountRestrictions: { accountRules },
      }),
    })
    const transfer = {
      source: { accountId: account },
      destination: { accountId: await payee(platform, 'USD_ACCOUNT', { customerId: of }) },
      amount: 101,
    }
    expectStatus(await agent.api.post('/agents/me/transfer-out', transfer), 201)
    const update = { spendingLimits: { currency: 'USDC', perTransactionLimit: 4 } }
    const changed = expectStatus(await setPolicy(platform, agent.id, update), 200)
    assert.deepEqual(changed.policy.spendingLimits, {
      currency: 'USDC',
      perTransactionLimit: 4,
      dailyLimit: 50_010_000,
      dailyTransactionLimit: 7,
      monthlyLimit: 900_000_000,
    })
    assert.deepEqual(changed.policy.accountRestrictions, {
      accountRules: [{ accountId: account, perTransactionLimit: 9_990_000 }],
    })
    assert.equal(changed.usage.dailySpend, 1_010_000)
    assert.equal(changed.usage.dailyTransactionCount, 1)
    const back = { spendingLimits: { currency: 'EUR' } }
    const inEuro = expectStatus(await setPolicy(platform, agent.id, back), 200)
    assert.equal(inEuro.policy.spendingLimits.perTransactionLimit, 0)
    assert.ok(inEuro.usage.dailySpend < 101)
  })

  test('AGENT-7 a limit that does not fit into the other currency must be set again', async () => {
    const account = await customerAccount(platform, customerId, 'USD')
    const largest = 9_000_000_000_000_000
    const { agent } = await createAgent(platform, {
      customerId,
      policy: policyOf({
        spendingLimits: { currency: 'USD', perTransactionLimit: largest, dailyLimit: largest },
        accountRestrictions: {
          accountRules: [{ accountId: account, perTransactionLimit: largest }],
        },
      }),
    })
    const id = agent.id
    const change = (limits: object, more: object = {}) =>
      setPolicy(platform, id, { spendingLimits: { currency: 'MXN', ...limits }, ...more })
    const inFineUnits = { spendingLimits: { currency: 'USDC', perTransactionLimit: 1 } }
    expectFields(await setPolicy(platform, id, inFineUnits), [
      'accountRestrictions.accountRules.0.perTransactionLimit',
      'spendingLimits.dailyLimit',
    ])
    expectFields(await change({ dailyLimit: null }), [
      'accountRestrictions.accountRules.0.perTransactionLimit',
      'spendingLimits.perTransactionLimit',
    ])
    const given = { perTransactionLimit: largest, dailyLimit: largest }
    const accountRestrictions = { accountRules: [] }
    const changed = expectStatus(await change(given, { accountRestrictions }), 200)
    assert.deepEqual(changed.policy.spendingLimits, { currency: 'MXN', ...given })
  })

  test('AGENT-4 CORE-6 a limit of movements has the same upper bound as an amount', async () => {
    const largest = 9_000_000_000_000_000
    const spendingLimits = (dailyTransactionLimit: number) => ({
      spendingLimits: { currency: 'USD', perTransactionLimit: 5, dailyTransactionLimit },
    })
    const { agent } = await createAgent(platform, {
      customerId,
      policy: policyOf(spendingLimits(largest)),
    })
    assert.equal(agent.policy.spendingLimits.dailyTransactionLimit, largest)
    const changed = await setPolicy(platform, agent.id, spendingLimits(largest - 1))
    const { policy } = expectStatus(changed, 200)
    assert.equal(policy.spendingLimits.dailyTransactionLimit, largest - 1)
    const refused = await setPolicy(platform, agent.id, spendingLimits(largest + 1))
    expectFields(refused, ['spendingLimits.dailyTransactionLimit'])
  })

  test('AGENT-6 CORE-7 a limit of movements can be lifted', async () => {
    const spendingLimits = { currency: 'USD', perTransactionLimit: 5, dailyTransactionLimit: 0 }
    const policy = policyOf({ spendingLimits })
    const { agent } = await createAgent(platform, { customerId, policy })
    const update = { spendingLimits: { dailyTransactionLimit: null } }
    const changed = expectStatus(await setPolicy(platform, agent.id, update), 200)
    assert.deepEqual(changed.policy.spendingLimits, {
      currency: 'USD',
      perTransactionLimit: 5,
    })
  })

  test('AGENT-8 a change of nothing is refused, and isPaused is a boolean', async () => {
    const { agent } = await createAgent(platform, { customerId })
    const path = `/agents/${agent.id}` as const
    for (const place of [path, `${path}/policy`]) {
      expectFields(await platform.api.patch(place, {}), [''])
      expectFields(await platform.api.patch(place, { colour: 'red' }), [''])
    }
    expectFields(await platform.api.patch(path, { isPaused: 'yes' }), ['isPaused'])
    const renamed = expectStatus(await platform.api.patch(path, { name: ' New ' }), 200)
    assert.equal(renamed.name, 'New')
  })

  test('AGENT-9 a paused agent may read and not write', async () => {
    const agent = await connectAgent(platform, { customerId })
    expectStatus(await platform.api.patch(`/agents/${agent.id}`, { isPaused: true }), 200)
    for (const path of [
      '',
      '/internal-accounts',
      '/transactions',
      '/external-accounts',
      '/actions',
    ]) {
      expectStatus(await agent.api.get(`/agents/me${path}`), 200)
    }
    for (const path of [
      '/quotes',
      '/quotes/x/execute',
      '/transfer-in',
      '/transfer-out',
      '/external-accounts',
    ]) {
      const details = expectError(await agent.api.post(`/agents/me${path}`, {}), 403, 'FORBIDDEN')
      assert.equal(details['reason'], 'AGENT_PAUSED', path)
    }
  })

  test('AGENT-6 AGENT-9 a process with a cached agent lets nothing be written either', async () => {
    const agent = await connectAgent(platform, { customerId })
    const from = await customerAccount(platform, customerId, 'USD')
    const body = externalAccountBody('USD_ACCOUNT')
    const create = () => agent.api.post('/agents/me/external-accounts', body)
    const to = expectStatus(await create(), 201).id
    const writes = [
      create,
      () => agent.api.delete(`/agents/me/external-accounts/${to}`),
      () => agent.api.post('/agents/me/quotes', quoteBody({ from, to, amount: 100 })),
    ]
    // Unlike a change through the interface, this tells no process to look again.
    const change = (set: Sql) =>
      kit.florin.deps.db.read.run(
        sql`update agents set ${set} where id = ${mustParseId('agent', agent.id)}`,
      )
    for (const [set, reason] of [
      [sql`is_paused = true`, 'AGENT_PAUSED'],
      [sql`is_paused = false, policy = policy || '{"permissions": []}'`, 'PERMISSION_MISSING'],
    ] as const) {
      expectStatus(await agent.api.get('/agents/me'), 200)
      await change(set)
      for (const write of writes) {
        assert.equal(expectError(await write(), 403, 'FORBIDDEN')['reason'], reason)
      }
    }
    await change(sql`deleted_at = created_at`)
    for (const write of writes) expectError(await write(), 401, 'UNAUTHORIZED')
  })

  test('AGENT-10 deletion is final, and goes with the customer', async () => {
    const of = await newCustomer()
    const [first, second] = [
      await connectAgent(platform, { customerId: of }),
      await connectAgent(platform, { customerId: of }),
    ]
    const { deviceCode } = await createAgent(platform, { customerId: of })
    expectStatus(await platform.api.delete(`/agents/${first.id}`), 204)
    expectError(await first.api.get('/agents/me'), 401, 'UNAUTHORIZED')
    expectError(await platform.api.get(`/agents/${first.id}`), 404, 'REFERENCE_NOT_FOUND')
    expectError(await platform.api.delete(`/agents/${first.id}`), 404, 'REFERENCE_NOT_FOUND')
    expectStatus(await second.api.get('/agents/me'), 200)
    expectStatus(await platform.api.delete(`/customers/${of}`), 200)
    expectError(await second.api.get('/agents/me'), 401, 'UNAUTHORIZED')
    expectError(await platform.api.get(`/agents/${second.id}`), 404, 'REFERENCE_NOT_FOUND')
    expectError(await redeem(platform, deviceCode.code), 404, 'REFERENCE_NOT_FOUND')
  })
})

describe('device codes and tokens', () => {
  test('AGENT-11 a code has four groups of unmistakable characters, in any case', async () => {
    const { deviceCode } = await createAgent(platform, { customerId })
    const code = deviceCode.code
    assert.match(code, /^AGENT(-[2-9A-HJKMNP-Z]{4}){4}$/)
    assert.doesNotMatch(code.slice(5), /[ILO01]/)
    const path = `/agents/device-codes/${code.toLowerCase()}/status` as const
    assert.equal(expectStatus(await platform.api.get(path), 200).code, code)
    expectStatus(await redeem(platform, code.toLowerCase()), 200)
  })

  test('AGENT-12 AGENT-16 CORE-92 redeeming ignores credentials and keys, and shows the token once', async () => {
    const { agent, deviceCode } = await createAgent(platform, { customerId, name: 'Once' })
    const path = `/agents/device-codes/${deviceCode.code}/redeem` as const
    const headers = { authorization: 'Basic nonsense', 'idempotency-key': 'once' }
    const redeemed = expectStatus(await platform.api.send('POST', path, { headers }), 200)
    assert.equal(redeemed.agentId, agent.id)
    assert.equal(redeemed.agentName, 'Once')
    assert.deepEqual(redeemed.policy, agent.policy)
    const token = redeemed.accessToken
    assert.match(token, /^agt_[A-Za-z0-9_-]{43}$/)
    const again = await platform.api.send('POST', path, { headers })
    assert.equal(
      expectError(again, 400, 'INVALID_INPUT')['reason'],
      'DEVICE_CODE_ALREADY_REDEEMED',
      'no answer is kept under the key',
    )
    const { db } = kit.florin.deps
    const rows = await db.read.many<{ row: string }>(
      sql`select to_jsonb(a)::text as row from agents a
          union all select to_jsonb(k)::text from idempotency_keys k
          union all select to_jsonb(c)::text from agent_device_codes c
          union all select to_jsonb(e)::text from audit_entries e union all select n::text from audit_notes n`,
    )
    const entries = await db.read.many<{ action: string; resource: string }>(
      sql`select action, resource from audit_entries where resource = ${agent.id} order by id`,
    )
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['createAgent', 'redeemAgentDeviceCode'],
    )
    for (const { row } of rows) {
      assert.ok(!row.includes(token), 'the token is stored nowhere')
      assert.ok(!row.includes(deviceCode.code), 'nor is the code')
    }
  })

  test('AGENT-13 AGENT-17 spent, expired, superseded and unknown codes are told apart', async () => {
    const own = await kit.platform()
    const of = await newCustomer(own)
    const { agent, deviceCode } = await createAgent(own, { customerId: of })
    const first = deviceCode.code
    const path = `/agents/${agent.id}/device-codes` as const
    const { code: second } = expectStatus(await own.api.post(path), 201)
    const reason = async (code: unknown) =>
      expectError(await redeem(own, String(code)), 400, 'INVALID_INPUT')['reason']
    assert.equal(await reason(first), 'DEVICE_CODE_EXPIRED', 'superseded')
    await advance(own, DAY_SECONDS)
    assert.equal(await reason(second), 'DEVICE_CODE_EXPIRED')
    const status = (code: unknown, of = own) => of.api.get(`/agents/device-codes/${code}/status`)
    assert.equal(expectStatus(await status(second), 200).redeemed, false)
    const { code: third } = expectStatus(await own.api.post(path), 201)
    expectStatus(await redeem(own, third), 200)
    assert.equal(await reason(third), 'DEVICE_CODE_ALREADY_REDEEMED')
    assert.equal(expectStatus(await status(third), 200).redeemed, true)
    for (const unknown of ['AGENT-2222-2222-2222-2222', 'x', '%20']) {
      expectError(await redeem(own, unknown), 404, 'REFERENCE_NOT_FOUND')
      expectError(await status(unknown), 404, 'REFERENCE_NOT_FOUND')
    }
    expectError(await status(third, other), 404, 'REFERENCE_NOT_FOUND')
  })

  test('AGENT-18 a connected agent gets no other code, a deleted one none', async () => {
    const agent = await connectAgent(platform, { customerId })
    const path = `/agents/${agent.id}/device-codes` as const
    expectError(await platform.api.post(path), 409, 'CONFLICT')
    expectStatus(await platform.api.delete(`/agents/${agent.id}`), 204)
    expectError(await platform.api.post(path), 404, 'REFERENCE_NOT_FOUND')
  })

  test('AGENT-19 me, approvals and device-codes are no agents', async () => {
    const { api } = platform
    expectError(await api.get('/agents/device-codes'), 404, 'REFERENCE_NOT_FOUND')
    expectError(await api.patch('/agents/me', { isPaused: true }), 405, 'METHOD_NOT_ALLOWED')
    expectError(await api.delete('/agents/approvals'), 405, 'METHOD_NOT_ALLOWED')
    expectError(await api.post('/agents/me/device-codes'), 404, 'REFERENCE_NOT_FOUND')
  })

  test('AGENT-19 an unknown token is 401 and names the scheme', async () => {
    for (const authorization of ['', 'Bearer', 'Bearer agt_x', `Bearer agt_${'a'.repeat(43)}`]) {
      const answer = await platform.api.send('GET', '/agents/me', { headers: { authorization } })
      expectError(answer, 401, 'UNAUTHORIZED')
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
    }
  })
})

describe('listing agents', () => {
  test('AGENT-21 agents are listed newest first, filtered, and only to their platform', async () => {
    const own = await kit.platform()
    const [one, two] = [await newCustomer(own), await newCustomer(own)]
    const ids: string[] = []
    for (const owner of [one, one, two]) {
      ids.push((await connectAgent(own, { customerId: owner })).id)
    }
    const { agent } = await createAgent(own, { customerId: two })
    ids.push(agent.id)
    expectStatus(await own.api.patch(`/agents/${ids[0]}`, { isPaused: true }), 200)
    const list = async (query: Record<string, string | boolean | number> = {}) => {
      const body = expectStatus(await own.api.get('/agents', { query }), 200)
      return body.data.map(({ id }) => id)
    }
    assert.deepEqual(await list(), ids.toReversed())
    assert.deepEqual(await list({ customerId: one }), [ids[1], ids[0]])
    assert.deepEqual(await list({ isPaused: true }), [ids[0]])
    assert.deepEqual(await list({ isConnected: false }), [ids[3]])
    assert.deepEqual(await list({ createdAfter: '2100-01-01T00:00:00Z' }), [])
    assert.deepEqual(await list({ updatedBefore: '2020-01-01T00:00:00Z' }), [])
    const first = expectStatus(await own.api.get('/agents', { query: { limit: 3 } }), 200)
    assert.equal(first.totalCount, 4)
    const cursor = text(first.nextCursor)
    assert.deepEqual(await list({ limit: 3, cursor }), [ids[0]])
    const query = { customerId: await newCustomer(other) }
    expectError(await own.api.get('/agents', { query }), 404, 'USER_NOT_FOUND')
    for (const id of ids) {
      expectError(await other.api.get(`/agents/${id}`), 404, 'REFERENCE_NOT_FOUND')
    }
  })
})
