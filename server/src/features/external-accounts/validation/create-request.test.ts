import assert from 'node:assert/strict'
import { test } from 'node:test'
import { externalAccountBody } from '../../../../test/kit/accounts/external-account-bodies.ts'
import { checkCreateRequest } from './create-request.ts'

const CUSTOMER = 'Customer:0199a0aa-0000-7000-8000-000000000001'

const RULES = {
  strict: false,
  sandbox: true,
  now: new Date('2026-01-01T00:00:00Z'),
  vaspNames: ['Kraken'],
  bankNamesFor: () => [],
}

function check(changes: unknown, owner: 'customer' | 'platform' = 'customer') {
  const body =
    typeof changes === 'object' && changes !== null && !Array.isArray(changes)
      ? { ...externalAccountBody('BASE_WALLET'), ...changes }
      : changes
  return checkCreateRequest({ ...RULES, body, owner })
}

function fieldsOf(result: ReturnType<typeof check>): string[] {
  return result.ok ? [] : result.errors.map(({ field }) => field)
}

/** changes | refused at; the reason. */
const CASES: readonly [unknown, string[], string][] = [
  [{}, [], "EACC-9 the platform's own"],
  [{ customerId: CUSTOMER }, [], 'EACC-9 a customer’s'],
  [{ customerId: CUSTOMER.toUpperCase() }, ['customerId'], 'EACC-9 not the form of an id'],
  [{ customerId: CUSTOMER.replace('Customer', 'Quote') }, ['customerId'], 'EACC-9 not a customer'],
  [{ customerId: null }, ['customerId'], 'EACC-9 not a text'],
  [{ platformAccountId: 'a' }, [], 'EACC-11 one character'],
  [{ platformAccountId: '😀'.repeat(255) }, [], 'EACC-11 255 characters of any script'],
  [{ platformAccountId: '' }, ['platformAccountId'], 'EACC-11 empty'],
  [{ platformAccountId: 'x'.repeat(256) }, ['platformAccountId'], 'EACC-11 too long'],
  [{ platformAccountId: 7 }, ['platformAccountId'], 'EACC-11 not a text'],
  [{ ownershipType: 'THIRD_PARTY' }, [], 'OWN-1 a third party’s'],
  [{ ownershipType: 'MINE' }, ['ownershipType'], 'OWN-1 no such type'],
  [{ customerId: CUSTOMER, defaultUmaDepositAccount: true }, [], 'EACC-12 a customer’s'],
  [{ defaultUmaDepositAccount: false }, [], 'EACC-12 said to be none'],
  [{ defaultUmaDepositAccount: true }, ['defaultUmaDepositAccount'], 'EACC-12 a platform’s'],
  [
    { customerId: CUSTOMER, defaultUmaDepositAccount: 'true' },
    ['defaultUmaDepositAccount'],
    'EACC-12 not a boolean',
  ],
  [
    { customerId: 'x', platformAccountId: '', currency: 'EUR' },
    ['customerId', 'platformAccountId', 'currency'],
    'EACC-3 all at once',
  ],
  ['{}', [''], 'EACC-3 not an object'],
  [null, [''], 'EACC-3 not an object'],
  [[], [''], 'EACC-3 not an object'],
]

for (const [changes, fields, reason] of CASES) {
  test(`${reason}: ${fields.length > 0 ? `refused at «${fields.join(', ')}»` : 'fine'}`, () => {
    assert.deepEqual(fieldsOf(check(changes)), fields)
  })
}

test('EACC-9 under /platform a customerId is no field, so the account stays the platform’s', () => {
  const result = check({ customerId: 'whatever' }, 'platform')
  assert.ok(result.ok)
  assert.equal(result.request.customerId, undefined)
  const flagged = check({ customerId: CUSTOMER, defaultUmaDepositAccount: true }, 'platform')
  assert.deepEqual(fieldsOf(flagged), ['defaultUmaDepositAccount'])
})

test('EACC-12 what was said is read, and the flag is false when nothing was', () => {
  const result = check({
    customerId: CUSTOMER,
    platformAccountId: 'mine',
    ownershipType: 'FIRST_PARTY',
  })
  assert.ok(result.ok)
  const { account, ...request } = result.request
  assert.deepEqual(request, {
    customerId: CUSTOMER.slice('Customer:'.length),
    platformAccountId: 'mine',
    ownershipType: 'FIRST_PARTY',
    defaultUmaDepositAccount: false,
  })
  assert.equal(account.accountType, 'BASE_WALLET')
})

test('EACC-8 a custodian is one of the directory, by its exact name', () => {
  const named = (vaspName: unknown) => ({
    accountInfo: externalAccountBody('BASE_WALLET', { vaspName }).accountInfo,
  })
  const known = check(named(' Kraken '))
  assert.ok(known.ok)
  assert.equal(known.request.account.accountInfo['vaspName'], 'Kraken')
  for (const wrong of ['kraken', 'Nobody', '', 7, null]) {
    assert.deepEqual(fieldsOf(check(named(wrong))), ['accountInfo.vaspName'])
  }
})
