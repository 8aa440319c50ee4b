import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StablecoinOperation } from '../../../../../sdk/src/index.ts'
import { expectStatus, type Shown } from '../../../../test/kit/api.ts'
import { asOperator } from '../../../../test/kit/accounts/external-accounts.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import {
  advanceSeconds,
  burnBody,
  burnsOf,
  COINS,
  mintBody,
  mintsOf,
  newBankAccount,
  newSparkWallet,
  newStablecoin,
  newWireMint,
  postKeyed,
  readOperation,
} from '../../../../test/kit/stablecoins.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import { mustParseId } from '../../../kernel/ids.ts'
import { expireOperation } from './move-operation.ts'
import { followOperation } from './follow-operation.ts'
import { revokeLink } from '../index.ts'

const kit = await startOwnKit()

type Order = Readonly<{
  description?: string
  /** The last characters of the bank account's number. */
  ending?: string
  linkFields?: object
}>

type Started = Readonly<{ platform: TestPlatform; operation: Shown<StablecoinOperation> }>

async function mint(
  type: 'WIRE' | 'ACH_DEBIT' | 'SAME_DAY_ACH_DEBIT',
  { description, ending, linkFields }: Order = {},
): Promise<Started> {
  const platform = await kit.platform()
  const { api } = platform
  const coin = await newStablecoin(api, {}, linkFields)
  const fundingSource =
    type === 'WIRE' ? { type } : { type, externalAccountId: await newBankAccount(api, ending) }
  const body = mintBody(await newSparkWallet(api), { fundingSource, description })
  return { platform, operation: expectStatus(await postKeyed(api, mintsOf(coin), body), 201) }
}

async function burn(
  type: 'EXTERNAL_ACCOUNT' | 'PROVIDER_INTERNAL_BALANCE',
  { description, ending, linkFields }: Order = {},
): Promise<Started> {
  const platform = await kit.platform()
  const { api } = platform
  const coin = await newStablecoin(api, {}, linkFields)
  const body = burnBody(await newBankAccount(api, ending), { source: { type }, description })
  return { platform, operation: expectStatus(await postKeyed(api, burnsOf(coin), body), 201) }
}

/** The status, with the reason of a failure, some seconds after the start; each a bit before and after its time. */
async function statusesAt({ platform, operation }: Started, seconds: readonly number[]) {
  const seen: string[] = []
  let passed = 0
  for (const second of seconds) {
    await advanceSeconds(platform.api, second - passed)
    passed = second
    const { status, failureReason } = await readOperation(platform.api, operation.id)
    seen.push(failureReason === undefined ? status : `${status} ${failureReason}`)
  }
  return seen
}

const WAIT = 'PENDING_FUNDING'
const PULL = 'PENDING_PROVIDER'
const RUN = 'PROCESSING'
const DONE = 'COMPLETED'

/** At 28, 31, 58 and 61 seconds. */
const COURSES: readonly [string, () => Promise<Started>, readonly string[]][] = [
  ['a mint by wire', () => mint('WIRE'), [WAIT, RUN, RUN, DONE]],
  ['a mint by debit', () => mint('ACH_DEBIT'), [PULL, RUN, RUN, DONE]],
  ['a burn from a wallet', () => burn('EXTERNAL_ACCOUNT'), [WAIT, RUN, RUN, DONE]],
  ['a burn of the balance', () => burn('PROVIDER_INTERNAL_BALANCE'), [PULL, RUN, RUN, DONE]],
  [
    'a mint that is told to fail',
    () => mint('WIRE', { description: 'x 002' }),
    [WAIT, RUN, RUN, 'FAILED PROVIDER_TRANSFER_FAILED'],
  ],
  [
    'a debit without funds',
    () => mint('ACH_DEBIT', { ending: '002' }),
    [
      PULL,
      'FAILED FUNDING_INSUFFICIENT',
      'FAILED FUNDING_INSUFFICIENT',
      'FAILED FUNDING_INSUFFICIENT',
    ],
  ],
  [
    'a debit of a closed account',
    () => mint('SAME_DAY_ACH_DEBIT', { ending: '003' }),
    [PULL, ...Array.from({ length: 3 }, () => 'FAILED FUNDING_ACCOUNT_INVALID')],
  ],
  [
    'a debit that the bank refuses',
    () => mint('ACH_DEBIT', { ending: '004' }),
    [PULL, ...Array.from({ length: 3 }, () => 'FAILED FUNDING_REJECTED')],
  ],
  [
    'a debit that times out',
    () => mint('ACH_DEBIT', { ending: '005' }),
    [PULL, PULL, PULL, 'FAILED FUNDING_TIMED_OUT'],
  ],
  [
    'a burn to an account that takes no money',
    () => burn('EXTERNAL_ACCOUNT', { ending: '004' }),
    [WAIT, RUN, RUN, 'FAILED PAYOUT_REJECTED'],
  ],
  [
    'a debit told never to be funded, which awaits nothing',
    () => mint('ACH_DEBIT', { description: '001' }),
    [PULL, RUN, RUN, DONE],
  ],
]

