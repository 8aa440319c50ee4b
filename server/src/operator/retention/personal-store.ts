// data table
/**
 * Every table that holds personal data of a customer: which rows are the customer's (OPER-73), and what an erasure keeps
 * of them (OPER-74). A feature that stores more of it adds a row; erase-customer.test.ts finds tables that are missing.
 */
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Id } from '../../kernel/ids.ts'

/** The ids of a customer and of everything that belongs to it. */
export type CustomerResources = Readonly<{
  platformId: Id<'platform'>
  customerId: Id<'customer'>
  internalAccountIds: readonly Id<'internalAccount'>[]
  externalAccountIds: readonly Id<'externalAccount'>[]
  verificationIds: readonly Id<'verification'>[]
  cardIds: readonly Id<'card'>[]
  transactionIds: readonly Id<'transaction'>[]
  /** Present and former ones. */
  umaAddresses: readonly string[]
  /** All these ids in the form of orders, screenings, exceptions and events: `Customer:…`, `Transaction:…`. */
  subjects: readonly string[]
}>

export type PersonalTable = Readonly<{
  table: string
  /** The condition on the customer's rows. */
  rows(ids: CustomerResources): Sql
  /** The `set` clause that empties the personal columns; without it the row is deleted. */
  set?: Sql
  /** Not exported, because it holds keys, proofs, or the records of others. */
  isWithheld?: true
}>

const ofCustomer = (ids: CustomerResources): Sql =>
  sql`platform_id = ${ids.platformId} and customer_id = ${ids.customerId}`

const among =
  (column: Sql, idsOf: (ids: CustomerResources) => readonly string[]) =>
  (ids: CustomerResources): Sql =>
    sql`platform_id = ${ids.platformId} and ${column} = any(${idsOf(ids)}::uuid[])`

const internal = (ids: CustomerResources): readonly string[] => ids.internalAccountIds
const external = (ids: CustomerResources): readonly string[] => ids.externalAccountIds
const cards = (ids: CustomerResources): readonly string[] => ids.cardIds
const transactions = (ids: CustomerResources): readonly string[] => ids.transactionIds
const verifications = (ids: CustomerResources): readonly string[] => ids.verificationIds

const bySubject = (ids: CustomerResources): Sql =>
  sql`platform_id = ${ids.platformId} and subject = any(${ids.subjects}::text[])`

const ofOrders = (ids: CustomerResources): Sql =>
  sql`platform_id = ${ids.platformId} and (transaction_id = any(${ids.transactionIds}::uuid[])
      or subject = any(${ids.subjects}::text[]))`

const byOrder = (ids: CustomerResources): Sql =>
  sql`platform_id = ${ids.platformId} and order_id in (select id from provider_orders where ${ofOrders(ids)})`

const byCredential = (ids: CustomerResources): Sql =>
  sql`platform_id = ${ids.platformId}
      and credential_id in (select id from wallet_credentials where ${ofCustomer(ids)})`

/** A side of a transaction without names and addresses; of an account its last four characters stay. */
const bareSide = (side: Sql): Sql =>
  sql`${side} - '{accountHolderName,remittanceInformation}'::text[]
    || case when ${side} ? 'umaAddress' then '{"umaAddress": ""}'::jsonb else '{}' end
    || case when ${side} ? 'accountIdentifier'
         then jsonb_build_object('accountIdentifier', right(${side} ->> 'accountIdentifier', 4)) else '{}' end`

const unlessUma = (identifier: Sql, side: Sql): Sql =>
  sql`case when ${side} ? 'umaAddress' then null else ${identifier} end`

const BARE_SIDES = sql`source = ${bareSide(sql`source`)}, destination = ${bareSide(sql`destination`)},
  source_identifier = ${unlessUma(sql`source_identifier`, sql`source`)},
  destination_identifier = ${unlessUma(sql`destination_identifier`, sql`destination`)}`

const uuidIn = (id: string): string => id.slice(id.indexOf(':') + 1)

