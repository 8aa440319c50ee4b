// data table
/**
 * OPER-73: every table that holds personal data of a customer: which rows are the customer's, and what is left of them
 * after an erasure (OPER-74). A feature that stores more of it adds a row; erase-customer.test.ts finds what is missing.
 */
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Id } from '../../kernel/ids.ts'

/** A customer, and the ids of everything of its own. */
export type Belongings = Readonly<{
  platformId: Id<'platform'>
  customerId: Id<'customer'>
  internalAccountIds: readonly Id<'internalAccount'>[]
  externalAccountIds: readonly Id<'externalAccount'>[]
  verificationIds: readonly Id<'verification'>[]
  cardIds: readonly Id<'card'>[]
  transactionIds: readonly Id<'transaction'>[]
  /** Its own now and before. */
  umaAddresses: readonly string[]
  /** All of it as orders, screenings, exceptions and events name it: `Customer:…`, `Transaction:…`. */
  subjects: readonly string[]
}>

export type PersonalTable = Readonly<{
  table: string
  /** The condition on the customer's rows. */
  rows(of: Belongings): Sql
  /** The columns that change, as in `set`; without it the row is deleted. */
  leaves?: Sql
  /** An export leaves it out: keys and proofs, or the records of others. */
  isWithheld?: true
}>

const ofCustomer = (of: Belongings): Sql =>
  sql`platform_id = ${of.platformId} and customer_id = ${of.customerId}`

const among =
  (column: Sql, idsOf: (of: Belongings) => readonly string[]) =>
  (of: Belongings): Sql =>
    sql`platform_id = ${of.platformId} and ${column} = any(${idsOf(of)}::uuid[])`

const internal = (of: Belongings): readonly string[] => of.internalAccountIds
const external = (of: Belongings): readonly string[] => of.externalAccountIds
const cards = (of: Belongings): readonly string[] => of.cardIds
const transactions = (of: Belongings): readonly string[] => of.transactionIds
const verifications = (of: Belongings): readonly string[] => of.verificationIds

const bySubject = (of: Belongings): Sql =>
  sql`platform_id = ${of.platformId} and subject = any(${of.subjects}::text[])`

const ofOrders = (of: Belongings): Sql =>
  sql`platform_id = ${of.platformId} and (transaction_id = any(${of.transactionIds}::uuid[])
      or subject = any(${of.subjects}::text[]))`

const byOrder = (of: Belongings): Sql =>
  sql`platform_id = ${of.platformId} and order_id in (select id from provider_orders where ${ofOrders(of)})`

const byCredential = (of: Belongings): Sql =>
  sql`platform_id = ${of.platformId}
      and credential_id in (select id from wallet_credentials where ${ofCustomer(of)})`

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

/** What was sent and answered about it; what names nothing at all, as a refused creation, may be about anybody. */
const ofRequests = (of: Belongings): Sql =>
  sql`platform_id = ${of.platformId} and content is not null
      and (mentions = '{}' or mentions && ${of.subjects.map(uuidIn)}::uuid[])`

/** Records of the platform rather than of the customer. */
export const REQUESTS: PersonalTable = {
  table: 'request_log',
  rows: ofRequests,
  leaves: sql`content = null, mentions = '{}'`,
  isWithheld: true,
}

