import type { Id } from '../../kernel/ids.ts'
import type { AmountFilter, Period, WaitingPage } from '../../kernel/page.ts'
import {
  ENVIRONMENTS,
  environmentOfHouse,
  HOUSE_PLATFORM_IDS,
  type Environment,
} from '../../kernel/platform.ts'
import { sql, when, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import {
  afterPlace,
  beforePlace,
  countWaiting,
  inPeriod,
  inRange,
  ofPlatforms,
} from '../../infra/db/list-rows.ts'
import { FUNDING_ADDRESS_FIELDS } from '../internal-accounts/lists.ts'
import type { ArrivedMoney, Deposit, DepositSource } from './deposit.ts'

const houseOf = (environment: Environment): Id<'platform'> => HOUSE_PLATFORM_IDS[environment]

const HOUSES = ENVIRONMENTS.map(houseOf)

type Row = Omit<Deposit, 'money' | 'report' | 'environment' | 'source'> &
  Deposit['report'] &
  Readonly<{ platformId: Id<'platform'>; amount: bigint; currency: string }> &
  Readonly<{ providerId: Id<'provider'> | null; outsideId: string | null; digest: Buffer | null }>

const COLUMNS = sql`platform_id, id, status, reason, amount, currency, rail, trace, paid_to, reference, sender,
  provider_id, outside_id, digest, owner_platform_id, transaction_id, created_at, updated_at`

function fromRow({
  platformId,
  amount,
  currency,
  rail,
  trace,
  sender,
  reference,
  providerId,
  outsideId: depositId,
  digest,
  ...row
}: Row): Deposit {
  const isProvided = providerId !== null && depositId !== null && digest !== null
  return {
    ...row,
    source: isProvided ? { providerId, depositId, digest } : null,
    environment: environmentOfHouse(platformId),
    money: { amount, currency },
    report: { rail, trace, sender, reference, ...(providerId && { reportedBy: providerId }) },
  }
}

type NewDeposit = Readonly<{ status: 'PENDING' | 'UNATTRIBUTED'; at: Date }>

/** Answers false where the movement was reported before: its name on the rail, the provider's id, or its chain. */
export async function insertDeposit(
  tx: Tx,
  { environment, id, money, report, paidTo, source }: ArrivedMoney,
  { status, at }: NewDeposit,
): Promise<boolean> {
  const inserted = await tx.run(
    sql`insert into deposits (platform_id, id, status, amount, currency, rail, trace, paid_to, reference, sender,
          provider_id, outside_id, digest, created_at, updated_at)
        values (${houseOf(environment)}, ${id}, ${status}, ${money.amount}, ${money.currency}, ${report.rail},
          ${report.trace}, ${paidTo}, ${report.reference}, ${report.sender}, ${source?.providerId ?? null},
          ${source?.depositId ?? null}, ${source?.digest ?? null}, ${at}, ${at})
        on conflict do nothing`,
  )
  return inserted === 1
}

/** What was pending is final: the last word of the provider replaces the first (PROV-81). */
export function saveFinal(tx: Tx, { environment, id, report, source }: ArrivedMoney): void {
  tx.queueWrite(
    sql`update deposits set trace = ${report.trace}, reference = ${report.reference}, sender = ${report.sender},
          digest = ${source?.digest ?? null}
        where platform_id = ${houseOf(environment)} and id = ${id}`,
  )
}

export function saveDeposit(tx: Tx, deposit: Deposit): void {
  tx.queueWrite(
    sql`update deposits set status = ${deposit.status}, reason = ${deposit.reason},
          owner_platform_id = ${deposit.ownerPlatformId}, transaction_id = ${deposit.transactionId},
          updated_at = ${deposit.updatedAt}
        where platform_id = ${houseOf(deposit.environment)} and id = ${deposit.id}`,
  )
}

const inEither = (id: Id<'transaction'>): Sql =>
  sql`select ${COLUMNS} from deposits
      where platform_id = any(${HOUSES}::uuid[]) and id = ${id}`

export async function findDeposit(tx: Tx, id: Id<'transaction'>): Promise<Deposit | undefined> {
  const row = await tx.maybe<Row>(inEither(id))
  return row && fromRow(row)
}

export async function lockDeposit(tx: Tx, id: Id<'transaction'>): Promise<Deposit | undefined> {
  const row = await tx.maybe<Row>(sql`${inEither(id)} for no key update`)
  return row && fromRow(row)
}

/** A deposit by the provider's own id for it. */
export async function lockProvided(
  tx: Tx,
  { providerId, depositId }: Pick<DepositSource, 'providerId' | 'depositId'>,
): Promise<Deposit | undefined> {
  const row = await tx.maybe<Row>(
    sql`select ${COLUMNS} from deposits
        where provider_id = ${providerId} and outside_id = ${depositId} for no key update`,
  )
  return row && fromRow(row)
}

/** The deposit that has taken the same transaction of a chain, of any provider (PROV-87); in the words of its index. */
export async function findOnChain(
  tx: Tx,
  { environment, id, report: { rail, trace }, paidTo }: ArrivedMoney,
): Promise<Deposit | undefined> {
  const row = await tx.find<Row>(
    sql`select ${COLUMNS} from deposits
        where platform_id = ${houseOf(environment)} and rail = ${rail} and lower(trace) = lower(${trace})
          and lower(coalesce(paid_to, '')) = lower(coalesce(${paidTo}, '')) and id <> ${id}
          and rail in ('SOLANA', 'BASE', 'ETHEREUM', 'POLYGON', 'TRON', 'SPARK', 'BITCOIN', 'PLASMA')
          and status not in ('PENDING', 'DROPPED')`,
  )
  return row && fromRow(row)
}

/** The platform of a provider's deposit: its owner's, or the house platform. */
export async function findPlatformOfProvided(
  tx: Tx,
  { providerId, depositId }: Pick<DepositSource, 'providerId' | 'depositId'>,
): Promise<Id<'platform'> | undefined> {
  const row = await tx.find<{ id: Id<'platform'> }>(
    sql`select coalesce(owner_platform_id, platform_id) as id from deposits
        where provider_id = ${providerId} and outside_id = ${depositId}`,
  )
  return row?.id
}

/** What a provider took back of a deposit, under its own id. */
export type Reversal = Readonly<{
  reversalId: string
  amount: bigint
  reason: string
  digest: Buffer
}>

export const listReversals = (tx: Tx, { environment, id }: Deposit): Promise<Reversal[]> =>
  tx.many<Reversal>(
    sql`select reversal_id, amount, reason, digest from deposit_reversals
        where platform_id = ${houseOf(environment)} and deposit_id = ${id}`,
  )

export function insertReversal(
  tx: Tx,
  { environment, id }: Deposit,
  { reversalId, amount, reason, digest, at }: Reversal & Readonly<{ at: Date }>,
): void {
  tx.queueWrite(
    sql`insert into deposit_reversals (platform_id, deposit_id, reversal_id, amount, reason, digest, created_at)
        values (${houseOf(environment)}, ${id}, ${reversalId}, ${amount}, ${reason}, ${digest}, ${at})`,
  )
}

/** The deposits of a customer that wait for its data. */
export async function listAwaitingData(
  tx: Tx,
  platformId: Id<'platform'>,
  customerId: Id<'customer'>,
): Promise<Id<'transaction'>[]> {
  const rows = await tx.many<{ id: Id<'transaction'> }>(
    sql`select d.id from deposits d
        join transactions t on t.platform_id = d.owner_platform_id and t.id = d.id
        where d.owner_platform_id = ${platformId} and d.status = 'HELD' and d.reason = 'PROVIDER_DATA_MISSING'
          and t.customer_id = ${customerId}
        order by d.id`,
  )
  return rows.map(({ id }) => id)
}

const ofBothHouses = (ofHouse: (houseId: Id<'platform'>) => Sql, end: Sql): Sql =>
  sql`select * from (${sql.join(
    HOUSES.map((houseId) => sql`(${ofHouse(houseId)})`),
    ' union all ',
  )}) as found ${end}`

const TIME_AND_ID = sql`created_at, id`
const OWNER = sql`owner_platform_id`

/** What a list may be narrowed by beside platforms. */
type DepositFilters = Readonly<{
  status?: string | undefined
  period?: Period
  amount?: AmountFilter | undefined
  rail?: string | undefined
}>

type DepositPage = WaitingPage & DepositFilters

const narrowed = ({ status, period = {}, amount, rail }: DepositFilters): Sql =>
  sql.and([
    sql`true`,
    ...when(status, (one) => sql`status = ${one}`),
    ...inPeriod(period, sql`created_at`),
    ...inRange(amount, { amount: sql`amount`, currency: sql`currency` }),
    ...when(rail, (one) => sql`rail = ${one}`),
  ])

const waiting = ({ platformIds, after, limit, ...filters }: DepositPage): Sql => {
  const end = sql`order by created_at, id limit ${limit}`
  return ofBothHouses(
    (houseId) =>
      sql`select ${COLUMNS} from deposits
          where platform_id = ${houseId} and status in ('UNATTRIBUTED', 'HELD', 'RETURNING')
            and ${narrowed(filters)} ${ofPlatforms(platformIds, OWNER)} ${afterPlace(after, TIME_AND_ID)} ${end}`,
    end,
  )
}

const newest = ({ platformIds, after, limit, ...filters }: DepositPage): Sql => {
  const end = sql`order by created_at desc, id desc limit ${limit}`
  return ofBothHouses(
    (houseId) =>
      sql`select ${COLUMNS} from deposits
          where platform_id = ${houseId} and ${narrowed(filters)}
            ${ofPlatforms(platformIds, OWNER)} ${beforePlace(after, TIME_AND_ID)} ${end}`,
    end,
  )
}

/** Deposits that wait for the operator, oldest first; or all, newest first. */
export async function listDeposits(
  tx: Tx,
  { isAll, ...page }: DepositPage & Readonly<{ isAll: boolean }>,
): Promise<Deposit[]> {
  const rows = await tx.many<Row>(isAll ? newest(page) : waiting(page))
  return rows.map(fromRow)
}

export const countWaitingDeposits = (tx: Tx, bound: { atMost: number }): Promise<number> =>
  countWaiting(tx, waiting, bound)

/** The owner of a number, an address or a reference. */
export type FundingOwner = Readonly<{ platformId: Id<'platform'>; field: string; value: string }> &
  Readonly<
    { kind: 'internalAccount'; id: Id<'internalAccount'> } | { kind: 'quote'; id: Id<'quote'> }
  > &
  /** The customer's name in the API; null for the platform. */
  Readonly<{ customerId: string | null }>

type FundingSearch = Readonly<{
  environment: Environment
  /** Null: all of the environment. */
  platformIds: readonly Id<'platform'>[] | null
  addresses: readonly string[]
  references: readonly string[]
}>

/** Searches many platforms, because the owner is not known yet. Addresses match in any case. */
export function findFundingOwners(
  tx: Tx,
  { environment, platformIds, addresses, references }: FundingSearch,
): Promise<FundingOwner[]> {
  const fields = FUNDING_ADDRESS_FIELDS.filter((field) => field !== 'reference')
  return tx.many<FundingOwner>(
    sql`select f.platform_id, f.field, f.value, f.owner_kind as kind, f.owner_id as id,
          coalesce('Customer:' || a.customer_id, q.source ->> 'customerId') as customer_id
        from (
          select * from funding_addresses
          where field = any(${fields}::text[]) and lower(value) = any(${addresses.map((one) => one.toLowerCase())}::text[])
          union all
          select * from funding_addresses where field = 'reference' and value = any(${references}::text[])
        ) as f
        join platforms p on p.id = f.platform_id and p.environment = ${environment}
          and (${platformIds}::uuid[] is null or p.id = any(${platformIds}::uuid[]))
        left join internal_accounts a
          on f.owner_kind = 'internalAccount' and a.platform_id = f.platform_id and a.id = f.owner_id
        left join quotes q on f.owner_kind = 'quote' and q.platform_id = f.platform_id and q.id = f.owner_id`,
  )
}

/** The owner of a payment link, by its reference, because the service's address may have changed since. */
export async function findLinkOwner(
  tx: Tx,
  reference: string,
): Promise<Readonly<{ platformId: Id<'platform'>; id: Id<'internalAccount'> }> | undefined> {
  const [owner, ...others] = await tx.many<{
    platformId: Id<'platform'>
    id: Id<'internalAccount'>
  }>(
    sql`select f.platform_id, f.owner_id as id from funding_addresses f
        where f.field = 'paymentUrl' and right(f.value, 18) = ${`/pay/${reference}`}
          and f.owner_kind = 'internalAccount'`,
  )
  return others.length === 0 ? owner : undefined
}