/** Requests that mention the customer. One without any id, such as a refused creation, may be about this customer too. */
const ofRequests = (ids: CustomerResources): Sql =>
  sql`platform_id = ${ids.platformId} and content is not null
      and (mentions = '{}' or mentions && ${ids.subjects.map(uuidIn)}::uuid[])`

/** Not exported: the request log belongs to the platform. */
export const REQUESTS: PersonalTable = {
  table: 'request_log',
  rows: ofRequests,
  set: sql`content = null, mentions = '{}'`,
  isWithheld: true,
}

/** A table comes before the tables that its rows refer to. */
export const PERSONAL_TABLES: readonly PersonalTable[] = [
  REQUESTS,
  {
    table: 'verification_snapshot_documents',
    rows: (ids) =>
      sql`platform_id = ${ids.platformId} and snapshot_id in (select id from verification_snapshots
          where ${among(sql`verification_id`, verifications)(ids)})`,
  },
  { table: 'verification_snapshots', rows: among(sql`verification_id`, verifications) },
  {
    table: 'verifications',
    rows: ofCustomer,
    set: sql`errors = '[]', reviewer_entries = '[]', snapshot_id = null`,
  },
  {
    table: 'identity_decisions',
    rows: among(sql`verification_id`, verifications),
    set: sql`evidence = null`,
  },
  { table: 'kyc_links', rows: ofCustomer, isWithheld: true },
  { table: 'provider_file_links', rows: byOrder, isWithheld: true },
  { table: 'documents', rows: ofCustomer },
  { table: 'beneficial_owners', rows: ofCustomer },
  { table: 'contact_channels', rows: ofCustomer, isWithheld: true },
  { table: 'end_user_terms_consents', rows: ofCustomer, set: sql`ip_address = ''` },
  { table: 'sca_challenges', rows: ofCustomer, isWithheld: true },
  { table: 'sca_enrolments', rows: ofCustomer, isWithheld: true },
  { table: 'sca_passkeys', rows: ofCustomer, isWithheld: true },
  { table: 'sca_totp_factors', rows: ofCustomer, isWithheld: true },
  { table: 'sca_states', rows: ofCustomer },
  { table: 'wallet_otps', rows: byCredential, isWithheld: true },
  { table: 'wallet_used_tokens', rows: byCredential, isWithheld: true },
  { table: 'wallet_used_challenges', rows: among(sql`account_id`, internal), isWithheld: true },
  { table: 'wallet_requests', rows: among(sql`account_id`, internal), isWithheld: true },
  { table: 'wallet_sessions', rows: among(sql`account_id`, internal) },
  { table: 'wallet_credentials', rows: ofCustomer },
  { table: 'wallets', rows: ofCustomer, isWithheld: true },
  {
    table: 'delegated_keys',
    rows: among(sql`account_id`, internal),
    set: sql`nickname = ''`,
    isWithheld: true,
  },
  { table: 'card_vault', rows: among(sql`card_id`, cards), isWithheld: true },
  { table: 'card_reveals', rows: among(sql`card_id`, cards), isWithheld: true },
  {
    table: 'ownership_challenges',
    rows: among(sql`external_account_id`, external),
    set: sql`message = case when message is not null then '' end`,
  },
  {
    table: 'external_accounts',
    rows: ofCustomer,
    set: sql`account_info = null, duplicate_index = null, platform_account_id = null,
      beneficiary_verified_name = null, is_trusted = false, default_uma_deposit_account = false,
      deleted_at = coalesce(deleted_at, updated_at)`,
  },
  { table: 'funding_addresses', rows: among(sql`owner_id`, internal) },
  { table: 'internal_accounts', rows: ofCustomer, set: sql`funding_instructions = '[]'` },
  {
    table: 'balance_returns',
    rows: among(sql`account_id`, internal),
    set: sql`reason = ''`,
  },
  { table: 'uma_payer_data', rows: among(sql`transaction_id`, transactions) },
  {
    table: 'quotes',
    rows: among(sql`id`, transactions),
    set: sql`destination = ${bareSide(sql`destination`)}`,
  },
  {
    table: 'transactions',
    rows: ofCustomer,
    set: sql`${BARE_SIDES}, description = null, payment_reference = null, counterparty_information = null,
      payment_instructions = null`,
  },
  // Transactions of other customers that paid this one, or were paid by it.
  {
    table: 'transactions',
    rows: (ids) =>
      sql`platform_id in (select id from platforms) and (source_identifier = any(${ids.umaAddresses}::text[])
          or destination_identifier = any(${ids.umaAddresses}::text[]))`,
    set: sql`${BARE_SIDES}, counterparty_information = null`,
    isWithheld: true,
  },
  {
    table: 'lookups',
    rows: (ids) =>
      sql`platform_id in (select id from platforms) and receiver = any(${ids.umaAddresses}::text[])`,
  },
  {
    table: 'invitations',
    rows: (ids) => sql`platform_id = ${ids.platformId} and inviter_id = ${ids.customerId}`,
    set: sql`inviter_uma = '', first_name = null, invitee_uma = case when invitee_uma is not null then '' end`,
  },
  {
    table: 'invitations',
    rows: (ids) =>
      sql`invitee_platform_id = ${ids.platformId} and invitee_uma = any(${ids.umaAddresses}::text[])`,
    set: sql`first_name = null, invitee_uma = ''`,
  },
  {
    table: 'deposits',
    rows: (ids) =>
      sql`id = any(${ids.transactionIds}::uuid[]) or transaction_id = any(${ids.transactionIds}::uuid[])`,
    set: sql`sender = null, sender_account = null, reference = null`,
  },
  {
    table: 'agent_actions',
    rows: ofCustomer,
    set: sql`rejection_reason = null, wallet_stamp = null`,
  },
  { table: 'agents', rows: ofCustomer, set: sql`name = ''` },
  {
    table: 'stablecoin_operations',
    rows: (ids) =>
      sql`platform_id = ${ids.platformId} and (source_account_id = any(${ids.externalAccountIds}::uuid[])
          or destination_account_id = any(${ids.externalAccountIds}::uuid[]))`,
    set: sql`description = null`,
  },
  { table: 'screenings', rows: bySubject, set: sql`matches = null` },
  { table: 'alerts', rows: bySubject, set: sql`content = null` },
  { table: 'rescreenings', rows: bySubject },
  {
    table: 'exceptions',
    rows: (ids) => sql`(${byOrder(ids)}) or (${bySubject(ids)})`,
    set: sql`details = '{}', note = null`,
  },
  { table: 'order_reports', rows: byOrder, set: sql`content = null` },
  {
    table: 'provider_orders',
    rows: ofOrders,
    set: sql`body = null, sealed_secret = null, last_error = null`,
  },
  // An open proposal stays: its approval is refused, because the customer has changed since.
  {
    table: 'proposals',
    rows: (ids) =>
      sql`platform_id = ${ids.platformId} and resource = any(${ids.subjects}::text[]) and status <> 'PROPOSED'`,
    set: sql`sealed_input = null, sealed_result = null`,
    isWithheld: true,
  },
  { table: 'uma_addresses', rows: ofCustomer },
  { table: 'customer_currencies', rows: ofCustomer },
  {
    table: 'customers',
    rows: (ids) => sql`platform_id = ${ids.platformId} and id = ${ids.customerId}`,
    set: sql`uma_address = '', email = null, phone_number = null, email_status = null, phone_status = null,
      profile = case when customer_type = 'BUSINESS' then '{"businessInfo": {}}'::jsonb else '{}' end,
      identifier = null, identifier_index = null, consent = null, beneficial_owners = '[]', sealed_contact = null`,
  },
]

/** Tables about the customer whose columns are not personal data. */
const FURTHER_TABLES: readonly PersonalTable[] = [
  'cards',
  'card_transactions',
  'customer_holds',
  'review_flags',
  'sca_resets',
].map((table) => ({ table, rows: ofCustomer }))

/** The tables that answer an access request (OPER-77). */
export const EXPORTED_TABLES = [...PERSONAL_TABLES, ...FURTHER_TABLES].filter(
  ({ isWithheld }) => !isWithheld,
)
