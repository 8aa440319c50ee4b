import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../kernel/ids.ts'
import {
  IssuerUnreachable,
  type BurnOrder,
  type MintOrder,
  type StartedOrder,
} from '../../../providers/stablecoin-issuer.ts'
import { sandboxIssuer } from './sandbox-issuer.ts'

const STEP_MS = 30_000
const credentialsOf = (apiClientId: string) => ({ apiClientId, apiClientSecret: 'secret' })

/** SHA-256 of `acme_client` begins so. */
const ACME_ACCOUNT = 'acct_c4981243aec56ba4'

const verify = (apiClientId: string, elapsedMs = 0, providerAccountId?: string) =>
  sandboxIssuer.verifyCredentials({
    credentials: credentialsOf(apiClientId),
    requestKey: 'one',
    providerAccountId,
    elapsedMs,
  })

const VERDICTS: readonly [string, number, string, string][] = [
  ['bad_002', 0, 'refused', 'never accepted'],
  ['acme_003', 0, 'accepted', 'at first'],
  ['acme_003', STEP_MS - 1, 'accepted', 'for 30 s'],
  ['acme_003', STEP_MS, 'refused', 'then no more'],
  ['acme_004', 0, 'accepted', 'at first'],
  ['acme_004', STEP_MS, 'revoked', 'then revoked'],
  ['acme_005', STEP_MS, 'accepted', 'two accounts, both fine'],
  ['acme', 365 * STEP_MS, 'accepted', 'any other, for ever'],
  ['0021', 0, 'accepted', 'only the last three characters count'],
]

for (const [apiClientId, elapsedMs, verdict, why] of VERDICTS) {
  test(`section 6: ${apiClientId} after ${elapsedMs} ms is ${verdict}: ${why}`, async () => {
    assert.equal((await verify(apiClientId, elapsedMs)).verdict, verdict)
  })
}

test('section 6: credentials open one account made of their SHA-256, or the one that is named', async () => {
  assert.deepEqual(await verify('acme_client'), {
    verdict: 'accepted',
    accountIds: [ACME_ACCOUNT],
  })
  assert.deepEqual(await verify('acme_client', 0, 'my-account'), {
    verdict: 'accepted',
    accountIds: ['my-account'],
  })
})

test('section 6: credentials ending in 005 open two accounts, whichever is named', async () => {
  const [unnamed, named] = [await verify('acme_005'), await verify('acme_005', 0, 'my-account')]
  assert.deepEqual(named, unnamed)
  assert.ok(unnamed.verdict === 'accepted')
  assert.equal(new Set(unnamed.accountIds).size, 2)
})

const describe = (providerTokenIdentifier: string, elapsedMs = 0) =>
  sandboxIssuer.describeToken({
    credentials: credentialsOf('acme'),
    requestKey: 'one',
    providerAccountId: ACME_ACCOUNT,
    providerTokenIdentifier,
    network: 'SPARK',
    networkTokenIdentifier: 'btkn1',
    elapsedMs,
  })

const TOKENS: readonly [string, number, string | undefined][] = [
  ['ACME', 0, 'PROVISIONED'],
  ['ACME001', 0, 'PENDING_REVIEW'],
  ['ACME001', 100 * STEP_MS, 'PENDING_REVIEW'],
  ['ACME002', 0, 'REJECTED'],
  ['ACME003', 0, undefined],
  ['ACME004', 0, 'FAILED'],
  ['ACME005', 0, 'PROVISIONING'],
  ['ACME005', STEP_MS - 1, 'PROVISIONING'],
  ['ACME005', STEP_MS, 'PROVISIONED'],
]

for (const [token, elapsedMs, status] of TOKENS) {
  test(`section 6: the token ${token} after ${elapsedMs} ms is ${status ?? 'unknown'}`, async () => {
    assert.equal((await describe(token, elapsedMs))?.issuanceStatus, status)
  })
}

test('section 6: a sandbox coin is named after its token, in dollars of six decimals', async () => {
  assert.deepEqual(await describe('ACME'), {
    name: 'ACME (sandbox)',
    symbol: 'ACME',
    baseCurrency: 'USD',
    decimals: 6,
    issuanceStatus: 'PROVISIONED',
  })
})

const order = (description: string | undefined) => ({
  credentials: credentialsOf('acme'),
  providerAccountId: ACME_ACCOUNT,
  operationId: newId('stablecoinOperation'),
  idempotencyKey: 'key',
  providerTokenIdentifier: 'ACME',
  amount: 1_000_000n,
  description,
})

const accountEnding = (ending: string) => ({
  accountType: 'USD_ACCOUNT',
  identifier: `1234567${ending}`,
  details: {},
})

function mint(fundedBy: 'WIRE' | 'ACH_DEBIT', description?: string, ending = '999') {
  const account = accountEnding(ending)
  const by: MintOrder['fundedBy'] =
    fundedBy === 'WIRE' ? { type: fundedBy } : { type: fundedBy, account }
  return sandboxIssuer.startMint({ ...order(description), fundedBy: by, address: 'spark1' })
}

const burn = (from: BurnOrder['from'], description?: string, ending = '999') =>
  sandboxIssuer.startBurn({
    ...order(description),
    from,
    rail: 'WIRE',
    account: accountEnding(ending),
  })

