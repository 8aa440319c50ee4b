import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMs, DAY_MS, HOUR_MS } from '../../../kernel/clock.ts'
import { asId, formatId, newUuid } from '../../../kernel/ids.ts'
import { SANDBOX_PRICES } from '../../rates/index.ts'
import type { Policy } from './policy.ts'
import { judge } from './judge.ts'
import type { Usage } from './usage.ts'

const A = asId('internalAccount', newUuid())
const B = asId('internalAccount', newUuid())
const [a, b] = [A, B].map((id) => formatId('internalAccount', id)) as [string, string]

const LIMITS = { currency: 'USD', perTransactionLimit: 100 }
const NOTHING: Usage = { day: '2026-01-01', dailyCount: 0, dailySpend: 0n, monthlySpend: 0n }

const policy = (changes: Partial<Policy> = {}): Policy => ({
  permissions: [],
  defaultExecutionMode: 'AUTO',
  spendingLimits: LIMITS,
  ...changes,
})

const withLimits = (limits: Partial<Policy['spendingLimits']>): Policy =>
  policy({ spendingLimits: { ...LIMITS, ...limits } })

type Case = Readonly<{
  why: string
  policy?: Policy
  usage?: Partial<Usage>
  accounts?: readonly (typeof A)[]
  amount?: bigint
  currency?: string
  /** How many milliseconds ago an agent made the payee. */
  payeeAgeMs?: number
  verdict: 'AUTO' | 'APPROVAL' | string
}>

