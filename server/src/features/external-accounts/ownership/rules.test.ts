import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExternalAccountStatus, OwnershipType } from './rules.ts'
import {
  CHALLENGE_LIFETIME_MS,
  EXTERNAL_ACCOUNT_STATUSES,
  SANDBOX_LIVENESS_DELAY_MS,
  UNPROVEN_PAYMENT_MAX_EUR_CENTS,
  checkTravelRule,
  initialStatus,
  judgeSignature,
  mayChallenge,
  paymentRefusal,
  travelRuleHolds,
} from './rules.ts'
import { ownershipMessage } from './message.ts'

const rows = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))

const STARTS = rows(`
  SOLANA_WALLET | FIRST_PARTY |        | EEA |      | SANDBOX    | PENDING_OWNERSHIP_VERIFICATION | an EEA customer's own wallet
  SOLANA_WALLET | FIRST_PARTY |        | EEA |      | PRODUCTION | PENDING_OWNERSHIP_VERIFICATION | there as well
  SOLANA_WALLET | FIRST_PARTY |        |     |      | SANDBOX    | ACTIVE                         | a customer from elsewhere
  SOLANA_WALLET | FIRST_PARTY |        |     | rule | SANDBOX    | PENDING_OWNERSHIP_VERIFICATION | the travel rule is for all regions
  SOLANA_WALLET | FIRST_PARTY | Kraken | EEA |      | SANDBOX    | ACTIVE                         | a custodian keeps the keys
  SOLANA_WALLET | THIRD_PARTY |        | EEA |      | SANDBOX    | ACTIVE                         | a third party's
  SOLANA_WALLET |             |        | EEA |      | SANDBOX    | ACTIVE                         | ownership not stated
  LIGHTNING     | FIRST_PARTY |        | EEA | rule | PRODUCTION | ACTIVE                         | not a wallet in this sense
  USD_ACCOUNT   | FIRST_PARTY |        | EEA | rule | SANDBOX    | ACTIVE                         | a bank account in sandbox
  USD_ACCOUNT   |             |        |     |      | PRODUCTION | PENDING                        | a bank account waits for screening
  BASE_WALLET   |             |        |     |      | PRODUCTION | ACTIVE                         | a wallet does not
  BASE_WALLET   |             |        |     |      | OUTSIDE    | PENDING                        | but for a provider that can judge it
  BASE_WALLET   | FIRST_PARTY |        | EEA |      | OUTSIDE    | PENDING_OWNERSHIP_VERIFICATION | its own status comes first
  LIGHTNING     |             |        |     |      | OUTSIDE    | ACTIVE                         | an invoice is not screened
`)

const SCREENED_BY = { SANDBOX: 'sandbox', PRODUCTION: 'manual', OUTSIDE: 'http' } as const

for (const [accountType, ownershipType, vaspName, eea, rule, environment, status, why] of STARTS) {
  test(`OWN-1 ${accountType} starts ${status}: ${why}`, () => {
    assert.equal(
      initialStatus({
        accountType: accountType as string,
        ownershipType: (ownershipType || undefined) as OwnershipType | undefined,
        vaspName: vaspName || undefined,
        isEeaCustomer: eea !== '',
        travelRule: rule !== '',
        screenedBy: SCREENED_BY[environment as keyof typeof SCREENED_BY],
      }),
      status,
    )
  })
}

test('OWN-2 the travel rule holds where it is switched on, and in PRODUCTION for EEA customers', () => {
  const holds = (travelRule: boolean, environment: 'SANDBOX' | 'PRODUCTION', eea: boolean) =>
    travelRuleHolds({ travelRule, environment, isEeaCustomer: eea })
  assert.ok(holds(true, 'SANDBOX', false))
  assert.ok(holds(false, 'PRODUCTION', true))
  assert.ok(!holds(false, 'PRODUCTION', false))
  assert.ok(!holds(false, 'SANDBOX', true))
})

const TRAVEL = rows(`
  BASE_WALLET |             |        |    | ownershipType           | must say whose it is
  BASE_WALLET |             | Kraken |    |                         | the custodian answers for it
  BASE_WALLET | FIRST_PARTY |        |    |                         | one's own
  BASE_WALLET | THIRD_PARTY |        |    | accountInfo.beneficiary | must say who that is
  BASE_WALLET | THIRD_PARTY |        | by |                         | says who that is
  LIGHTNING   |             |        |    |                         | not a wallet in this sense
  USD_ACCOUNT |             |        |    |                         | a bank knows its holder
`)

for (const [accountType = '', ownershipType, vaspName, beneficiary, field, why] of TRAVEL) {
  test(`OWN-2 ${accountType} ${ownershipType} is ${field ? `refused at ${field}` : 'fine'}: ${why}`, () => {
    const errors = checkTravelRule({
      accountType,
      ownershipType: (ownershipType || undefined) as OwnershipType | undefined,
      vaspName: vaspName || undefined,
      hasBeneficiary: beneficiary !== '',
    })
    assert.deepEqual(
      errors.map((error) => error.field),
      field ? [field] : [],
    )
  })
}

