import { randomInt } from 'node:crypto'
import pg from 'pg'
import { parseLedgerAccount, worldOf, type LedgerAccount } from '../server/src/ledger/chart.ts'
import type { LaneKind } from '../server/src/ledger/lane.ts'
import { newUuid, type Id } from '../server/src/kernel/ids.ts'
import type { Platform } from '../server/src/kernel/platform.ts'
import { systemClock } from '../server/src/kernel/clock.ts'
import type { BenchServer } from './bench-server.ts'
import { closedLoop, type Case, type Measured } from './measure.ts'

const ACCOUNTS = 1_000
const WRITERS = 32
const DURATION_MS = 3_000
const START_BALANCE = 1_000_000_000_000n
const CURRENCY = 'USD'

type Move = Readonly<{ account: LedgerAccount; reference: string }>

/** The smallest command there is: one unit leaves an account. It shows the cost of the lane, not of a feature. */
const oneUnitOut: LaneKind<Move, undefined, undefined> = {
  name: 'bench.one-unit-out',
  load: async (_tx, inputs) => inputs.map(() => undefined),
  keys: ({ platform }, { account }) => [{ platformId: platform.id, account, currency: CURRENCY }],
  decide({ platform, now }, { account, reference }, _loaded, { book }) {
    const postings = [
      { account, currency: CURRENCY, amount: -1n },
      { account: worldOf('bench'), currency: CURRENCY, amount: 1n },
    ]
    book.mustApply(platform.id, now, [{ type: 'bench', reference, postings }])
    return { reply: { status: 200 }, row: undefined }
  },
  save: () => undefined,
}

/** The same rows as one stored function: debit, journal, two entries, audit entry. */
const TWIN = `
  create function bench_one_unit_out(platform uuid, journal uuid, ref text, source text, moment timestamptz)
  returns bigint language plpgsql as $$
  declare after bigint;
  begin
    update ledger_balances set amount = amount - 1
      where platform_id = platform and account = source and currency = 'USD' and amount >= 1
      returning amount into after;
    if not found then raise exception 'insufficient'; end if;
    insert into ledger_journals (platform_id, id, type, reference, at) values (platform, journal, 'bench', ref, moment);
    insert into ledger_entries (platform_id, journal_id, line, account, currency, amount, balance_after)
      values (platform, journal, 0, source, 'USD', -1, after), (platform, journal, 1, 'WORLD:bench', 'USD', 1, null);
    insert into audit_entries (platform_id, id, at, actor, action, resource, request_id)
      values (platform, journal, moment, 'system:bench', 'bench', null, ref);
    return after;
  end $$`

async function seed(url: string, platformId: Id<'platform'>): Promise<LedgerAccount[]> {
  // Accounts without balance events: the case is the posting alone, as the twin does it.
  const accounts = Array.from({ length: ACCOUNTS }, () =>
    parseLedgerAccount(`SUSPENSE:bench-${newUuid()}`),
  )
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(TWIN)
  const journal = newUuid()
  await client.query(`insert into ledger_journals values ($1, $2, 'bench.seed', 'seed', $3)`, [
    platformId,
    journal,
    systemClock.now(),
  ])
  const total = START_BALANCE * BigInt(ACCOUNTS)
  await client.query(
    `with b as (insert into ledger_balances select $1::uuid, a, 'USD', $3::bigint from unnest($2::text[]) a)
     insert into ledger_entries (platform_id, journal_id, line, account, currency, amount, balance_after)
     select $1::uuid, $4::uuid, n::smallint, a, 'USD', $3::bigint, $3::bigint from unnest($2::text[]) with ordinality x(a, n)
     union all select $1::uuid, $4::uuid, 0::smallint, 'WORLD:bench', 'USD', $5::bigint, null::bigint`,
    [platformId, accounts, START_BALANCE, journal, -total],
  )
  await client.query('vacuum analyze ledger_balances')
  await client.end()
  return accounts
}

export async function laneCases({ florin, databaseUrl, platform }: BenchServer): Promise<Case[]> {
  const accounts = await seed(databaseUrl, platform.id)
  const hot = (): LedgerAccount => accounts[0] as LedgerAccount
  const spread = (): LedgerAccount => accounts[randomInt(ACCOUNTS)] as LedgerAccount

  const ours = (writers: number, pick: () => LedgerAccount) => (): Promise<Measured> =>
    closedLoop(writers, DURATION_MS, () => submit(florin, platform, pick()))
  const yardstick = (writers: number, pick: () => LedgerAccount) => (): Promise<Measured> =>
    driveTwin(databaseUrl, { writers, platformId: platform.id, pick })

  const against = 'the same rows by one stored function, a plain client, as many connections'
  return [
    { name: 'lane, hot account, 32 writers', aim: 6, pick: hot, writers: WRITERS },
    { name: 'lane, 1000 accounts, 32 writers', aim: 1.5, pick: spread, writers: WRITERS },
    { name: 'lane, one writer', aim: 0.9, pick: hot, writers: 1 },
  ].map(({ name, aim, pick, writers }) => ({
    name,
    aim,
    against,
    ours: ours(writers, pick),
    yardstick: yardstick(writers, pick),
  }))
}

function submit(
  florin: BenchServer['florin'],
  platform: Platform,
  account: LedgerAccount,
): Promise<unknown> {
  const reference = newUuid()
  return florin.lane.submit(
    { kind: oneUnitOut, input: { account, reference } },
    {
      platform,
      actor: { kind: 'system', name: 'bench' },
      now: systemClock.now(),
      requestId: reference,
      action: 'bench',
    },
  )
}

async function driveTwin(
  url: string,
  { writers, platformId, pick }: { writers: number; platformId: string; pick: () => string },
): Promise<Measured> {
  const clients = await Promise.all(
    Array.from({ length: writers }, async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      return client
    }),
  )
  const measured = await closedLoop(writers, DURATION_MS, (writer) =>
    (clients[writer] as pg.Client).query({
      name: 'twin',
      text: 'select bench_one_unit_out($1, $2, $3, $4, $5)',
      values: [platformId, newUuid(), newUuid(), pick(), systemClock.now()],
    }),
  )
  await Promise.all(clients.map((client) => client.end()))
  return measured
}
