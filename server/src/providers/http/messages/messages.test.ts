import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from '../../../infra/http/schema/type.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { bodyValidator } from '../../../infra/http/schema/validate.ts'
import { AuthorizationSchema } from './cards.ts'
import { DECISIONS } from './decisions.ts'
import { OrderSchema } from './orders.ts'
import { DepositSchema, PricesSchema } from './pushes.ts'
import { AnswerSchema, ReportSchema } from './reports.ts'

const AT = '2026-11-15T10:00:00.000Z'
const id = (prefix: string): string => `${prefix}:${newUuid()}`

const PAYOUT = {
  id: id('Order'),
  type: 'PAYOUT',
  test: false,
  createdAt: AT,
  executeAt: AT,
  expiresAt: '2026-11-16T10:00:00.000Z',
  reportUrl: `https://api.example.com/providers/${id('Provider')}/reports`,
  platform: { id: id('Platform'), name: 'Acme' },
  customer: { id: id('Customer'), platformCustomerId: 'c-17', customerType: 'INDIVIDUAL' },
  transactionId: id('Transaction'),
  amount: { amount: 9154, currency: 'EUR', decimals: 2 },
  rail: 'SEPA_INSTANT',
  debtor: { type: 'INDIVIDUAL', name: 'Mira Aldana', birthDate: '1990-04-02' },
  debtorAccount: { id: id('InternalAccount'), iban: 'DE89370400440532013000' },
  creditor: { type: 'INDIVIDUAL', name: 'Jan Novak', address: { country: 'CZ' } },
  creditorAccount: {
    id: id('ExternalAccount'),
    accountType: 'EUR_ACCOUNT',
    accountInfo: { iban: 'DE89370400440532013000' },
  },
  reference: 'FLK7M2QX9RT4WBHC',
  endToEndId: '0199b0c45d117c3e9a403f6c2a7d1e55',
  remittance: 'Invoice 77',
  purpose: 'GOODS_OR_SERVICES',
}

const SETTLED = {
  orderId: PAYOUT.id,
  sequence: 2,
  state: 'SETTLED',
  at: AT,
  reference: 'ACME-9921',
  amount: { amount: 9154, currency: 'EUR' },
  proofs: {
    uetr: '97ed4827-7b6f-4491-a06f-b548d5a7512d',
    onChainTransaction: { transactionHash: '0x1', network: 'BASE' },
  },
  fees: [{ amount: 12, currency: 'EUR', description: 'instant credit transfer' }],
}

const DEPOSIT = {
  depositId: 'stm-2026-11-15-00042',
  state: 'RECEIVED',
  amount: { amount: 150000, currency: 'USD' },
  rail: 'ACH',
  to: { accountNumber: '9080012345' },
  reference: 'Invoice 77 FUND-7KM2QX9R',
  sender: { name: 'Jane Doe', account: '…4411' },
  at: AT,
  review: false,
  proofs: { trace: '021000021234567' },
}

const PRICE = { currency: 'EUR', bid: '0.9198', ask: '0.9202', at: AT, validUntil: AT }

const AUTHORIZATION = {
  networkReference: 'n-1',
  kind: 'AUTHORIZATION',
  processorRef: 'p-1',
  amount: { amount: 1250, currency: 'USD' },
  merchant: { descriptor: 'BLUE DOOR COFFEE', mcc: '5814', country: 'US' },
  at: AT,
}

function assertFields(schema: TSchema, value: unknown, fields: readonly string[]): void {
  const found = bodyValidator(schema)(structuredClone(value)).map(({ field }) => field)
  assert.deepEqual(found, fields)
}

test('the schemas take the messages of the specification, with unknown fields', () => {
  assertFields(OrderSchema, { ...PAYOUT, added: 1 }, [])
  assertFields(ReportSchema, { ...SETTLED, added: 1 }, [])
  assertFields(DepositSchema, DEPOSIT, [])
  assertFields(PricesSchema, { prices: [PRICE] }, [])
  assertFields(AuthorizationSchema, AUTHORIZATION, [])
})

test('an order names its amount as an integer, and its reference in the agreed form', () => {
  const amount = { ...PAYOUT.amount, amount: '9154' }
  assertFields(OrderSchema, { ...PAYOUT, amount }, ['amount.amount'])
  assertFields(OrderSchema, { ...PAYOUT, reference: 'FL0' }, ['reference'])
  assertFields(OrderSchema, { ...PAYOUT, type: 'GIFT' }, ['type'])
})

test('each state of a report needs what belongs to it', () => {
  const { amount: _, ...bare } = SETTLED
  assertFields(ReportSchema, bare, ['amount'])
  assertFields(ReportSchema, { ...bare, state: 'SENT' }, [])
  assertFields(ReportSchema, { ...bare, state: 'FAILED' }, ['reason'])
  assertFields(ReportSchema, { ...SETTLED, state: 'RETURNED' }, ['returnId'])
  assertFields(ReportSchema, { ...SETTLED, sequence: 0 }, ['sequence'])
  assertFields(ReportSchema, { ...SETTLED, state: 'LOST' }, ['state'])
})

test('an answer names a known state with what belongs to it', () => {
  assertFields(AnswerSchema, { state: 'ACCEPTED', reference: 'A1' }, [])
  assertFields(AnswerSchema, { state: 'ACCEPTED' }, ['reference'])
  assertFields(AnswerSchema, { state: 'REFUSED', reason: 'ACCOUNT_CLOSED' }, [])
  assertFields(AnswerSchema, { state: 'REFUSED' }, ['reason'])
  assertFields(AnswerSchema, { state: 'RETURNED' }, ['state'])
})

test('a deposit may name its account with members of a later version, a reversal has its own id', () => {
  const to = { iban: 'DE89370400440532013000', branch: '1' }
  assertFields(DepositSchema, { ...DEPOSIT, to }, [])
  assertFields(DepositSchema, { ...DEPOSIT, state: 'REVERSED' }, ['reversalId', 'reason'])
})

test('an opened account has instructions, a refused one a reason', () => {
  const schema = DECISIONS.ACCOUNT_OPENING
  assertFields(schema, { decision: 'OPENED', instructions: [] }, ['instructions'])
  assertFields(schema, { decision: 'REFUSED' }, ['reason'])
})

test('an authorization names its card by one id or the other', () => {
  const { processorRef: _, ...nameless } = AUTHORIZATION
  assert.notEqual(bodyValidator(AuthorizationSchema)(nameless).length, 0)
})
