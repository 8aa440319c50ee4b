import pg from 'pg'
import { externalAccountBody } from '../server/test/kit/accounts/external-account-bodies.ts'
import { newUuid } from '../server/src/kernel/ids.ts'
import { systemClock } from '../server/src/kernel/clock.ts'
import { openApi, type Api } from './bench-api.ts'
import type { Checkout } from './service/checkout.ts'

const PAYERS = 1_000
const PAYEES = 1_000
const START_BALANCE = 1_000_000_000_000n

export type PaymentBench = Readonly<{
  checkout: Checkout
  api: Api
  databaseUrl: string
  platformId: string
  /** The platform's own account, which pays everybody. */
  treasury: string
  /** Accounts of as many customers. */
  payers: readonly string[]
  payees: readonly string[]
  /** One payment of each way as the service made it: the rows that the twin writes again. */
  templates: Readonly<{ immediate: string; quoted: string; executed: string }>
}>

const uuidOf = (id: string): string => id.slice(id.indexOf(':') + 1)

/** The account that the API made, as often as wanted. */
const COPY_PAYEE = `
  insert into external_accounts
  select (json_populate_record(e, json_build_object('id', n, 'duplicate_index', '\\x' || replace(n::text, '-', '')))).*
  from external_accounts e, unnest($2::uuid[]) n where e.id = $1`

/** Verified customers, each with an account and money on it, as the service would have made them. */
const SEED_PAYERS = `
  with given as (
    select * from unnest($2::uuid[], $3::uuid[]) with ordinality as g(account_id, customer_id, n)
  ), holders as (
    insert into customers (platform_id, id, customer_type, platform_customer_id, uma_address, currencies,
      currencies_explicit, status, email, phone_number, profile, created_at, updated_at)
    select $1, customer_id, 'INDIVIDUAL', 'bench-' || customer_id, '$' || customer_id || '@bench', '{USD}', true,
      'APPROVED', customer_id || '@bench.example', '+15550123987', $8, $4, $4 from given
  ), accounts as (
    insert into internal_accounts (platform_id, id, customer_id, currency, type, status, funding_instructions,
      created_at, updated_at)
    select $1, account_id, customer_id, 'USD', 'INTERNAL_FIAT', 'ACTIVE', $7, $4, $4 from given
  ), journal as (
    insert into ledger_journals values ($1, $5, 'bench.payers', 'payers', $4)
  ), entries as (
    insert into ledger_entries (platform_id, journal_id, line, account, currency, amount, balance_after)
    select $1, $5, n::smallint, 'IA:' || account_id || ':available', 'USD', $6::bigint, $6::bigint from given
    union all select $1, $5, 0::smallint, 'WORLD:bench', 'USD', -$6::bigint * count(*), null from given
  )
  insert into ledger_balances
  select $1, 'IA:' || account_id || ':available', 'USD', $6::bigint from given
  union all select $1, 'IA:' || account_id || ':held', 'USD', 0 from given`

const PROFILE = JSON.stringify({
  fullName: 'Ana Souza',
  birthDate: '1987-04-19',
  nationality: 'US',
  address: { line1: '1 Main St', city: 'San Francisco', postalCode: '94105', country: 'US' },
})

const uuids = (count: number): string[] => Array.from({ length: count }, () => newUuid())

export const quoteBody = ({ from, to }: { from: string; to: string }) => ({
  source: { sourceType: 'ACCOUNT', accountId: from },
  destination: { destinationType: 'ACCOUNT', accountId: to },
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: 100,
})

export async function seedPayments(checkout: Checkout): Promise<PaymentBench> {
  const api = await openApi(checkout)
  const { databaseUrl, credentials } = checkout
  const platformId = uuidOf(credentials.platformId)
  const own = await api.call('GET', '/platform/internal-accounts?currency=USD')
  const [first] = own['data'] as { id: string; fundingPaymentInstructions: unknown }[]
  const treasury = first?.id ?? ''
  await api.call('POST', `/sandbox/internal-accounts/${treasury}/fund`, { amount: 100_000_000_000 })
  const iban = { iban: 'DE89370400440532013000' }
  const account = externalAccountBody('EUR_ACCOUNT', iban)
  const payee = String((await api.call('POST', '/platform/external-accounts', account))['id'])
  const copies = uuids(PAYEES)
  const accounts = uuids(PAYERS)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(COPY_PAYEE, [uuidOf(payee), copies])
  const [now, journal] = [systemClock.now(), newUuid()]
  const instructions = JSON.stringify(first?.fundingPaymentInstructions)
  const funds = [now, journal, START_BALANCE, instructions, PROFILE]
  await client.query(SEED_PAYERS, [platformId, accounts, uuids(PAYERS), ...funds])
  await client.query('vacuum analyze')
  await client.end()
  const payers = accounts.map((id) => `InternalAccount:${id}`)
  const order = { from: payers[0] ?? '', to: payee }
  const paid = { ...quoteBody({ from: treasury, to: payee }), immediatelyExecute: true }
  const immediate = uuidOf(String((await api.call('POST', '/quotes', paid))['id']))
  const quoted = uuidOf(String((await api.call('POST', '/quotes', quoteBody(order)))['id']))
  const executed = uuidOf(String((await api.call('POST', '/quotes', quoteBody(order)))['id']))
  await api.call('POST', `/quotes/Quote:${executed}/execute`)
  const payees = copies.map((id) => `ExternalAccount:${id}`)
  const templates = { immediate, quoted, executed }
  return { checkout, api, databaseUrl, platformId, treasury, payers, payees, templates }
}
