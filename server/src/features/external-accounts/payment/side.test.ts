import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SANDBOX_PRICES } from '../../rates/index.ts'
import { EXTERNAL_ACCOUNT_BODIES } from '../../../../test/kit/accounts/external-account-bodies.ts'
import { money } from '../../../kernel/money/money.ts'
import { checkAccountInfo } from '../validation/account-info.ts'
import type { ExternalAccountStatus } from '../ownership/rules.ts'
import { invoiceRefusal, networkOf, paymentSideRefusal, pullRefusal } from './side.ts'

const prices = SANDBOX_PRICES
const refusal = (status: ExternalAccountStatus, received: ReturnType<typeof money>) =>
  paymentSideRefusal({
    account: { status, deletedAt: null, isOwnerDeleted: false },
    received,
    prices,
  })

const rows = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))

const SMALL = rows(`
  EUR  | 100000     | fine    | 1,000 EUR itself is allowed
  EUR  | 100001     | refused | one cent more is not
  USDC | 1086956521 | fine    | 1086.956521 USDC are 999.99999932 EUR, rounded up 1,000.00
  USDC | 1086956522 | refused | 1000.00000024 EUR, rounded up to the cent 1,000.01
  BTC  | 905797     | fine    | 1086.9564 USD, 999.999888 EUR
  BTC  | 905798     | refused | 1086.9576 USD, 1000.000992 EUR
`)

for (const [currency = '', amount = '', outcome, why] of SMALL) {
  test(`OWN-8 an unproven wallet paid ${amount} of ${currency} is ${outcome}: ${why}`, () => {
    const found = refusal('PENDING_OWNERSHIP_VERIFICATION', money(BigInt(amount), currency))
    assert.equal(
      found?.code,
      outcome === 'fine' ? undefined : 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
    )
  })
}

test('OWN-8 a failed proof takes nothing, and what has no price cannot be shown to be small', () => {
  const code = 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED'
  assert.equal(refusal('UNVERIFIED', money(1n, 'EUR'))?.code, code)
  const unpriced = paymentSideRefusal({
    account: {
      status: 'PENDING_OWNERSHIP_VERIFICATION',
      deletedAt: null,
      isOwnerDeleted: false,
    },
    received: money(1n, 'USDC'),
    prices: new Map(),
  })
  assert.equal(unpriced?.code, code)
})

test('EACC-17 an account that is not ACTIVE is no side of a payment, and says what it is', () => {
  assert.equal(refusal('ACTIVE', money(10n ** 15n, 'EUR')), undefined)
  for (const status of ['PENDING', 'UNDER_REVIEW', 'INACTIVE'] as const) {
    assert.deepEqual(refusal(status, money(1n, 'EUR')), {
      ok: false,
      code: 'INVALID_BANK_ACCOUNT',
      details: { status },
    })
  }
})

test('EACC-14 CUST-69 a deleted account, or one of a deleted customer, says so whatever its status was', () => {
  for (const closed of [
    { deletedAt: new Date('2026-01-01T00:00:00Z'), isOwnerDeleted: false },
    { deletedAt: null, isOwnerDeleted: true },
  ]) {
    const found = paymentSideRefusal({
      account: { status: 'ACTIVE', ...closed },
      received: money(1n, 'EUR'),
      prices,
    })
    assert.deepEqual(found, {
      ok: false,
      code: 'CONFLICT',
      details: { reason: 'DESTINATION_DELETED' },
    })
  }
})

test('EACC-18 an invoice that states an amount is locked to receive exactly that', () => {
  const invoice = { invoiceAmount: 250_000n }
  assert.equal(invoiceRefusal(invoice, { side: 'RECEIVING', amount: 250_000n }), undefined)
  for (const lock of [
    { side: 'RECEIVING', amount: 249_999n },
    { side: 'RECEIVING', amount: 250_001n },
    { side: 'SENDING', amount: 250_000n },
  ] as const) {
    assert.equal(invoiceRefusal(invoice, lock)?.code, 'INVALID_AMOUNT')
  }
  assert.equal(invoiceRefusal({ invoiceAmount: null }, { side: 'SENDING', amount: 1n }), undefined)
})

const RULES = {
  strict: false,
  sandbox: true,
  now: new Date('2026-01-01T00:00:00Z'),
  vaspNames: [],
  bankNamesFor: () => [],
}

/** Named by phone, UPI address, wallet or invoice, or with a bank abroad. */
const NOT_PULLABLE = `
  INR_ACCOUNT KES_ACCOUNT TZS_ACCOUNT ZMW_ACCOUNT RWF_ACCOUNT MWK_ACCOUNT UGX_ACCOUNT BWP_ACCOUNT XOF_ACCOUNT
  XAF_ACCOUNT HTG_ACCOUNT GHS_ACCOUNT SWIFT_ACCOUNT BASE_WALLET ETHEREUM_WALLET POLYGON_WALLET PLASMA_WALLET
  SOLANA_WALLET SPARK_WALLET TRON_WALLET LIGHTNING
`.match(/[A-Z_]+/g) as string[]

for (const [accountType, body] of EXTERNAL_ACCOUNT_BODIES) {
  const isPullable = !NOT_PULLABLE.includes(accountType)
  test(`QUOTE-3 in sandbox ${accountType} ${isPullable ? 'can' : 'cannot'} be pulled from`, () => {
    const checked = checkAccountInfo({ ...RULES, body })
    assert.ok(checked.ok)
    const refused = pullRefusal(checked.account, { kind: 'sandbox', config: {} })
    assert.deepEqual(refused?.details, isPullable ? undefined : { reason: 'NOT_PULLABLE' })
    assert.equal(refused?.code, isPullable ? undefined : 'INVALID_BANK_ACCOUNT')
    const byHand = pullRefusal(checked.account, { kind: 'manual', config: {} })
    assert.equal(byHand === undefined, accountType === 'USD_ACCOUNT')
    const declared = pullRefusal(checked.account, { kind: 'http', config: { pull: [accountType] } })
    assert.equal(declared, undefined, 'PROV-51 a provider outside says what it pulls from')
    const undeclared = pullRefusal(checked.account, { kind: 'http', config: {} })
    assert.equal(undeclared?.code, 'INVALID_BANK_ACCOUNT')
  })
}

test('FEE-2 the chain of a wallet is in its type; fiat has none', () => {
  assert.equal(networkOf({ accountType: 'SOLANA_WALLET' }), 'SOLANA')
  assert.equal(networkOf({ accountType: 'PLASMA_WALLET' }), 'PLASMA')
  assert.equal(networkOf({ accountType: 'LIGHTNING' }), 'LIGHTNING')
  assert.equal(networkOf({ accountType: 'USD_ACCOUNT' }), undefined)
})
