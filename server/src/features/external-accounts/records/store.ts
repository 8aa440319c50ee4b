import type { Id } from '../../../kernel/ids.ts'
import type { PageByCreation } from '../../../kernel/page.ts'
import { afterCreation, byCreation, countCapped } from '../../../infra/db/list-rows.ts'
import { sql, when, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { PaymentAccount, Reach } from '../external-account.ts'
import type { BeneficiaryVerificationStatus } from '../status/name-verification.ts'
import type { ExternalAccountStatus } from '../ownership/rules.ts'
import type { SealedAccount } from './sealing.ts'

type PlatformId = Id<'platform'>
type AccountId = Id<'externalAccount'>

const PAYMENT_COLUMNS = sql`id, customer_id, account_type, currency, status, identified_by, payment_rails,
  payment_suffix, invoice_amount, is_trusted, deleted_at, not listed as is_owner_deleted`
const COLUMNS = sql`${PAYMENT_COLUMNS}, platform_account_id, ownership_type, default_uma_deposit_account, account_info,
  beneficiary_verification_status, beneficiary_verified_name, created_at, updated_at`

function within(reach: Reach): Sql {
  if (reach === 'all') return sql`true`
  return reach === 'platform' ? sql`customer_id is null` : sql`customer_id = ${reach.customerId}`
}

export type NewExternalAccount = SealedAccount &
  Readonly<{
    duplicateIndex: Buffer
    /** The agent that creates the account; null for the platform. */
    agentId: Id<'agent'> | null
  }>

/** False if the owner has the same account already (EACC-10). */
export async function insertExternalAccount(
  tx: Tx,
  platformId: PlatformId,
  account: NewExternalAccount,
): Promise<boolean> {
  const inserted = await tx.run(
    sql`insert into external_accounts (platform_id, id, customer_id, account_type, currency, status,
          platform_account_id, ownership_type, default_uma_deposit_account, account_info, duplicate_index,
          identified_by, payment_rails, payment_suffix, invoice_amount, beneficiary_verification_status,
          beneficiary_verified_name, agent_id, created_at, updated_at)
        values (${platformId}, ${account.id}, ${account.customerId}, ${account.accountType}, ${account.currency},
          ${account.status}, ${account.platformAccountId}, ${account.ownershipType},
          ${account.defaultUmaDepositAccount}, ${account.accountInfo}, ${account.duplicateIndex},
          ${account.identifiedBy}, ${account.paymentRails}::text[], ${account.paymentSuffix},
          ${account.invoiceAmount}, ${account.beneficiaryVerificationStatus}, ${account.beneficiaryVerifiedName},
          ${account.agentId}, ${account.createdAt}, ${account.updatedAt})
        on conflict (platform_id, customer_id, duplicate_index) where deleted_at is null do nothing`,
  )
  return inserted === 1
}

/** The owner's account with one of these digests; there is one digest per master key. */
export async function findDuplicate(
  tx: Tx,
  platformId: PlatformId,
  { customerId, indexes }: { customerId: Id<'customer'> | null; indexes: readonly Buffer[] },
): Promise<AccountId | undefined> {
  const row = await tx.maybe<{ id: AccountId }>(
    sql`select id from external_accounts
        where platform_id = ${platformId} and ${within(customerId ? { customerId } : 'platform')}
          and duplicate_index = any(${indexes}::bytea[]) and deleted_at is null
        order by id limit 1`,
  )
  return row?.id
}

export async function findAccount(
  tx: Tx,
  platformId: PlatformId,
  { id, reach }: { id: AccountId; reach: Reach },
): Promise<SealedAccount | undefined> {
  return tx.find<SealedAccount>(
    sql`select ${COLUMNS} from external_accounts
        where platform_id = ${platformId} and id = ${id} and deleted_at is null and ${within(reach)}`,
  )
}

/** Finds deleted accounts too: a payment that was accepted before the deletion is still paid. */
export async function findAnyAccount(
  tx: Tx,
  platformId: PlatformId,
  id: AccountId,
): Promise<SealedAccount | undefined> {
  return tx.find<SealedAccount>(
    sql`select ${COLUMNS} from external_accounts where platform_id = ${platformId} and id = ${id}`,
  )
}

/** The key lock prevents deletion of the owner until the transaction ends, as in listSideAccounts. */
export async function lockAccountForUse(
  tx: Tx,
  platformId: PlatformId,
  id: AccountId,
): Promise<SealedAccount | undefined> {
  return tx.maybe<SealedAccount>(
    sql`select ${COLUMNS} from external_accounts
        where platform_id = ${platformId} and id = ${id} and deleted_at is null for key share`,
  )
}

export async function lockAccount(
  tx: Tx,
  platformId: PlatformId,
  { id, reach }: { id: AccountId; reach: Reach },
): Promise<SealedAccount | undefined> {
  return tx.maybe<SealedAccount>(
    sql`select ${COLUMNS} from external_accounts
        where platform_id = ${platformId} and id = ${id} and deleted_at is null and ${within(reach)}
        for no key update`,
  )
}

/** Locks an invoice, deleted or not, since payments to it may still be under way. */
export async function lockInvoice(
  tx: Tx,
  platformId: PlatformId,
  id: AccountId,
): Promise<SealedAccount | undefined> {
  return tx.maybe<SealedAccount>(
    sql`select ${COLUMNS} from external_accounts
        where platform_id = ${platformId} and id = ${id} and identified_by = 'invoice'
        for no key update`,
  )
}

export async function findDefaultAccount(
  tx: Tx,
  platformId: PlatformId,
  customerId: Id<'customer'>,
): Promise<PaymentAccount | undefined> {
  return tx.find<PaymentAccount>(
    sql`select ${PAYMENT_COLUMNS} from external_accounts
        where platform_id = ${platformId} and customer_id = ${customerId}
          and default_uma_deposit_account and deleted_at is null`,
  )
}

/** Waits until the commit of another new default of the customer, so that of two one remains (EACC-12). */
export async function clearDefault(
  tx: Tx,
  platformId: PlatformId,
  { customerId, at }: { customerId: Id<'customer'>; at: Date },
): Promise<void> {
  const name = `default account of ${customerId}`
  // The second statement sees the changes that the previous holder of the lock committed.
  await Promise.all([
    tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`),
    tx.run(
      sql`update external_accounts set default_uma_deposit_account = false, updated_at = ${at}
          where platform_id = ${platformId} and customer_id = ${customerId}
            and default_uma_deposit_account and deleted_at is null`,
    ),
  ])
}

export async function saveStatus(
  tx: Tx,
  platformId: PlatformId,
  { id, status, at }: { id: AccountId; status: ExternalAccountStatus; at: Date },
): Promise<void> {
  await tx.run(
    sql`update external_accounts set status = ${status}, updated_at = ${at}
        where platform_id = ${platformId} and id = ${id}`,
  )
}

type NameCheck = Readonly<{
  id: AccountId
  status: BeneficiaryVerificationStatus
  name: string | null
  at: Date
}>

/** Queued for the commit. */
export function saveNameCheck(
  tx: Tx,
  platformId: PlatformId,
  { id, status, name, at }: NameCheck,
): void {
  tx.queueWrite(
    sql`update external_accounts set beneficiary_verification_status = ${status}, beneficiary_verified_name = ${name},
          updated_at = ${at}
        where platform_id = ${platformId} and id = ${id}`,
  )
}

export async function saveTrust(
  tx: Tx,
  platformId: PlatformId,
  { id, isTrusted }: { id: AccountId; isTrusted: boolean },
): Promise<void> {
  await tx.run(
    sql`update external_accounts set is_trusted = ${isTrusted}
        where platform_id = ${platformId} and id = ${id}`,
  )
}

export async function markDeleted(
  tx: Tx,
  platformId: PlatformId,
  { id, at }: { id: AccountId; at: Date },
): Promise<void> {
  await tx.run(
    sql`update external_accounts set deleted_at = ${at}, default_uma_deposit_account = false
        where platform_id = ${platformId} and id = ${id}`,
  )
}

/** The owner `customers` means all customers that are not deleted. */
export type ListFilters = Readonly<{
  owner: 'customers' | 'platform' | Readonly<{ customerId: Id<'customer'> }>
  currency: string | undefined
}>

function matching(platformId: PlatformId, { owner, currency }: ListFilters): Sql[] {
  return [
    sql`platform_id = ${platformId}`,
    sql`deleted_at is null`,
    owner === 'customers' ? sql`customer_id is not null and listed` : within(owner),
    ...when(currency, (code) => sql`currency = ${code}`),
  ]
}

/** Newest first. */
export async function listAccounts(
  tx: Tx,
  platformId: PlatformId,
  page: Readonly<{ filters: ListFilters }> & PageByCreation,
): Promise<SealedAccount[]> {
  const { filters, after, fetch } = page
  const conditions = [...matching(platformId, filters), ...afterCreation(after)]
  return tx.many<SealedAccount>(
    sql`select ${COLUMNS} from external_accounts where ${sql.and(conditions)}
        order by ${byCreation()} limit ${fetch}`,
  )
}

export const countAccounts = (
  tx: Tx,
  platformId: PlatformId,
  filters: ListFilters,
): Promise<number> =>
  countCapped(tx, sql`external_accounts where ${sql.and(matching(platformId, filters))}`)

/** For the operator, who gives an account's id without its platform. */
export async function findPlatformOfAccount(
  tx: Tx,
  id: AccountId,
): Promise<PlatformId | undefined> {
  const row = await tx.find<{ platformId: PlatformId }>(
    sql`select platform_id from external_accounts where id = ${id} and deleted_at is null`,
  )
  return row?.platformId
}

const ofOwner = (platformId: PlatformId, customerId: Id<'customer'>): Sql =>
  sql`platform_id = ${platformId} and customer_id = ${customerId} and deleted_at is null`

/**
 * Locks a customer's accounts in id order and as strongly as deleting the rows would: payments and pulls hold key
 * locks on them, which an update alone does not wait for.
 */
export async function lockAccountsOfOwner(
  tx: Tx,
  platformId: PlatformId,
  customerId: Id<'customer'>,
): Promise<void> {
  await tx.run(
    sql`select id from external_accounts where ${ofOwner(platformId, customerId)} order by id for update`,
  )
}

/** The caller holds lockAccountsOfOwner. */
export async function closeAccounts(
  tx: Tx,
  platformId: PlatformId,
  customerId: Id<'customer'>,
): Promise<void> {
  await tx.run(
    sql`update external_accounts set listed = false where ${ofOwner(platformId, customerId)}`,
  )
}
