import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from './errors.ts'
import { InvariantError } from './invariant.ts'
import {
  ID_KINDS,
  asId,
  formatId,
  isUuid,
  mustParseId,
  newId,
  newUuid,
  parseAnyId,
  parseId,
} from './ids.ts'
import type { IdKind } from './ids.ts'

const UUID = '0199a1b2-c3d4-7e5f-8a6b-0123456789ab'

/** CORE-3 and chapter 43, C1: kind, prefix and what answers when it is not there. */
const KINDS: readonly (readonly [IdKind, string, string])[] = [
  ['platform', 'Platform', 'REFERENCE_NOT_FOUND'],
  ['platformConfig', 'PlatformConfig', 'REFERENCE_NOT_FOUND'],
  ['token', 'Token', 'TOKEN_NOT_FOUND'],
  ['customer', 'Customer', 'USER_NOT_FOUND'],
  ['beneficialOwner', 'BeneficialOwner', 'REFERENCE_NOT_FOUND'],
  ['document', 'Document', 'REFERENCE_NOT_FOUND'],
  ['verification', 'Verification', 'REFERENCE_NOT_FOUND'],
  ['job', 'Job', 'BULK_UPLOAD_JOB_NOT_FOUND'],
  ['internalAccount', 'InternalAccount', 'REFERENCE_NOT_FOUND'],
  ['externalAccount', 'ExternalAccount', 'REFERENCE_NOT_FOUND'],
  ['lookup', 'Lookup', 'LOOKUP_REQUEST_NOT_FOUND'],
  ['quote', 'Quote', 'QUOTE_NOT_FOUND'],
  ['transaction', 'Transaction', 'TRANSACTION_NOT_FOUND'],
  ['authMethod', 'AuthMethod', 'REFERENCE_NOT_FOUND'],
  ['session', 'Session', 'REFERENCE_NOT_FOUND'],
  ['request', 'Request', 'REFERENCE_NOT_FOUND'],
  ['delegatedKey', 'DelegatedKey', 'REFERENCE_NOT_FOUND'],
  ['scaChallenge', 'ScaChallenge', 'REFERENCE_NOT_FOUND'],
  ['scaReset', 'ScaReset', 'REFERENCE_NOT_FOUND'],
  ['card', 'Card', 'REFERENCE_NOT_FOUND'],
  ['cardFundingSource', 'CardFundingSource', 'REFERENCE_NOT_FOUND'],
  ['cardTransaction', 'CardTransaction', 'TRANSACTION_NOT_FOUND'],
  ['agent', 'Agent', 'REFERENCE_NOT_FOUND'],
  ['agentAction', 'AgentAction', 'REFERENCE_NOT_FOUND'],
  [
    'stablecoinProviderAccount',
    'StablecoinProviderAccount',
    'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND',
  ],
  ['stablecoin', 'Stablecoin', 'REFERENCE_NOT_FOUND'],
  ['stablecoinOperation', 'StablecoinOperation', 'REFERENCE_NOT_FOUND'],
  ['webhook', 'Webhook', 'REFERENCE_NOT_FOUND'],
  ['provider', 'Provider', 'REFERENCE_NOT_FOUND'],
  ['order', 'Order', 'REFERENCE_NOT_FOUND'],
  ['exception', 'Exception', 'REFERENCE_NOT_FOUND'],
  ['operator', 'Operator', 'REFERENCE_NOT_FOUND'],
  ['operatorToken', 'OperatorToken', 'REFERENCE_NOT_FOUND'],
  ['proposal', 'Proposal', 'REFERENCE_NOT_FOUND'],
]