for (const [what, start, statuses] of COURSES) {
  test(`section 6: ${what} goes ${statuses.join(', ')}`, async () => {
    assert.deepEqual(await statusesAt(await start(), [28, 31, 58, 61]), statuses)
  })
}

test('STBL-23 updatedAt moves with every status change, and a final operation never changes', async () => {
  const { platform, operation } = await mint('WIRE')
  const { api } = platform
  const ages: number[] = []
  for (let step = 0; step < 3; step += 1) {
    const { updatedAt } = await readOperation(api, operation.id)
    ages.push(Date.parse(updatedAt) - Date.parse(operation.createdAt))
    await advanceSeconds(api, 31)
  }
  assert.deepEqual(ages, [0, 30_000, 60_000])
  const final = await readOperation(api, operation.id)
  assert.equal(final.status, 'COMPLETED')
  assert.equal(final.providerStatus, 'complete')
  assert.deepEqual(final.fundingInstructions, operation.fundingInstructions)
  const id = mustParseId('stablecoinOperation', operation.id)
  await asOperator(kit, platform, async (work) => {
    await followOperation(work, id, {
      state: 'FAILED',
      failureReason: 'PAYOUT_REJECTED',
      providerStatus: 'failed',
    })
    await expireOperation(work, id)
  })
  await advanceSeconds(api, 8 * 86_400)
  assert.deepEqual(await readOperation(api, operation.id), final)
})

test('section 5: every status change leaves an audit entry', async () => {
  const { platform, operation } = await mint('ACH_DEBIT')
  await advanceSeconds(platform.api, 61)
  const entries = await kit.florin.deps.db.read.many<{ action: string }>(
    sql`select action from audit_entries where resource = ${operation.id} order by id`,
  )
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['createStablecoinMint', 'stablecoinOperation.PROCESSING', 'stablecoinOperation.COMPLETED'],
  )
})

const WEEK_SECONDS = 7 * 86_400

for (const [what, start] of [
  ['mint', () => mint('WIRE', { description: 'never 001' })],
  ['burn', () => burn('EXTERNAL_ACCOUNT', { description: 'never 001' })],
] as const) {
  test(`section 3: a ${what} whose funds never arrive expires at its deadline and stays so`, async () => {
    const started = await start()
    const { platform, operation } = started
    assert.deepEqual(await statusesAt(started, [WEEK_SECONDS - 5, WEEK_SECONDS + 1]), [
      'PENDING_FUNDING',
      'EXPIRED',
    ])
    const expired = await readOperation(platform.api, operation.id)
    assert.equal(expired.updatedAt, operation.expiresAt)
    const id = mustParseId('stablecoinOperation', operation.id)
    await asOperator(kit, platform, (work) =>
      followOperation(work, id, { state: 'PROCESSING', providerStatus: 'processing' }),
    )
    assert.deepEqual(await readOperation(platform.api, operation.id), expired)
  })
}