test('OWN-3 only the unproven self-custody wallet of its holder can be challenged', () => {
  const own = { accountType: 'SOLANA_WALLET', ownershipType: 'FIRST_PARTY' } as const
  const provable = EXTERNAL_ACCOUNT_STATUSES.filter((status) => mayChallenge({ ...own, status }))
  assert.deepEqual(provable, ['PENDING_OWNERSHIP_VERIFICATION', 'UNVERIFIED'])
  const status: ExternalAccountStatus = 'UNVERIFIED'
  assert.ok(!mayChallenge({ ...own, status, accountType: 'LIGHTNING' }))
  assert.ok(!mayChallenge({ ...own, status, accountType: 'USD_ACCOUNT' }))
  assert.ok(!mayChallenge({ ...own, status, vaspName: 'Kraken' }))
  assert.ok(!mayChallenge({ ...own, status, ownershipType: 'THIRD_PARTY' }))
  assert.ok(!mayChallenge({ accountType: 'SOLANA_WALLET', status }))
})

test('OWN-4 challenges live ten and thirty minutes', () => {
  assert.equal(CHALLENGE_LIFETIME_MS.WALLET_SIGNATURE, 600 * 1000)
  assert.equal(CHALLENGE_LIFETIME_MS.LIVENESS, 1800 * 1000)
})

test('OWN-9 a liveness challenge of the sandbox passes after thirty seconds', () => {
  assert.equal(SANDBOX_LIVENESS_DELAY_MS, 30 * 1000)
  assert.ok(SANDBOX_LIVENESS_DELAY_MS < CHALLENGE_LIFETIME_MS.LIVENESS)
})

test('OWN-4 the message names service, address, account, nonce and expiry in printable ASCII', () => {
  const message = ownershipMessage({
    serviceName: 'Größe & Co\u0007',
    address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    externalAccountId: 'ExternalAccount:0199a0aa-0000-7000-8000-000000000001',
    nonce: Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex'),
    expiresAt: new Date('2026-01-01T00:10:00Z'),
  })
  assert.match(message, /^[ -~\n]+$/)
  for (const part of [
    'Gr??e & Co?',
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    'ExternalAccount:0199a0aa-0000-7000-8000-000000000001',
    '000102030405060708090a0b0c0d0e0f',
    '2026-01-01T00:10:00.000Z',
  ]) {
    assert.ok(message.includes(part), part)
  }
})

const expiresAt = new Date('2026-01-01T00:10:00Z')
const late = new Date('2026-01-01T00:10:00.001Z')

test('OWN-7 a right signature in time proves, a wrong or late one fails, without a challenge neither', () => {
  const challenge = { method: 'WALLET_SIGNATURE', expiresAt } as const
  const judge = (isOwnerSignature: boolean, now: Date) =>
    judgeSignature({ challenge, isOwnerSignature, now })
  assert.equal(judge(true, expiresAt), 'PROVEN')
  assert.equal(judge(true, late), 'FAILED')
  assert.equal(judge(false, expiresAt), 'FAILED')
  const proof = { isOwnerSignature: true, now: expiresAt }
  assert.equal(judgeSignature({ ...proof, challenge: undefined }), 'NO_CHALLENGE')
  const liveness = { method: 'LIVENESS', expiresAt } as const
  assert.equal(judgeSignature({ ...proof, challenge: liveness }), 'NO_CHALLENGE')
})

test('OWN-8 an unproven wallet takes up to 1,000 EUR, a failed one nothing', () => {
  const refusal = (status: ExternalAccountStatus, amountEurCents: bigint) =>
    paymentRefusal({ status, amountEurCents })
  const unproven = { code: 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED' }
  assert.equal(UNPROVEN_PAYMENT_MAX_EUR_CENTS, 100_000n)
  assert.equal(refusal('PENDING_OWNERSHIP_VERIFICATION', 100_000n), undefined)
  assert.deepEqual(refusal('PENDING_OWNERSHIP_VERIFICATION', 100_001n), unproven)
  assert.deepEqual(refusal('UNVERIFIED', 1n), unproven)
})

test('EACC-17 other accounts are a side of a payment only while ACTIVE', () => {
  assert.equal(paymentRefusal({ status: 'ACTIVE', amountEurCents: 10n ** 15n }), undefined)
  for (const status of ['PENDING', 'UNDER_REVIEW', 'INACTIVE'] as const) {
    assert.deepEqual(paymentRefusal({ status, amountEurCents: 1n }), {
      code: 'INVALID_BANK_ACCOUNT',
      details: { status },
    })
  }
})
