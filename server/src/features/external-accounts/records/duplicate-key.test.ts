import assert from 'node:assert/strict'
import { test } from 'node:test'
import { externalAccountBody } from '../../../../test/kit/accounts/external-account-bodies.ts'
import { checkAccountInfo } from '../validation/account-info.ts'

const RULES = {
  strict: false,
  sandbox: true,
  now: new Date('2026-01-01T00:00:00Z'),
  vaspNames: ['Kraken'],
  bankNamesFor: () => [],
}

function keyOf(accountType: string, changes: Readonly<Record<string, unknown>> = {}) {
  const { currency, accountInfo } = externalAccountBody(accountType, changes)
  const body = { currency: (changes['currency'] as string) ?? currency, accountInfo }
  const result = checkAccountInfo({ ...RULES, body })
  assert.ok(result.ok, JSON.stringify(result))
  return result.account.duplicateKey
}

const JOHN = { beneficiaryType: 'INDIVIDUAL', fullName: 'John Roe' }
const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const SPARK = 'SPARK1PGSS9Z2GPZRNHZTWY8FFS44X67ANGMA38SQEWWDDHXLSK65T0C5D5576QULY2J'

/** accountType | changes | the same account?; the reason. */
const CASES: readonly [string, Readonly<Record<string, unknown>>, boolean, string][] = [
  ['USD_ACCOUNT', {}, true, 'the same body'],
  ['USD_ACCOUNT', { accountNumber: '1234 56789' }, true, 'blanks do not count'],
  ['USD_ACCOUNT', { beneficiary: JOHN }, true, 'the beneficiary does not name the account'],
  ['USD_ACCOUNT', { bankAccountType: 'SAVINGS' }, true, 'nor does the kind of account'],
  ['USD_ACCOUNT', { accountNumber: '123456780' }, false, 'another number'],
  ['USD_ACCOUNT', { routingNumber: '011401533' }, false, 'at another bank'],
  ['GBP_ACCOUNT', { sortCode: '60-16-13' }, true, 'hyphens do not count'],
  ['GBP_ACCOUNT', { sortCode: '601614' }, false, 'at another branch'],
  ['CAD_ACCOUNT', { branchCode: '00103' }, false, 'at another branch'],
  ['NGN_ACCOUNT', { bankName: 'FIRST BANK OF  nigeria' }, true, 'case and blanks do not count'],
  ['NGN_ACCOUNT', { bankName: 'Access Bank' }, false, 'at another bank'],
  ['KES_ACCOUNT', { provider: 'm-pesa' }, true, 'case does not count'],
  ['KES_ACCOUNT', { provider: 'Airtel' }, false, 'at another provider'],
  ['HKD_ACCOUNT', { swiftCode: 'HASEHKHH' }, false, 'at another bank'],
  ['INR_ACCOUNT', { vpa: 'ASHA@okbank' }, true, 'case does not count'],
  ['SWIFT_ACCOUNT', { currency: 'EUR' }, false, 'in another currency'],
  ['ETHEREUM_WALLET', { address: EVM.toLowerCase() }, true, 'EVM addresses are blind to case'],
  ['ETHEREUM_WALLET', { vaspName: 'Kraken' }, true, 'who keeps the keys does not name it'],
  ['ETHEREUM_WALLET', { currency: 'USDT' }, false, 'in another currency'],
  ['SPARK_WALLET', { address: SPARK }, true, 'bech32 is blind to case'],
  ['SOLANA_WALLET', { address: SOLANA.replace('EPj', 'EPJ') }, false, 'base58 is not'],
  ['LIGHTNING', { lightningAddress: 'Satoshi@Bitcoin.org' }, true, 'case does not count'],
]

for (const [accountType, changes, isSame, reason] of CASES) {
  test(`EACC-10 ${accountType} ${isSame ? 'is the same account' : 'is another account'}: ${reason}`, () => {
    assert.equal(keyOf(accountType, changes) === keyOf(accountType), isSame)
  })
}

test('EACC-10 one address on two chains is two accounts', () => {
  assert.notEqual(keyOf('BASE_WALLET'), keyOf('POLYGON_WALLET'))
})