/** Rows that refer to others come before them. */
export const PERSONAL_TABLES: readonly PersonalTable[] = [
  REQUESTS,
  {
    table: 'verification_snapshot_documents',
    rows: (of) =>
      sql`platform_id = ${of.platformId} and snapshot_id in (select id from verification_snapshots
          where ${among(sql`verification_id`, verifications)(of)})`,
  },
  { table: 'verification_snapshots', rows: among(sql`verification_id`, verifications) },
  {
    table: 'verifications',
    rows: ofCustomer,
    leaves: sql`errors = '[]', reviewer_entries = '[]', snapshot_id = null`,
  },
  {
    table: 'identity_decisions',
    rows: among(sql`verification_id`, verifications),
    leaves: sql`evidence = null`,
  },
  { table: 'kyc_links', rows: ofCustomer, isWithheld: true },
  { table: 'provider_file_links', rows: byOrder, isWithheld: true },
  { table: 'documents', rows: ofCustomer },
  { table: 'beneficial_owners', rows: ofCustomer },
  { table: 'contact_channels', rows: ofCustomer, isWithheld: true },
  { table: 'end_user_terms_consents', rows: ofCustomer, leaves: sql`ip_address = ''` },
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
    leaves: sql`nickname = ''`,
    isWithheld: true,
  },
  { table: 'card_vault', rows: among(sql`card_id`, cards), isWithheld: true },
  { table: 'card_reveals', rows: among(sql`card_id`, cards), isWithheld: true },
  {
    table: 'ownership_challenges',
    rows: among(sql`external_account_id`, external),
    leaves: sql`message = case when message is not null then '' end`,
  },
  {
    table: 'external_accounts',
    rows: ofCustomer,
    leaves: sql`account_info = null, duplicate_index = null, platform_account_id = null,
      beneficiary_verified_name = null, is_trusted = false, default_uma_deposit_account = false,
      deleted_at = coalesce(deleted_at, updated_at)`,
  },
  { table: 'funding_addresses', rows: among(sql`owner_id`, internal) },
  { table: 'internal_accounts', rows: ofCustomer, leaves: sql`funding_instructions = '[]'` },
  {
    table: 'balance_returns',
    rows: among(sql`account_id`, internal),
    leaves: sql`reason = ''`,
  },
  { table: 'uma_payer_data', rows: among(sql`transaction_id`, transactions) },
  {
    table: 'quotes',
    rows: among(sql`id`, transactions),
    leaves: sql`destination = ${bareSide(sql`destination`)}`,
  },
  {
    table: 'transactions',
    rows: ofCustomer,
    leaves: sql`${BARE_SIDES}, description = null, payment_reference = null, counterparty_information = null,
      payment_instructions = null`,
  },
  // Records of others that paid the customer, or were paid by it, here.
  {
    table: 'transactions',
    rows: (of) =>
      sql`platform_id in (select id from platforms) and (source_identifier = any(${of.umaAddresses}::text[])
          or destination_identifier = any(${of.umaAddresses}::text[]))`,
    leaves: sql`${BARE_SIDES}, counterparty_information = null`,
    isWithheld: true,
  },
  {
    table: 'lookups',
    rows: (of) =>
      sql`platform_id in (select id from platforms) and receiver = any(${of.umaAddresses}::text[])`,
  },
  {
    table: 'invitations',
    rows: (of) => sql`platform_id = ${of.platformId} and inviter_id = ${of.customerId}`,
    leaves: sql`inviter_uma = '', first_name = null, invitee_uma = case when invitee_uma is not null then '' end`,
  },
  {
    table: 'invitations',
    rows: (of) =>
      sql`invitee_platform_id = ${of.platformId} and invitee_uma = any(${of.umaAddresses}::text[])`,
    leaves: sql`first_name = null, invitee_uma = ''`,
  },
  {
    table: 'deposits',
    rows: (of) =>
      sql`id = any(${of.transactionIds}::uuid[]) or transaction_id = any(${of.transactionIds}::uuid[])`,
    leaves: sql`sender = null, sender_account = null, reference = null`,
  },
  {
    table: 'agent_actions',
    rows: ofCustomer,
    leaves: sql`rejection_reason = null, wallet_stamp = null`,
  },
  { table: 'agents', rows: ofCustomer, leaves: sql`name = ''` },
  {
    table: 'stablecoin_operations',
    rows: (of) =>
      sql`platform_id = ${of.platformId} and (source_account_id = any(${of.externalAccountIds}::uuid[])
          or destination_account_id = any(${of.externalAccountIds}::uuid[]))`,
    leaves: sql`description = null`,
  },
  { table: 'screenings', rows: bySubject, leaves: sql`matches = null` },
  { table: 'alerts', rows: bySubject, leaves: sql`content = null` },
  { table: 'rescreenings', rows: bySubject },
  {
    table: 'exceptions',
    rows: (of) => sql`(${byOrder(of)}) or (${bySubject(of)})`,
    leaves: sql`details = '{}', note = null`,
  },
  { table: 'order_reports', rows: byOrder, leaves: sql`content = null` },
  {
    table: 'provider_orders',
    rows: ofOrders,
    leaves: sql`body = null, sealed_secret = null, last_error = null`,
  },
  // One that waits finds another customer than it was made for, and is refused when it is approved.
  {
    table: 'proposals',
    rows: (of) =>
      sql`platform_id = ${of.platformId} and resource = any(${of.subjects}::text[]) and status <> 'PROPOSED'`,
    leaves: sql`sealed_input = null, sealed_result = null`,
    isWithheld: true,
  },
  { table: 'uma_addresses', rows: ofCustomer },
  { table: 'customer_currencies', rows: ofCustomer },
  {
    table: 'customers',
    rows: (of) => sql`platform_id = ${of.platformId} and id = ${of.customerId}`,
    leaves: sql`uma_address = '', email = null, phone_number = null, email_status = null, phone_status = null,
      profile = case when customer_type = 'BUSINESS' then '{"businessInfo": {}}'::jsonb else '{}' end,
      identifier = null, identifier_index = null, consent = null, beneficial_owners = '[]', sealed_contact = null`,
  },
]

/** What is about the customer and not personal in itself. */
const FURTHER_TABLES: readonly PersonalTable[] = [
  'cards',
  'card_transactions',
  'customer_holds',
  'review_flags',
  'sca_resets',
].map((table) => ({ table, rows: ofCustomer }))

/** What an access request is answered with (OPER-77). */
export const EXPORTED_TABLES = [...PERSONAL_TABLES, ...FURTHER_TABLES].filter(
  ({ isWithheld }) => !isWithheld,
)
