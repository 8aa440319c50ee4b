import { randomInt } from 'node:crypto'
import pg from 'pg'
import { systemClock } from '../server/src/kernel/clock.ts'
import { asId, newUuid, type Id } from '../server/src/kernel/ids.ts'
import { authorizeCard } from '../server/src/features/cards/index.ts'
import type { BenchServer } from './bench-server.ts'
import { closedLoop, type Case, type Measured } from './measure.ts'

const CARDS = 1_000
const WRITERS = 64
const P99_MAX_MS = 100
const DURATION_MS = 3_000
const START_BALANCE = 1_000_000_000_000n

export type BenchCard = Readonly<{ id: Id<'card'>; accountId: string; customerId: string }>

/** Customers, accounts and cards as the service would have made them, a thousand at a time. */
const SEED = `
  with given as (
    select * from unnest($2::uuid[], $3::uuid[], $4::uuid[]) with ordinality as g(card_id, account_id, customer_id, n)
  ), holders as (
    insert into customers (platform_id, id, customer_type, platform_customer_id, uma_address, currencies,
      currencies_explicit, status, profile, created_at, updated_at)
    select $1, customer_id, 'INDIVIDUAL', 'bench-' || customer_id, '$' || customer_id || '@bench', '{USD}', true,
      'APPROVED', '{}', $5, $5 from given
  ), accounts as (
    insert into internal_accounts (platform_id, id, customer_id, currency, type, status, funding_instructions,
      created_at, updated_at)
    select $1, account_id, customer_id, 'USD', 'INTERNAL_FIAT', 'ACTIVE', '[]', $5, $5 from given
  ), cards as (
    insert into cards (platform_id, id, customer_id, platform_card_id, state, currency, brand, last4, exp_month,
      exp_year, provider_id, processor_ref, issuer_ref, created_at, updated_at)
    select $1, card_id, customer_id, card_id::text, 'ACTIVE', 'USD', 'VISA', '0000', 12, 2099, $8::uuid, card_id::text, 'i',
      $5, $5 from given
    returning id
  ), journal as (
    insert into ledger_journals values ($1, $6, 'bench.cards', 'cards', $5)
  ), entries as (
    insert into ledger_entries (platform_id, journal_id, line, account, currency, amount, balance_after)
    select $1, $6, n::smallint, 'IA:' || account_id || ':available', 'USD', $7::bigint, $7::bigint from given
    union all select $1, $6, 0::smallint, 'WORLD:bench', 'USD', -$7::bigint * count(*), null from given
  )
  insert into ledger_balances
  select $1, 'IA:' || account_id || ':available', 'USD', $7::bigint from given
  union all select $1, 'IA:' || account_id || ':held', 'USD', 0 from given`

const BIND = `
  insert into card_funding_sources (platform_id, id, card_id, account_id, position)
  select $1, gen_random_uuid(), card_id, account_id, 1 from unnest($2::uuid[], $3::uuid[]) as g(card_id, account_id)`

/** The same rows as one stored function: debit, reserve, journal, entries, both rows of the transaction, events, job, audit. */
const TWIN = `
  create function bench_authorize(platform uuid, card uuid, funding uuid, holder uuid, tx uuid, journal uuid, moment timestamptz, body text)
  returns bigint language plpgsql as $$
  declare after bigint;
  begin
    perform 1 from cards where platform_id = platform and id = card and state = 'ACTIVE' for share;
    perform 1 from internal_accounts where platform_id = platform and id = funding and status = 'ACTIVE' for share;
    update ledger_balances set amount = amount - 1
      where platform_id = platform and account = 'IA:' || funding || ':available' and currency = 'USD' and amount >= 1
      returning amount into after;
    if not found then raise exception 'insufficient'; end if;
    insert into ledger_balances values (platform, 'CARD_RESERVE:' || tx, 'USD', 1);
    insert into ledger_journals values (platform, journal, 'card.pulled', tx || '/0', moment);
    insert into ledger_entries (platform_id, journal_id, line, account, currency, amount, balance_after)
      values (platform, journal, 0, 'IA:' || funding || ':available', 'USD', -1, after),
        (platform, journal, 1, 'CARD_RESERVE:' || tx, 'USD', 1, 1);
    insert into card_transactions (platform_id, id, card_id, customer_id, platform_customer_id, account_id,
      issuer_transaction_token, direction, status, merchant, currency, authorized, settlement_count, returns, pulled,
      pull_count, pending_pull, shortfall, event_count, active_at, created_at, updated_at)
      values (platform, tx, card, holder, 'bench', funding, tx::text, 'DEBIT', 'AUTHORIZED', '{}', 'USD', 1, 0, '{}', 1,
        1, 0, 0, 0, moment, moment, moment);
    insert into transactions (platform_id, id, type, status, customer_id, platform_customer_id, source_identifier,
      card_id, card_details, created_at, updated_at)
      values (platform, tx, 'CARD', 'AUTHORIZED', holder, 'bench', 'InternalAccount:' || funding, card, body::jsonb, moment, moment);
    insert into event_rows (platform_id, id, position, type, resource_id, at, data)
      values (platform, journal, nextval('event_positions'), 'CARD_TRANSACTION.AUTHORIZED', 'CardTransaction:' || tx, moment, body),
        (platform, tx, nextval('event_positions'), 'INTERNAL_ACCOUNT.BALANCE_UPDATED', 'InternalAccount:' || funding, moment, body);
    insert into jobs (platform_id, id, name, payload, due_at, state, created_at)
      values (platform, journal, 'cards.endAuthorization', '{}', moment + interval '7 days', 'WAITING', moment);
    insert into audit_entries (platform_id, id, at, actor, action, resource, request_id)
      values (platform, journal, moment, 'system:bench', 'bench', null, tx::text);
    return after;
  end $$`

