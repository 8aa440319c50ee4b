import assert from 'node:assert/strict'
import { test } from 'node:test'
import { externalAccountBody } from '../../../../test/kit/accounts/external-account-bodies.ts'
import { VASP_NAMES, bankNamesFor } from '../../discoveries/index.ts'
import { checkAccountInfo } from '../validation/account-info.ts'
import {
  PAYMENT_SUFFIXES,
  hasSandboxSuffix,
  paymentSuffix,
  sandboxVerification,
} from './sandbox-suffix.ts'

const CASES: readonly [string, string | undefined, string, string][] = [
  ['123456789', undefined, 'MATCHED', 'an ordinary number'],
  ['123456002', '002', 'MATCHED', 'decides payments, not names'],
  ['123456007', '007', 'MATCHED', 'decides payments, not names'],
  ['123456001', undefined, 'MATCHED', 'below the range'],
  ['123456008', undefined, 'MATCHED', 'above the range'],
  ['123456102', undefined, 'NOT_MATCHED', 'name check'],
  ['123456103', undefined, 'PARTIAL_MATCH', 'name check'],
  ['123456104', undefined, 'PENDING', 'name check'],
  ['123456105', undefined, 'INVALID_ACCOUNT', 'name check'],
  ['123456106', undefined, 'UNSUPPORTED', 'name check'],
  ['123456107', undefined, 'CHECKED_BY_RECEIVING_FI', 'name check'],
  ['123456108', undefined, 'MATCHED', 'above the range'],
  ['jane002@okbank', '002', 'MATCHED', 'the part before the @ decides'],
  ['jane@okbank002', undefined, 'MATCHED', 'the part after it does not'],
  ['jane102@example.com', undefined, 'NOT_MATCHED', 'the part before the @ decides'],
  ['02', undefined, 'MATCHED', 'two characters'],
  ['constructor', undefined, 'MATCHED', 'no name of an object’s own'],
  ['', undefined, 'MATCHED', 'nothing'],
]

for (const [identifier, payment, verification, reason] of CASES) {
  test(`BVER-1 suffix of «${identifier}»: ${reason}`, () => {
    assert.equal(paymentSuffix(identifier), payment)
    assert.equal(sandboxVerification(identifier), verification)
    assert.equal(hasSandboxSuffix(identifier), payment !== undefined || verification !== 'MATCHED')
  })
}

const COMMON = { now: new Date('2026-01-01T00:00:00Z'), vaspNames: VASP_NAMES, bankNamesFor }
const SPARK = 'spark1pgss9z2gpzrnhztwy8ffs44x67angma38sqewwddhxlsk65t0c5d5576quly2j'
const OFFER =
  'lno1pqps7sjqpgtyzm3qv4uxzmtsd3jjqer9wd3hy6tsw35k7msjzfpy7nz5yqcnygrfdej82um5wf5k2uckyy'
const COFFEE =
  'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspfj9srp'

/** Each would fail a strict check, an alphabet or a checksum but for its last three characters. */
const MAGIC: readonly [string, (suffix: string) => Readonly<Record<string, unknown>>][] = [
  ['EUR_ACCOUNT', (suffix) => ({ iban: `DE89370400440532013${suffix}` })],
  ['MXN_ACCOUNT', (suffix) => ({ clabeNumber: `032180000118359${suffix}` })],
  ['BRL_ACCOUNT', (suffix) => ({ pixKey: `52998224${suffix}` })],
  ['KES_ACCOUNT', (suffix) => ({ phoneNumber: `+254712345${suffix}` })],
  ['SWIFT_ACCOUNT', (suffix) => ({ iban: `GB29NWBK60161331926${suffix}` })],
  [
    'ETHEREUM_WALLET',
    (suffix) => ({ address: `0x5AAeb6053F3E94C9b9A09f33669435E7Ef1Be${suffix}` }),
  ],
  [
    'SOLANA_WALLET',
    (suffix) => ({ address: `EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTD${suffix}` }),
  ],
  ['SPARK_WALLET', (suffix) => ({ address: `${SPARK.slice(0, -3)}${suffix}` })],
  ['TRON_WALLET', (suffix) => ({ address: `TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjL${suffix}` })],
  ['LIGHTNING', (suffix) => ({ lightningAddress: `jane${suffix}@example.com` })],
  [
    'LIGHTNING',
    (suffix) => ({ lightningAddress: undefined, invoice: `${COFFEE.slice(0, -3)}${suffix}` }),
  ],
  ['LIGHTNING', (suffix) => ({ lightningAddress: undefined, bolt12: `${OFFER}${suffix}` })],
]

for (const [accountType, changes] of MAGIC) {
  test(`EACC-5 ${accountType}, ${Object.keys(changes('')).at(-1)}: magic identifiers pass the strict checks of the sandbox`, () => {
    for (const suffix of [...PAYMENT_SUFFIXES, '102', '103', '104', '105', '106', '107']) {
      const body = externalAccountBody(accountType, changes(suffix))
      const result = checkAccountInfo({ ...COMMON, strict: true, sandbox: true, body })
      assert.ok(result.ok, `${suffix}: ${JSON.stringify(result)}`)
      assert.deepEqual(result.warnings, [])
      assert.ok(hasSandboxSuffix(result.account.identifier), suffix)
    }
  })
}

test('EACC-5 in PRODUCTION no suffix excuses anything', () => {
  const isFineAnyway = (body: ReturnType<typeof externalAccountBody>) =>
    body.accountInfo['phoneNumber'] !== undefined ||
    body.accountInfo['lightningAddress'] !== undefined ||
    body.accountInfo['bolt12'] !== undefined
  const bodies = MAGIC.map(([accountType, changes]) =>
    externalAccountBody(accountType, changes('002')),
  )
  for (const body of bodies) {
    const result = checkAccountInfo({ ...COMMON, strict: true, sandbox: false, body })
    assert.equal(result.ok, isFineAnyway(body), JSON.stringify(body))
  }
})

test('EACC-5 a suffix excuses the identifier alone, not its companions', () => {
  const body = externalAccountBody('USD_ACCOUNT', {
    accountNumber: '123456002',
    routingNumber: '123456789',
  })
  const result = checkAccountInfo({ ...COMMON, strict: false, sandbox: true, body })
  assert.ok(result.ok)
  assert.deepEqual(result.warnings, ['accountInfo.routingNumber'])
})

test('EACC-3 an ordinary ending leaves alphabet and checksum in force', () => {
  const body = externalAccountBody('SOLANA_WALLET', {
    address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTD008',
  })
  assert.ok(!checkAccountInfo({ ...COMMON, strict: false, sandbox: true, body }).ok)
})
