// data table
/**
 * Every column with sealed values, and the context that binds each value to its row (CORE-90). A feature that seals
 * another column adds a row; keys.test.ts finds columns that are missing here.
 */
import type { Keyring } from '../../crypto/keyring.ts'
import {
  columnsBesideContact,
  indexIdentifier,
  SEALED_CONTACT,
  type Contact,
} from '../../features/customers/index.ts'
import { indexOfInfo } from '../../features/external-accounts/index.ts'
import { indexNickname, SEALED_NICKNAME } from '../../features/wallet-auth/index.ts'
import { SEALED_JSON } from '../../infra/db/sealed-json.ts'

export type KeyColumn = Readonly<{ name: string; type: 'uuid' | 'text' | 'integer' }>

/** Columns that are written with a sealed value: keyed digests by which equal ones are found, and what replaces plain data. */
export type BesideColumns = Readonly<{
  columns: readonly string[]
  /** Further columns that they are made of. */
  reads?: readonly string[]
  /** The values of `columns`, in order. */
  make(
    keyring: Keyring,
    opened: Buffer,
    read: Readonly<Record<string, string>>,
  ): readonly (Buffer | string | boolean | null)[]
}>

/** Where rows hold the same in plain unless SEAL_CONTACT_DATA is on (OPER-78). */
type PlainForm = Readonly<{
  /** In SQL: the rows that do. */
  where: string
  /** In SQL: the text that is sealed. */
  content: string
  /** The columns that the opened text stands for. */
  columns(text: string): Readonly<Record<string, unknown>>
}>

export type SealedColumn = Readonly<{
  table: string
  column: string
  purpose: string
  /** The row's primary key. */
  key: readonly KeyColumn[]
  /** In SQL: the text that a value was sealed for, usually the row's id. */
  context: string
  /** In SQL: the rows whose value is sealed, where that is not all that have one. */
  where?: string
  /** Each element is sealed by itself. */
  isList?: true
  /** A column of JSON, which holds the value as a string of base64. */
  isJson?: true
  beside?: BesideColumns
  plain?: PlainForm
}>

const uuid = (name: string): KeyColumn => ({ name, type: 'uuid' })
const text = (name: string): KeyColumn => ({ name, type: 'text' })
const integer = (name: string): KeyColumn => ({ name, type: 'integer' })

/** A column of a platform's table whose row is called by one more id, for which its values are sealed. */
const ofRow = (
  table: string,
  id: string,
  column: Pick<SealedColumn, 'column' | 'purpose'> & Partial<SealedColumn>,
): SealedColumn => ({
  table,
  key: [uuid('platform_id'), uuid(id)],
  context: `${id}::text`,
  ...column,
})

/** A column of a provider's registration, sealed for its id. */
const ofProvider = (column: string, purpose: string): SealedColumn => ({
  table: 'providers',
  column,
  purpose,
  key: [uuid('id')],
  context: 'id::text',
})

/** JSON of the row `id`, in plain or sealed; what is empty stays as it is. */
const ofJson = (
  table: string,
  column: string,
  purpose: keyof typeof SEALED_JSON,
): SealedColumn => ({
  ...ofRow(table, 'id', { column, purpose: SEALED_JSON[purpose] }),
  isJson: true,
  where: `left(${column}::text, 1) = '"'`,
  plain: {
    where: `left(${column}::text, 1) <> '"' and ${column}::text not in ('[]', '{}')`,
    content: `${column}::text`,
    columns: (text) => ({ [column]: JSON.parse(text) as unknown }),
  },
})

const CONTACT_COLUMNS = ['platform_customer_id', 'email', 'phone_number', 'profile'] as const

const contactIn = (text: string): Contact => JSON.parse(text) as Contact

