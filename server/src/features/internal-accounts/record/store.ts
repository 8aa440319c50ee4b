import { isCurrencyCode } from '../../../kernel/money/currency.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { PageByCreation } from '../../../kernel/page.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { RESOURCE_KEY } from '../../../infra/db/statement/resource-key.ts'
import { openJson, sealJson } from '../../../infra/db/sealed-json.ts'
import { afterCreation, byCreation, countCapped } from '../../../infra/db/list-rows.ts'
import { sql, when, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import {
  ACCOUNT_PAYER_COLUMNS,
  splitPayer,
  type Payer,
  type PayerColumns,
} from '../../customers/lists.ts'
import type { PaymentInstructions } from '../funding/instructions.ts'
import type {
  Balances,
  InternalAccount,
  InternalAccountStatus,
  InternalAccountType,
} from './internal-account.ts'

export type AccountWithBalances = InternalAccount & Balances

const COLUMNS = sql`a.id, a.customer_id, a.currency, a.type, a.status, a.funding_instructions, a.private_enabled,
  not a.listed as is_owner_deleted, a.created_at, a.updated_at`

/** One statement reads both parts, so that both are of the same moment (IACC-7). */
const WITH_BALANCES = sql`${COLUMNS},
  coalesce((select b.amount from ledger_balances b where b.platform_id = a.platform_id
    and b.account = 'IA:' || a.id || ':available' and b.currency = a.currency), 0) as available,
  coalesce((select b.amount from ledger_balances b where b.platform_id = a.platform_id
    and b.account = 'IA:' || a.id || ':held' and b.currency = a.currency), 0) as held`

/** Funding instructions name the customer. */
const opened = <Row extends InternalAccount>({ keyring }: Tx, row: Row): Row => ({
  ...row,
  fundingInstructions: openJson(keyring, 'fundingInstructions', {
    id: row.id,
    value: row.fundingInstructions,
  }),
})

async function findOne(tx: Tx, where: Sql): Promise<AccountWithBalances | undefined> {
  const row = await tx.find<AccountWithBalances>(
    sql`select ${WITH_BALANCES} from internal_accounts a where ${where}`,
  )
  return row && opened(tx, row)
}

async function listWithBalances(tx: Tx, which: Sql): Promise<AccountWithBalances[]> {
  const rows = await tx.many<AccountWithBalances>(
    sql`select ${WITH_BALANCES} from internal_accounts a where ${which}`,
  )
  return rows.map((row) => opened(tx, row))
}

export type InstructedAccount = Readonly<{
  id: Id<'internalAccount'>
  instructions: readonly PaymentInstructions[]
}>

/** The funding instructions of an account, as JSON to store. */
export const storedInstructions = (
  { keyring }: Tx,
  { id, instructions }: InstructedAccount,
): string => sealJson(keyring, 'fundingInstructions', { id, value: sql.json(instructions) })

type NewAccount = InternalAccount & Readonly<{ instructions: string }>

const NEW_ACCOUNT: Columns<NewAccount> = {
  id: ['uuid', (account) => account.id],
  customer_id: ['uuid', (account) => account.customerId],
  currency: ['text', (account) => account.currency],
  type: ['text', (account) => account.type],
  status: ['text', (account) => account.status],
  funding_instructions: ['jsonb', (account) => account.instructions],
  private_enabled: ['boolean', (account) => account.privateEnabled],
  created_at: ['timestamptz', (account) => account.createdAt],
  updated_at: ['timestamptz', (account) => account.updatedAt],
}

function insertion(tx: Tx, platformId: Id<'platform'>, accounts: readonly InternalAccount[]): Sql {
  const added = accounts.map((account) => {
    const { id, fundingInstructions: instructions } = account
    return { ...account, instructions: storedInstructions(tx, { id, instructions }) }
  })
  return sql`insert into internal_accounts (platform_id, id, customer_id, currency, type, status, funding_instructions,
        private_enabled, created_at, updated_at)
      select ${platformId}, * from ${given('a', NEW_ACCOUNT, added)}`
}

/** Inserts missing accounts; answers the ids of the inserted ones (IACC-2). */
export async function insertAccounts(
  tx: Tx,
  platformId: Id<'platform'>,
  accounts: readonly InternalAccount[],
): Promise<Id<'internalAccount'>[]> {
  const rows = await tx.many<{ id: Id<'internalAccount'> }>(
    sql`${insertion(tx, platformId, accounts)}
        on conflict on constraint internal_accounts_one_per_currency do nothing returning id`,
  )
  return rows.map(({ id }) => id)
}

/** Queues accounts of new owners, which have none yet, for the commit. */
export function insertFirstAccounts(
  tx: Tx,
  platformId: Id<'platform'>,
  accounts: readonly InternalAccount[],
): Id<'internalAccount'>[] {
  tx.queueWrite(insertion(tx, platformId, accounts))
  return accounts.map(({ id }) => id)
}

export async function findAccount(
  tx: Tx,
  platformId: Id<'platform'>,
  id: Id<'internalAccount'>,
): Promise<AccountWithBalances | undefined> {
  return findOne(tx, sql`a.platform_id = ${platformId} and a.id = ${id}`)
}

export async function findAccounts(
  tx: Tx,
  platformId: Id<'platform'>,
  ids: readonly Id<'internalAccount'>[],
): Promise<InternalAccount[]> {
  const rows = await tx.many<InternalAccount>(
    sql`select ${COLUMNS} from internal_accounts a
        where a.platform_id = ${platformId} and a.id = any(${ids}::uuid[]) order by a.id`,
  )
  return rows.map((row) => opened(tx, row))
}

export type AccountKey = Readonly<{ platformId: Id<'platform'>; id: Id<'internalAccount'> }>

/** An account with the data of its owner that payments check and record. */
export type AccountSnapshot = InternalAccount &
  Readonly<{
    platformId: Id<'platform'>
    platformCustomerId: string | null
    payer: Payer | null
  }>

/** Locks accounts of any platforms for share: their status does not change until the transaction ends. */
export const lockAccountsForShare = (
  tx: Tx,
  keys: readonly AccountKey[],
): Promise<AccountSnapshot[]> => lockAccountsIn(tx, given('k', RESOURCE_KEY, keys))

/** The same for a table `k(platform_id, id)` of accounts, which may name one several times. */
export async function lockAccountsIn(tx: Tx, named: Sql): Promise<AccountSnapshot[]> {
  const rows = await tx.many<InternalAccount & PayerColumns & { platformId: Id<'platform'> }>(
    sql`select a.platform_id, ${ACCOUNT_PAYER_COLUMNS}, ${COLUMNS}
        from internal_accounts a join ${named} using (platform_id, id)
        left join customers c on c.platform_id = a.platform_id and c.id = a.customer_id
        order by a.platform_id, a.id for share of a`,
  )
  return rows.map((row) => splitPayer(tx.keyring, opened(tx, row)))
}

/** Reads the balances after the lock, because the payment that held it before may have changed them. */
export async function lockAccount(
  tx: Tx,
  platformId: Id<'platform'>,
  id: Id<'internalAccount'>,
): Promise<AccountWithBalances | undefined> {
  const wanted = sql`a.platform_id = ${platformId} and a.id = ${id}`
  const [, account] = await Promise.all([
    tx.maybe(sql`select a.id from internal_accounts a where ${wanted} for no key update of a`),
    findOne(tx, wanted),
  ])
  return account
}

/** Locks a customer's accounts in id order, then reads their balances, which no payment moves while they are locked. */
export async function lockCustomerAccounts(
  tx: Tx,
  platformId: Id<'platform'>,
  customerId: Id<'customer'>,
): Promise<AccountWithBalances[]> {
  const owned = sql`a.platform_id = ${platformId} and a.customer_id = ${customerId}`
  const [, accounts] = await Promise.all([
    tx.many(
      sql`select a.id from internal_accounts a where ${owned} order by a.id for no key update of a`,
    ),
    listWithBalances(tx, sql`${owned} order by a.id`),
  ])
  return accounts
}

export type AccountChange = Readonly<{
  id: Id<'internalAccount'>
  status: InternalAccountStatus
  at: Date
}>

type AccountsChange = Omit<AccountChange, 'id'> &
  Readonly<{ ids: readonly Id<'internalAccount'>[] }>

export async function saveStatuses(
  tx: Tx,
  platformId: Id<'platform'>,
  { ids, status, at }: AccountsChange,
): Promise<void> {
  await tx.run(
    sql`update internal_accounts set status = ${status}, updated_at = ${at}
        where platform_id = ${platformId} and id = any(${ids}::uuid[])`,
  )
}

export async function savePrivacy(
  tx: Tx,
  platformId: Id<'platform'>,
  { id, privateEnabled, at }: { id: Id<'internalAccount'>; privateEnabled: boolean; at: Date },
): Promise<void> {
  await tx.run(
    sql`update internal_accounts set private_enabled = ${privateEnabled}, updated_at = ${at}
        where platform_id = ${platformId} and id = ${id}`,
  )
}

export async function saveProvisioned(
  tx: Tx,
  platformId: Id<'platform'>,
  {
    id,
    status,
    at,
    instructions,
  }: AccountChange & { instructions: readonly PaymentInstructions[] },
): Promise<void> {
  await tx.run(
    sql`update internal_accounts set status = ${status}, funding_instructions = ${storedInstructions(tx, { id, instructions })}::jsonb,
          updated_at = ${at}
        where platform_id = ${platformId} and id = ${id}`,
  )
}

/** Takes all accounts of a deleted customer off the general list, and closes those in `ids`. */
export async function saveClosed(
  tx: Tx,
  platformId: Id<'platform'>,
  closing: { customerId: Id<'customer'>; ids: readonly Id<'internalAccount'>[]; at: Date },
): Promise<void> {
  const isClosed = sql`id = any(${closing.ids}::uuid[])`
  await tx.run(
    sql`update internal_accounts set listed = false,
          status = case when ${isClosed} then 'CLOSED' else status end,
          updated_at = case when ${isClosed} then ${closing.at}::timestamptz else updated_at end
        where platform_id = ${platformId} and customer_id = ${closing.customerId}`,
  )
}

export type AccountFilters = Readonly<{
  currency: string | undefined
  type: InternalAccountType | undefined
}>

/** No account has a currency outside the catalogue. */
const ofCurrency = (currency: string): Sql =>
  isCurrencyCode(currency) ? sql`a.currency = ${sql.word(currency)}` : sql`false`

const matching = (platformId: Id<'platform'>, { currency, type }: AccountFilters): Sql[] => [
  sql`a.platform_id = ${platformId}`,
  ...when(currency, ofCurrency),
  ...when(type, (word) => sql`a.type = ${sql.word(word)}`),
]

/** Accounts of a deleted customer are listed only under that customer (IACC-6). */
const ofCustomers = (customerId: Id<'customer'> | undefined): Sql =>
  customerId === undefined
    ? sql`a.customer_id is not null and a.listed`
    : sql`a.customer_id = ${customerId}`

export type CustomerAccountFilters = AccountFilters &
  Readonly<{
    customerId: Id<'customer'> | undefined
    /** Undefined: no restriction. */
    allowed: readonly Id<'internalAccount'>[] | undefined
  }>

const matchingOfCustomers = (
  platformId: Id<'platform'>,
  filters: CustomerAccountFilters,
): Sql[] => [
  ...matching(platformId, filters),
  ofCustomers(filters.customerId),
  ...when(filters.allowed, (ids) => sql`a.id = any(${ids}::uuid[])`),
]

/** Newest first. */
export async function listCustomerAccounts(
  tx: Tx,
  platformId: Id<'platform'>,
  page: Readonly<{ filters: CustomerAccountFilters }> & PageByCreation,
): Promise<AccountWithBalances[]> {
  const { filters, after, fetch } = page
  const conditions = [...matchingOfCustomers(platformId, filters), ...afterCreation(after)]
  return listWithBalances(tx, sql`${sql.and(conditions)} order by ${byCreation()} limit ${fetch}`)
}

export const countCustomerAccounts = (
  tx: Tx,
  platformId: Id<'platform'>,
  filters: CustomerAccountFilters,
): Promise<number> =>
  countCapped(
    tx,
    sql`internal_accounts a where ${sql.and(matchingOfCustomers(platformId, filters))}`,
  )

/** Not paged, because there is at most one account for each currency. */
export async function listPlatformAccounts(
  tx: Tx,
  platformId: Id<'platform'>,
  filters: AccountFilters,
): Promise<AccountWithBalances[]> {
  const conditions = [...matching(platformId, filters), sql`a.customer_id is null`]
  return listWithBalances(tx, sql`${sql.and(conditions)} order by ${byCreation()}`)
}