describe('id kinds', () => {
  test('CORE-3 every type of the interface has its prefix and its not-found code', () => {
    const actual = Object.entries(ID_KINDS).map(([kind, { prefix, notFound }]) => [
      kind,
      prefix,
      notFound,
    ])
    assert.deepEqual(actual, KINDS)
  })

  for (const [kind, prefix] of KINDS) {
    test(`CORE-3 a ${kind} id is written ${prefix}:<uuid> and read back`, () => {
      const id = newId(kind)
      const text = formatId(kind, id)
      assert.equal(text, `${prefix}:${id}`)
      assert.equal(parseId(kind, text), id)
      assert.deepEqual(parseAnyId(text), { kind, id })
    })
  }
})

describe('ids that are not there', () => {
  const REFUSED = [
    { text: '', why: 'empty' },
    { text: UUID, why: 'no prefix' },
    { text: `Quote:${UUID}`, why: 'another type' },
    { text: `customer:${UUID}`, why: 'the prefix is case-sensitive' },
    { text: `Customer:${UUID.toUpperCase()}`, why: 'upper case is another text' },
    { text: `Customer:${UUID.replaceAll('-', '')}`, why: 'not canonical' },
    { text: `Customer:{${UUID}}`, why: 'braces' },
    { text: `Customer:${UUID} `, why: 'a trailing space' },
    { text: `Customer:${UUID}\n`, why: 'a trailing line break' },
    { text: ` Customer:${UUID}`, why: 'a leading space' },
    { text: `Customer::${UUID}`, why: 'two colons' },
    { text: `Customer:${UUID.slice(0, -1)}`, why: 'one digit short' },
    { text: `Customer:${UUID.slice(0, -1)}g`, why: 'not hexadecimal' },
    { text: `Customer:${UUID}'; drop table customers`, why: 'hostile text' },
  ]
  for (const { text, why } of REFUSED) {
    test(`CORE-3 ${JSON.stringify(text)} is no customer: ${why}`, () => {
      assert.equal(parseId('customer', text), undefined)
      assert.throws(
        () => mustParseId('customer', text),
        (error) =>
          error instanceof ApiError &&
          error.code === 'USER_NOT_FOUND' &&
          error.details?.['resource'] === 'Customer' &&
          error.details['id'] === (text.includes('\n') ? undefined : text) &&
          error.because === undefined,
      )
    })
  }

  test('CORE-3 a uuid of another version parses: it is simply unknown later', () => {
    const text = '9b2c1d3e-4f5a-4b6c-8d7e-9f0a1b2c3d4e'
    assert.equal(parseId('customer', `Customer:${text}`), text)
  })

  for (const text of ['', ':', `:${UUID}`, `Unknown:${UUID}`, 'Customer:', `constructor:${UUID}`]) {
    test(`CORE-3 ${JSON.stringify(text)} is no id of any kind`, () => {
      assert.equal(parseAnyId(text), undefined)
    })
  }

  test('branding something that is no uuid is a bug', () => {
    assert.equal(asId('token', UUID), UUID)
    assert.throws(() => asId('token', 'x'), InvariantError)
  })
})

describe('uuids of version 7', () => {
  test('CORE-3 carry version, variant and the present millisecond', () => {
    const before = Date.now()
    const uuid = newUuid()
    assert.ok(isUuid(uuid))
    assert.match(uuid, /^.{14}7.{4}[89ab]/)
    const createdMs = Number.parseInt(uuid.replace('-', '').slice(0, 12), 16)
    // Earlier tests of this file may have borrowed a few milliseconds from the future.
    assert.ok(createdMs >= before && createdMs < before + 1_000)
  })

  test('CORE-3 sort by creation, and never repeat, also within one millisecond', () => {
    const made = Array.from({ length: 50_000 }, newUuid)
    assert.deepEqual(made.toSorted(), made)
    assert.equal(new Set(made).size, made.length)
  })

  test('CORE-3 keep rising when the machine’s clock steps back', (context) => {
    const first = newUuid()
    context.mock.timers.enable({ apis: ['Date'], now: Date.now() - 3_600_000 })
    const second = newUuid()
    assert.ok(second > first)
  })
})
