/** What the compiler must take and what it must refuse; `tsc` proves it, running only shows that it is valid code. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createFlorin,
  type Customer,
  type CustomerListResponse,
  type ErrorCode,
  type Florin,
  type FlorinAgent,
  type List,
  type Quote,
  type Transaction,
  type WebhookEvent,
  type WebhookEventOf,
} from '../src/index.ts'

/** Whether two types are the same, not merely assignable. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

const expectType = <T extends true>(verdict?: T): void => assert.notEqual(verdict, false)

type Answer<F extends (...given: never[]) => unknown> = Awaited<ReturnType<F>>

test('answers are the named types, never what stands in for them', () => {
  expectType<Same<Answer<Florin['quotes']['execute']>, Quote>>()
  expectType<Same<Answer<Florin['customers']['get']>, Customer>>()
  expectType<Same<Answer<Florin['customers']['update']>, Customer>>()
  expectType<Same<Answer<Florin['transactions']['get']>, Transaction>>()
  expectType<Same<Answer<Florin['tokens']['delete']>, void>>()
  expectType<Same<ReturnType<Florin['customers']['list']>, List<Customer, CustomerListResponse>>>()
})

test('unions are told apart by their field', () => {
  const nameOf = (customer: Customer): string | undefined =>
    customer.customerType === 'INDIVIDUAL' ? customer.fullName : customer.businessInfo.legalName
  const balanceOf = (event: WebhookEvent): number | undefined => {
    switch (event.type) {
      case 'INTERNAL_ACCOUNT.BALANCE_UPDATED':
        return event.data.balance.amount
      case 'CARD_TRANSACTION.DECLINED':
        return void event.data.declineReason
      default:
        return undefined
    }
  }
  expectType<Same<Extract<WebhookEvent, { type: 'TEST' }>, WebhookEventOf<'TEST'>>>()
  assert.equal(typeof nameOf, typeof balanceOf)
})

/** Never called. */
export function refusedByTheCompiler(florin: Florin, agent: FlorinAgent): void {
  // @ts-expect-error a customer has a type
  void florin.customers.create({ fullName: 'Ana' })
  // @ts-expect-error there is no such type
  void florin.customers.create({ customerType: 'ROBOT' })
  // @ts-expect-error a field of a company on a person
  void florin.customers.create({ customerType: 'INDIVIDUAL', businessInfo: { legalName: 'A' } })
  // @ts-expect-error the status is not the caller's to set
  void florin.customers.create({ customerType: 'INDIVIDUAL', kycStatus: 'APPROVED' })
  // @ts-expect-error amounts are numbers of smallest units
  void florin.sandbox.fund('InternalAccount:1', { amount: '19.99' })
  // @ts-expect-error reading takes no idempotency key
  void florin.customers.get('Customer:1', { idempotencyKey: 'key' })
  // @ts-expect-error only what a wallet's owner may have to sign takes a signer
  void florin.quotes.create({}, { sign: () => '' })
  // @ts-expect-error an agent has no customers to create
  void agent.customers.create({ customerType: 'INDIVIDUAL' })
  // @ts-expect-error a client needs credentials
  void createFlorin({ baseUrl: 'https://florin.test' })
}

test('codes are known, and a newer one is still a string', () => {
  const code: ErrorCode = 'QUOTE_EXPIRED'
  assert.equal(code, 'QUOTE_EXPIRED')
})
