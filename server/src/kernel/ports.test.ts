import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from './ids.ts'
import { chooseProvider, overlapOf, type PortQuery, type RegisteredProvider } from './ports.ts'

const platform = { id: newId('platform'), environment: 'PRODUCTION' } as const
const other = { id: newId('platform'), environment: 'PRODUCTION' } as const

const registered = (name: string, part: Partial<RegisteredProvider> = {}): RegisteredProvider => ({
  id: newId('provider'),
  name,
  kind: 'http',
  environment: 'PRODUCTION',
  ports: ['rails'],
  url: 'https://bank.example',
  ca: null,
  platformIds: null,
  rails: null,
  currencies: null,
  accountTypes: null,
  status: 'ENABLED',
  config: {},
  resendWindowSeconds: 86_400,
  maxInFlight: 8,
  authorizationDeadlineMs: 2_000,
  paymentThreshold: 0n,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ...part,
})

const any = registered('any')
const forType = registered('type', { accountTypes: ['EUR_ACCOUNT'] })
const forCurrency = registered('currency', { currencies: ['EUR'] })
const forBoth = registered('both', { currencies: ['EUR'], accountTypes: ['EUR_ACCOUNT'] })
const forRail = registered('rail', { rails: ['SEPA'] })
const forPlatform = registered('platform', { platformIds: [platform.id] })
const paused = registered('paused', { rails: ['SEPA_INSTANT'], status: 'PAUSED' })
const sandbox = registered('sandbox', { environment: 'SANDBOX', rails: ['SEPA'] })
const identity = registered('identity', { ports: ['identity', 'screening'] })
const ALL = [any, forType, forCurrency, forBoth, forRail, forPlatform, paused, sandbox, identity]

const EURO = { port: 'rails', rail: 'SEPA', currency: 'EUR', accountType: 'EUR_ACCOUNT' } as const
const without = (...names: string[]) => ALL.filter(({ name }) => !names.includes(name))

type Row = readonly [RegisteredProvider[], PortQuery, string | undefined]
const CHOICES: readonly Row[] = [
  [ALL, EURO, 'platform'],
  [without('platform'), EURO, 'rail'],
  [without('platform', 'rail'), EURO, 'both'],
  [without('platform', 'rail', 'both'), EURO, 'currency'],
  [without('platform', 'rail', 'both', 'currency'), EURO, 'type'],
  [without('platform', 'rail', 'both', 'currency', 'type'), EURO, 'any'],
  [without('platform'), { ...EURO, rail: 'SEPA_INSTANT' }, 'paused'],
  [without('platform'), { port: 'rails', currency: 'USDC' }, 'any'],
  [[forRail, forType], { port: 'rails', currency: 'EUR' }, undefined],
  [ALL, { port: 'identity' }, 'identity'],
  [ALL, { port: 'cards' }, undefined],
  [[sandbox], EURO, undefined],
]

CHOICES.forEach(([providers, query, expected], index) => {
  test(`PROV-5 choice ${index}: ${query.port} ${query.rail ?? '-'} is ${expected ?? 'nobody'}’s`, () => {
    const chosen = [providers, providers.toReversed()].map(
      (order) => chooseProvider(order, { ...query, platform })?.name,
    )
    assert.deepEqual(chosen, [expected, expected], 'whatever the order of registration')
  })
})

test('PROV-5 a provider of one platform does not serve another', () => {
  assert.equal(chooseProvider(ALL, { ...EURO, platform: other })?.name, 'rail')
})

type Pair = readonly [RegisteredProvider, RegisteredProvider, object | undefined]
const PAIRS: readonly Pair[] = [
  [any, registered('again'), { ports: ['rails'] }],
  [any, forRail, undefined],
  [forRail, paused, undefined],
  [forRail, sandbox, undefined],
  [any, identity, undefined],
  [forRail, registered('two', { rails: ['ACH', 'SEPA'] }), { ports: ['rails'], rails: ['SEPA'] }],
  [forCurrency, forType, undefined],
  [forBoth, registered('mxn', { currencies: ['MXN'], accountTypes: ['EUR_ACCOUNT'] }), undefined],
  [
    forPlatform,
    registered('both platforms', { platformIds: [other.id, platform.id] }),
    { ports: ['rails'], platformIds: [platform.id] },
  ],
]

for (const [one, two, expected] of PAIRS) {
  test(`PROV-6 ${one.name} and ${two.name} ${expected ? 'overlap' : 'do not overlap'}`, () => {
    assert.deepEqual(overlapOf(one, two), expected)
    assert.deepEqual(overlapOf(two, one), expected)
  })
}