const withNickname = (table: string): SealedColumn =>
  ofRow(table, 'id', {
    column: 'sealed_nickname',
    purpose: SEALED_NICKNAME,
    beside: {
      columns: ['nickname'],
      make: (keyring, opened) => [indexNickname(keyring, opened.toString('utf8'))],
    },
    plain: {
      where: 'sealed_nickname is null',
      content: 'nickname',
      columns: (text) => ({ nickname: text }),
    },
  })

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  ofProvider('sealed_config', 'provider-config'),
  ofProvider('sealed_secret', 'provider-secret'),
  ofProvider('sealed_former_secret', 'provider-secret'),
  {
    table: 'provider_messages',
    column: 'sealed_answer',
    purpose: 'provider-answer',
    key: [uuid('provider_id'), text('message_id')],
    context: "provider_id || '/' || message_id",
  },
  {
    table: 'platforms',
    column: 'webhook_private_key',
    purpose: 'webhook-signing-key',
    key: [uuid('id')],
    context: 'id::text',
    where: "kind <> 'HOUSE'",
  },
  {
    table: 'wallet_signers',
    column: 'scalar',
    purpose: 'wallet-signer',
    key: [text('environment')],
    context: 'environment',
  },
  {
    table: 'idempotency_keys',
    column: 'body',
    purpose: 'idempotent-reply',
    key: [uuid('platform_id'), text('scope'), text('key')],
    context: "platform_id || '/' || scope || '/' || key",
    where: 'sealed',
    beside: { columns: ['sealed'], make: () => [true] },
    plain: {
      where: 'not sealed and body is not null',
      content: "convert_from(body, 'UTF8')",
      columns: (text) => ({ body: text }),
    },
  },
  {
    ...ofJson('event_rows', 'whole_body', 'eventBody'),
    beside: { columns: ['data', 'base_id'], make: () => [null, null] },
    // In the order of ids an event comes before the one whose data it needs.
    plain: {
      where: `(whole_body is null or left(whole_body, 1) <> '"')`,
      content: `(select e.body from events e where e.platform_id = event_rows.platform_id and e.id = event_rows.id)`,
      columns: (text) => ({ body: text }),
    },
  },
  ofRow('customers', 'id', {
    column: 'identifier',
    purpose: 'customer-identifier',
    beside: {
      columns: ['identifier_index'],
      make: (keyring, opened) => [indexIdentifier(keyring, opened.toString('utf8'))],
    },
  }),
  ofRow('customers', 'id', {
    column: 'sealed_contact',
    purpose: SEALED_CONTACT,
    beside: {
      columns: CONTACT_COLUMNS,
      make(keyring, opened) {
        const beside = columnsBesideContact(keyring, contactIn(opened.toString('utf8')))
        return CONTACT_COLUMNS.map((name) => beside[name])
      },
    },
    plain: {
      where: 'sealed_contact is null and erased_at is null',
      content: `jsonb_build_object('platformCustomerId', platform_customer_id, 'email', email,
        'phoneNumber', phone_number, 'profile', profile)::text`,
      columns(text) {
        const { platformCustomerId, email, phoneNumber, profile } = contactIn(text)
        return {
          platform_customer_id: platformCustomerId,
          email,
          phone_number: phoneNumber,
          profile,
        }
      },
    },
  }),
  ofJson('customers', 'beneficial_owners', 'customerOwners'),
  ofJson('internal_accounts', 'funding_instructions', 'fundingInstructions'),
  ofJson('transactions', 'payment_instructions', 'paymentInstructions'),
  ofJson('transactions', 'counterparty_information', 'counterparty'),
  ofRow('external_accounts', 'id', {
    column: 'account_info',
    purpose: 'external-account',
    beside: {
      columns: ['duplicate_index'],
      reads: ['currency', 'identified_by'],
      make: (keyring, opened, { currency = '', identified_by: identifiedBy = '' }) => [
        indexOfInfo(keyring, { currency, identifiedBy, opened }),
      ],
    },
  }),
  ofRow('beneficial_owners', 'id', {
    column: 'identifier',
    purpose: 'beneficial-owner-identifier',
  }),
  ofJson('beneficial_owners', 'personal_info', 'ownerInfo'),
  withNickname('wallet_credentials'),
  withNickname('wallet_sessions'),
  ofRow('documents', 'id', { column: 'document_number', purpose: 'document-number' }),
  ofRow('verification_snapshots', 'id', { column: 'content', purpose: 'verification-snapshot' }),
  ofRow('stablecoin_provider_accounts', 'id', {
    column: 'credentials',
    purpose: 'stablecoin-provider-credentials',
  }),
  ofRow('uma_payer_data', 'transaction_id', { column: 'data', purpose: 'uma-payer-data' }),
  ofRow('wallets', 'account_id', { column: 'seed', purpose: 'wallet-seed' }),
  ofRow('wallet_otps', 'credential_id', {
    column: 'target_scalar',
    purpose: 'wallet-otp-target',
    context: 'id::text',
  }),
  ofRow('wallet_requests', 'id', { column: 'body', purpose: 'wallet-request-body' }),
  ofRow('wallet_requests', 'id', { column: 'reply', purpose: 'wallet-request-reply' }),
  ofRow('delegated_keys', 'id', { column: 'private_key', purpose: 'delegated-key' }),
  ofRow('sca_totp_factors', 'customer_id', {
    column: 'secret',
    purpose: 'sca-totp',
    context: "'totp of ' || customer_id",
  }),
  ofRow('sca_totp_factors', 'customer_id', {
    column: 'recovery_codes',
    purpose: 'sca-recovery',
    context: "'recovery of ' || customer_id",
    isList: true,
  }),
  {
    table: 'sca_enrolments',
    column: 'secret',
    purpose: 'sca-enrolment',
    key: [uuid('platform_id'), uuid('customer_id'), text('factor')],
    context: "factor || ' enrolment of ' || customer_id",
  },
  ofRow('sca_challenges', 'id', { column: 'sms', purpose: 'sca-sms' }),
  ofRow('request_log', 'id', { column: 'content', purpose: 'request-log' }),
  ofRow('card_vault', 'card_id', { column: 'sealed', purpose: 'card-vault' }),
  ofRow('identity_decisions', 'order_id', { column: 'evidence', purpose: 'identity-evidence' }),
  ofRow('screenings', 'order_id', { column: 'matches', purpose: 'screening-matches' }),
  ofRow('proposals', 'id', { column: 'sealed_input', purpose: 'proposal-input' }),
  ofRow('proposals', 'id', { column: 'sealed_result', purpose: 'proposal-result' }),
  ofRow('alerts', 'id', { column: 'content', purpose: 'alert' }),
  ofRow('deposits', 'id', { column: 'sender_account', purpose: 'deposit-sender' }),
  ofRow('provider_orders', 'id', { column: 'body', purpose: 'order-body' }),
  ofRow('provider_orders', 'id', { column: 'sealed_secret', purpose: 'order-secret' }),
  {
    table: 'order_reports',
    column: 'content',
    purpose: 'order-report',
    key: [uuid('platform_id'), uuid('order_id'), integer('sequence')],
    context: "order_id || '/' || sequence",
  },
]