test('section 3: a passed deadline is shown before its job has run, and wins over a late report', async () => {
  const platform = await kit.platform()
  const operation = await newWireMint(platform.api, { description: 'never 001' })
  const id = mustParseId('stablecoinOperation', operation.id)
  const platformId = mustParseId('platform', platform.platformId)
  const { read } = kit.florin.deps.db
  await read.run(
    sql`delete from jobs where platform_id = ${platformId} and name like 'stablecoins.%'`,
  )
  await advanceSeconds(platform.api, WEEK_SECONDS + 1)
  const shown = await readOperation(platform.api, operation.id)
  assert.deepEqual([shown.status, shown.updatedAt], ['EXPIRED', operation.expiresAt])
  const { data } = expectStatus(
    await platform.api.get(`${COINS}/${operation.stablecoinId}/operations`),
    200,
  )
  assert.deepEqual(data, [shown])
  await asOperator(kit, platform, (work) =>
    followOperation(work, id, { state: 'PROCESSING', providerStatus: 'processing' }),
  )
  const row = await read.one<{ status: string }>(
    sql`select status from stablecoin_operations where platform_id = ${platformId} and id = ${id}`,
  )
  assert.equal(row.status, 'EXPIRED')
  assert.deepEqual(await readOperation(platform.api, operation.id), shown)
})

for (const [suffix, status] of [
  ['003', 'INVALID'],
  ['004', 'REVOKED'],
]) {
  test(`section 6: an operation whose link turns ${status} fails at its next step`, async () => {
    const linkFields = { apiClientId: `acme_${suffix}` }
    const unusable = 'FAILED PROVIDER_ACCOUNT_UNUSABLE'
    const [wire, debit] = [
      await mint('WIRE', { linkFields }),
      await mint('ACH_DEBIT', { linkFields }),
    ]
    assert.deepEqual(await statusesAt(wire, [28, 40, 61]), [WAIT, unusable, unusable])
    assert.deepEqual(await statusesAt(debit, [28, 40, 61]), [PULL, unusable, unusable])
  })
}

test('section 6: a link that the operator revokes between two steps fails the second', async () => {
  const started = await burn('PROVIDER_INTERNAL_BALANCE')
  const { platform, operation } = started
  assert.deepEqual(await statusesAt(started, [31]), [RUN])
  const id = mustParseId('stablecoinProviderAccount', operation.stablecoinProviderAccountId)
  await asOperator(kit, platform, (work) => revokeLink(work, id))
  assert.equal((await readOperation(platform.api, operation.id)).status, RUN)
  await advanceSeconds(platform.api, 31)
  const failed = await readOperation(platform.api, operation.id)
  assert.deepEqual([failed.status, failed.failureReason], ['FAILED', 'PROVIDER_ACCOUNT_UNUSABLE'])
})

test('section 6: an operation whose funds never arrive expires, whatever the status of its link', async () => {
  const linkFields = { apiClientId: 'acme_004' }
  const started = await mint('WIRE', { description: 'never 001', linkFields })
  assert.deepEqual(await statusesAt(started, [61, WEEK_SECONDS + 1]), [WAIT, 'EXPIRED'])
})

test('CORE-44 a report, an expiry and a revocation at once leave one outcome', async () => {
  const { platform, operation } = await mint('WIRE')
  const id = mustParseId('stablecoinOperation', operation.id)
  const done = { state: 'COMPLETED', providerStatus: 'complete' } as const
  const failed = {
    state: 'FAILED',
    failureReason: 'PROVIDER_TRANSFER_FAILED',
    providerStatus: 'failed',
  } as const
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      asOperator(kit, platform, (work) => followOperation(work, id, n % 2 === 0 ? done : failed)),
    ),
  )
  const entries = await kit.florin.deps.db.read.many<{ action: string }>(
    sql`select action from audit_entries
        where resource = ${operation.id} and action like 'stablecoinOperation.%'`,
  )
  assert.equal(entries.length, 2)
  const { status, failureReason } = await readOperation(platform.api, operation.id)
  assert.equal(status === 'FAILED', failureReason !== undefined)
})
