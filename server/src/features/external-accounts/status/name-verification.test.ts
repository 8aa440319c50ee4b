import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyName } from './name-verification.ts'

const account = ({
  accountType = 'USD_ACCOUNT',
  identifier = '123456789',
  name = { fullName: 'Jane Mary Doe' } as object,
} = {}) => ({ accountType, identifier, accountInfo: { accountType, beneficiary: name } })

const inSandbox = (of: Parameters<typeof account>[0]) =>
  verifyName({ account: account(of), provider: { kind: 'sandbox', config: {} } })

/** Scenario 8. suffix | status | name in the answer */
const CASES = `
  789 | MATCHED                 | Jane Mary Doe
  002 | MATCHED                 | Jane Mary Doe
  102 | NOT_MATCHED             |
  103 | PARTIAL_MATCH           | J. Doe
  104 | PENDING                 |
  106 | UNSUPPORTED             |
  107 | CHECKED_BY_RECEIVING_FI |
`
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))

for (const [suffix = '', status = '', name = ''] of CASES) {
  test(`BVER-2 a number ending in ${suffix} is ${status}, with ${name || 'no name'}`, () => {
    assert.deepEqual(inSandbox({ identifier: `123456${suffix}` }), {
      ok: true,
      verification: {
        beneficiaryVerificationStatus: status,
        ...(name && { beneficiaryVerifiedData: { fullName: name } }),
      },
    })
  })
}

test('BVER-2 the result for a business has its legal name', () => {
  const matched = inSandbox({ name: { legalName: 'Acme Ltd' } })
  assert.deepEqual(matched.ok && matched.verification?.beneficiaryVerifiedData, {
    fullName: 'Acme Ltd',
  })
})

test('BVER-2 a partial match of one word, or of letters beyond 16 bits, keeps to the rule', () => {
  const emitted = (fullName: string) => {
    const result = inSandbox({ identifier: '103', name: { fullName } })
    return result.ok && result.verification?.beneficiaryVerifiedData?.fullName
  }
  assert.equal(emitted('Madonna'), 'M. Madonna')
  assert.equal(emitted('𠮷野 家'), '𠮷. 家')
})

test('BVER-3 an account the bank does not know is INVALID_BANK_ACCOUNT, every time', () => {
  const refusal = { ok: false, code: 'INVALID_BANK_ACCOUNT' }
  assert.deepEqual(inSandbox({ identifier: '123456105' }), refusal)
  assert.deepEqual(inSandbox({ identifier: '123456105' }), refusal)
})

test('BVER-1 wallets and LIGHTNING have no name to check, whatever they end in', () => {
  for (const accountType of ['BASE_WALLET', 'SPARK_WALLET', 'LIGHTNING']) {
    for (const identifier of ['0x105', '102']) {
      assert.deepEqual(inSandbox({ accountType, identifier }), { ok: true })
    }
  }
})

test('BVER-4 PRODUCTION without an adapter says so, and suffixes mean nothing', () => {
  const status = (accountType: string) => {
    const result = verifyName({
      account: account({ accountType, identifier: '105' }),
      provider: { kind: 'manual', config: {} },
    })
    return result.ok && result.verification
  }
  assert.deepEqual(status('USD_ACCOUNT'), {
    beneficiaryVerificationStatus: 'CHECKED_BY_RECEIVING_FI',
  })
  assert.deepEqual(status('EUR_ACCOUNT'), { beneficiaryVerificationStatus: 'UNSUPPORTED' })
})