const CASES: readonly Case[] = [
  { why: 'ACT-2 exactly the limit passes', amount: 100n, verdict: 'AUTO' },
  { why: 'ACT-2 one more does not', amount: 101n, verdict: 'PER_TRANSACTION_LIMIT_EXCEEDED' },
  {
    why: 'ACT-4 what touches no internal account is bound by the general limit',
    accounts: [],
    amount: 101n,
    verdict: 'PER_TRANSACTION_LIMIT_EXCEEDED',
  },
  {
    why: 'ACT-5 and by the general mode',
    policy: policy({ defaultExecutionMode: 'APPROVAL_REQUIRED' }),
    accounts: [],
    verdict: 'APPROVAL',
  },
  {
    why: 'AGENT-4 a limit of zero blocks',
    policy: withLimits({ perTransactionLimit: 0 }),
    amount: 1n,
    verdict: 'PER_TRANSACTION_LIMIT_EXCEEDED',
  },
  {
    why: 'ACT-2 the day’s total may come exactly to its limit',
    policy: withLimits({ dailyLimit: 150 }),
    usage: { dailySpend: 50n },
    amount: 100n,
    verdict: 'AUTO',
  },
  {
    why: 'ACT-2 and not one further',
    policy: withLimits({ dailyLimit: 150 }),
    usage: { dailySpend: 51n },
    amount: 100n,
    verdict: 'DAILY_LIMIT_EXCEEDED',
  },
  {
    why: 'ACT-2 the month likewise',
    policy: withLimits({ monthlyLimit: 150 }),
    usage: { monthlySpend: 51n },
    amount: 100n,
    verdict: 'MONTHLY_LIMIT_EXCEEDED',
  },
  {
    why: 'ACT-2 the last movement of the day passes',
    policy: withLimits({ dailyTransactionLimit: 3 }),
    usage: { dailyCount: 2 },
    verdict: 'AUTO',
  },
  {
    why: 'the count is asked before the sum',
    policy: withLimits({ dailyTransactionLimit: 3, dailyLimit: 1 }),
    usage: { dailyCount: 3 },
    verdict: 'DAILY_TRANSACTION_LIMIT_EXCEEDED',
  },
  {
    why: 'ACT-3 an account that is not listed is not allowed, whatever the amount',
    policy: policy({ accountRestrictions: { allowedAccountIds: [b] } }),
    amount: 101n,
    verdict: 'ACCOUNT_NOT_ALLOWED',
  },
  {
    why: 'ACT-3 each of the accounts must be',
    policy: policy({ accountRestrictions: { allowedAccountIds: [a] } }),
    accounts: [A, B],
    verdict: 'ACCOUNT_NOT_ALLOWED',
  },
  {
    why: 'an empty list allows none',
    policy: policy({ accountRestrictions: { allowedAccountIds: [] } }),
    verdict: 'ACCOUNT_NOT_ALLOWED',
  },
  {
    why: 'ACT-4 an account’s own limit may be higher',
    policy: policy({
      accountRestrictions: { accountRules: [{ accountId: a, perTransactionLimit: 200 }] },
    }),
    amount: 200n,
    verdict: 'AUTO',
  },
  {
    why: 'ACT-4 or lower',
    policy: policy({
      accountRestrictions: { accountRules: [{ accountId: a, perTransactionLimit: 5 }] },
    }),
    amount: 6n,
    verdict: 'PER_TRANSACTION_LIMIT_EXCEEDED',
  },
  {
    why: 'ACT-4 another account’s does not matter',
    policy: policy({
      accountRestrictions: { accountRules: [{ accountId: b, perTransactionLimit: 5 }] },
    }),
    amount: 6n,
    verdict: 'AUTO',
  },
  {
    why: 'ACT-5 the default mode asks for approval',
    policy: policy({ defaultExecutionMode: 'APPROVAL_REQUIRED' }),
    verdict: 'APPROVAL',
  },
  {
    why: 'ACT-5 the account’s mode stands in its place',
    policy: policy({
      defaultExecutionMode: 'APPROVAL_REQUIRED',
      accountRestrictions: { accountRules: [{ accountId: a, executionMode: 'AUTO' }] },
    }),
    verdict: 'AUTO',
  },
  {
    why: 'ACT-5 of two accounts the stricter mode counts',
    policy: policy({
      accountRestrictions: {
        accountRules: [{ accountId: b, executionMode: 'APPROVAL_REQUIRED' }],
      },
    }),
    accounts: [A, B],
    verdict: 'APPROVAL',
  },
  {
    why: 'ACT-5 at the threshold nobody is asked',
    policy: policy({ approvalThresholds: { currency: 'USD', amount: 50 } }),
    amount: 50n,
    verdict: 'AUTO',
  },
  {
    why: 'ACT-5 above it somebody is',
    policy: policy({ approvalThresholds: { currency: 'USD', amount: 50 } }),
    amount: 51n,
    verdict: 'APPROVAL',
  },
  {
    why: 'ACT-1 a coin of 0.500001 is 51 cents, rounded up',
    policy: withLimits({ perTransactionLimit: 50 }),
    amount: 500_001n,
    currency: 'USDC',
    verdict: 'PER_TRANSACTION_LIMIT_EXCEEDED',
  },
  {
    why: 'ACT-1 a coin of 0.5 is 50 cents',
    policy: withLimits({ perTransactionLimit: 50 }),
    amount: 500_000n,
    currency: 'USDC',
    verdict: 'AUTO',
  },
  {
    why: 'ACT-31 a payee that an agent made less than a day ago needs approval',
    payeeAgeMs: DAY_MS - 1,
    verdict: 'APPROVAL',
  },
  { why: 'ACT-31 from a day on it does not', payeeAgeMs: DAY_MS, verdict: 'AUTO' },
  {
    why: 'ACT-31 the policy says how long a payee is new',
    policy: policy({ approvalThresholds: { newPayeeHours: 2 } }),
    payeeAgeMs: 2 * HOUR_MS,
    verdict: 'AUTO',
  },
  {
    why: 'ACT-31 and until the very end of that time it is',
    policy: policy({ approvalThresholds: { newPayeeHours: 2 } }),
    payeeAgeMs: 2 * HOUR_MS - 1,
    verdict: 'APPROVAL',
  },
  {
    why: 'ACT-31 zero hours: no payee is new',
    policy: policy({ approvalThresholds: { newPayeeHours: 0 } }),
    payeeAgeMs: 0,
    verdict: 'AUTO',
  },
]

const NOW = new Date('2026-01-01T12:00:00Z')

for (const { why, accounts = [A], amount = 10n, currency = 'USD', ...rest } of CASES) {
  test(why, () => {
    const judged = {
      policy: rest.policy ?? policy(),
      usage: { ...NOTHING, ...rest.usage },
      prices: SANDBOX_PRICES,
      now: NOW,
    }
    const { payeeAgeMs } = rest
    const payeeMadeAt = payeeAgeMs === undefined ? null : addMs(NOW, -payeeAgeMs)
    const money = { amount, currency }
    const verdict = judge(judged, { accountIds: accounts, money, payeeMadeAt })
    const name = verdict.ok ? (verdict.needsApproval ? 'APPROVAL' : 'AUTO') : verdict.reason
    assert.equal(name, rest.verdict)
  })
}

test('ACT-1 an amount without a price exceeds every limit', () => {
  const judged = { policy: policy(), usage: NOTHING, prices: new Map(), now: NOW }
  const money = { amount: 1n, currency: 'USDC' }
  const verdict = judge(judged, { accountIds: [A], money, payeeMadeAt: null })
  assert.deepEqual(verdict, { ok: false, reason: 'PER_TRANSACTION_LIMIT_EXCEEDED' })
})