/** The reported states as `state@seconds`. */
async function courseOf({ reference, reportAfterMs }: StartedOrder): Promise<string> {
  const seen: string[] = []
  for (let elapsedMs = reportAfterMs; elapsedMs !== undefined;) {
    const report = await sandboxIssuer.report({
      credentials: credentialsOf('acme'),
      reference,
      elapsedMs,
    })
    const state = report.state === 'FAILED' ? report.failureReason : report.state
    seen.push(`${state}@${elapsedMs / 1000}`)
    elapsedMs = report.reportAfterMs
  }
  return seen.join(' ')
}

const NORMAL = 'PROCESSING@30 COMPLETED@60'
const TRANSFER_FAILS = 'PROCESSING@30 PROVIDER_TRANSFER_FAILED@60'
const PAYOUT_REJECTED = 'PROCESSING@30 PAYOUT_REJECTED@60'

const COURSES: readonly [string, () => Promise<StartedOrder>, string][] = [
  ['a mint by wire', () => mint('WIRE'), NORMAL],
  ['a mint by debit', () => mint('ACH_DEBIT'), NORMAL],
  ['a burn from a wallet', () => burn('EXTERNAL_ACCOUNT'), NORMAL],
  ['a burn from the balance', () => burn('PROVIDER_INTERNAL_BALANCE'), NORMAL],
  ['a mint by wire, 001', () => mint('WIRE', 'never 001'), ''],
  ['a burn from a wallet, 001', () => burn('EXTERNAL_ACCOUNT', 'never 001'), ''],
  ['a mint by debit, 001, which awaits nothing', () => mint('ACH_DEBIT', '001'), NORMAL],
  ['a burn from the balance, 001', () => burn('PROVIDER_INTERNAL_BALANCE', '001'), NORMAL],
  ['a mint by wire, 002', () => mint('WIRE', 'fails 002'), TRANSFER_FAILS],
  ['a mint by debit, 002', () => mint('ACH_DEBIT', 'fails 002'), TRANSFER_FAILS],
  ['a burn, 002', () => burn('EXTERNAL_ACCOUNT', 'fails 002'), TRANSFER_FAILS],
  ['a mint by wire, 0021', () => mint('WIRE', '0021'), NORMAL],
  ['a debit of …002', () => mint('ACH_DEBIT', undefined, '002'), 'FUNDING_INSUFFICIENT@30'],
  ['a debit of …003', () => mint('ACH_DEBIT', undefined, '003'), 'FUNDING_ACCOUNT_INVALID@30'],
  ['a debit of …004', () => mint('ACH_DEBIT', undefined, '004'), 'FUNDING_REJECTED@30'],
  ['a debit of …005', () => mint('ACH_DEBIT', undefined, '005'), 'FUNDING_TIMED_OUT@60'],
  ['a debit of …006', () => mint('ACH_DEBIT', undefined, '006'), NORMAL],
  ['a burn to …002', () => burn('EXTERNAL_ACCOUNT', undefined, '002'), PAYOUT_REJECTED],
  ['a burn to …003', () => burn('EXTERNAL_ACCOUNT', undefined, '003'), PAYOUT_REJECTED],
  ['a burn to …004', () => burn('PROVIDER_INTERNAL_BALANCE', undefined, '004'), PAYOUT_REJECTED],
  ['a burn to …005', () => burn('EXTERNAL_ACCOUNT', undefined, '005'), PAYOUT_REJECTED],
  [
    'a debit of …005, 002: the funds come first',
    () => mint('ACH_DEBIT', '002', '005'),
    'FUNDING_TIMED_OUT@60',
  ],
  [
    'a burn to …004, 002: the transfer comes first',
    () => burn('EXTERNAL_ACCOUNT', '002', '004'),
    TRANSFER_FAILS,
  ],
]

for (const [what, start, course] of COURSES) {
  test(`section 6: ${what} goes ${course || 'nowhere'}`, async () => {
    assert.equal(await courseOf(await start()), course)
  })
}

test('section 6: a description ending in 003 makes the provider unreachable', async () => {
  await assert.rejects(mint('WIRE', 'out 003'), IssuerUnreachable)
  await assert.rejects(burn('EXTERNAL_ACCOUNT', 'out 003'), IssuerUnreachable)
})

test('section 3: only an operation that waits for funds from outside has funding instructions', async () => {
  const wire = await mint('WIRE')
  assert.deepEqual(Object.keys(wire.fundingInstructions ?? {}).toSorted(), [
    'accountNumber',
    'bankName',
    'beneficiaryName',
    'rail',
    'reference',
    'routingNumber',
  ])
  const { address, ...spark } = { ...(await burn('EXTERNAL_ACCOUNT')).fundingInstructions }
  assert.deepEqual(spark, { rail: 'SPARK', network: 'SPARK', valueType: 'ACME' })
  assert.match(address ?? '', /^spark1[02-9ac-hj-np-z]{40,}$/)
  assert.equal((await mint('ACH_DEBIT')).fundingInstructions, undefined)
  assert.equal((await burn('PROVIDER_INTERNAL_BALANCE')).fundingInstructions, undefined)
})

test('STBL-19 the same key starts the same order', async () => {
  assert.deepEqual(await mint('WIRE'), await mint('WIRE'))
})