const BODY = JSON.stringify({ merchant: { descriptor: 'BENCH' }, filler: 'x'.repeat(700) })

/** A thousand cards with money, of the sandbox or of a provider outside, and the yardstick beside them. */
export async function seedCards(
  url: string,
  platformId: Id<'platform'>,
  { providerId }: Readonly<{ providerId?: Id<'provider'> }> = {},
): Promise<BenchCard[]> {
  const cards = Array.from({ length: CARDS }, () => ({
    id: asId('card', newUuid()),
    accountId: newUuid(),
    customerId: newUuid(),
  }))
  const ids = cards.map(({ id }) => id)
  const accounts = cards.map(({ accountId }) => accountId)
  const holders = cards.map(({ customerId }) => customerId)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(TWIN)
  const now = systemClock.now()
  const rows = [ids, accounts, holders, now, newUuid(), START_BALANCE, providerId ?? null]
  await client.query(SEED, [platformId, ...rows])
  await client.query(BIND, [platformId, ids, accounts])
  await client.query('vacuum analyze')
  await client.end()
  return cards
}

export async function cardCases({ florin, databaseUrl, platform }: BenchServer): Promise<Case[]> {
  const cards = await seedCards(databaseUrl, platform.id)
  const hot = (): BenchCard => cards[0] as BenchCard
  const spread = (): BenchCard => cards[randomInt(CARDS)] as BenchCard

  const ours = (pick: () => BenchCard) => (): Promise<Measured> =>
    closedLoop(WRITERS, DURATION_MS, () => authorize({ florin, platform }, pick()))
  const yardstick = (pick: () => BenchCard) => (): Promise<Measured> =>
    driveTwin(databaseUrl, { platformId: platform.id, pick })

  const against = 'the same rows by one stored function, a plain client, as many connections'
  return [
    { name: 'card authorizations, one account, 64 writers', aim: 2, pick: hot },
    { name: 'card authorizations, 1000 accounts, 64 writers', aim: 1, pick: spread },
  ].map(({ name, aim, pick }) => ({
    name,
    aim,
    against,
    p99MaxMs: P99_MAX_MS,
    ours: ours(pick),
    yardstick: yardstick(pick),
  }))
}

function authorize(
  { florin, platform }: Pick<BenchServer, 'florin' | 'platform'>,
  { id }: BenchCard,
): Promise<unknown> {
  const input = {
    cardId: id,
    kind: 'AUTHORIZATION',
    amount: 1n,
    currency: 'USD',
    merchant: { descriptor: 'BENCH' },
    simulated: {},
  } as const
  return florin.lane.submit(
    { kind: authorizeCard, input },
    {
      platform,
      actor: { kind: 'system', name: 'bench' },
      now: systemClock.now(),
      requestId: newUuid(),
      action: 'bench',
    },
  )
}

export async function driveTwin(
  url: string,
  { platformId, pick }: { platformId: string; pick: () => BenchCard },
): Promise<Measured> {
  const clients = await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      return client
    }),
  )
  const measured = await closedLoop(WRITERS, DURATION_MS, (writer) => {
    const { id, accountId, customerId } = pick()
    return (clients[writer] as pg.Client).query({
      name: 'card-twin',
      text: 'select bench_authorize($1, $2, $3, $4, $5, $6, $7, $8)',
      values: [
        platformId,
        id,
        accountId,
        customerId,
        newUuid(),
        newUuid(),
        systemClock.now(),
        BODY,
      ],
    })
  })
  await Promise.all(clients.map((client) => client.end()))
  return measured
}
