-- Where money rests inside the service: one account per owner and currency. Without a customer it is the platform's
-- own. What is on it is the ledger's to say: IA:<id>:available and IA:<id>:held.
create table internal_accounts (
  platform_id uuid not null references platforms,
  id uuid not null,
  customer_id uuid,
  currency text not null,
  type text not null check (type in ('INTERNAL_FIAT', 'INTERNAL_CRYPTO', 'EMBEDDED_WALLET')),
  status text not null check (status in ('PENDING', 'ACTIVE', 'CLOSED', 'FROZEN', 'FAILED')),
  -- Made once, answered the same on every read.
  funding_instructions jsonb not null,
  -- Embedded wallets only.
  private_enabled boolean,
  -- False once the customer is deleted: then only that customer's own list shows it.
  listed boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  constraint internal_accounts_one_per_currency unique nulls not distinct (platform_id, customer_id, currency)
);

create index internal_accounts_of_customers on internal_accounts (platform_id, created_at desc, id desc)
  where customer_id is not null and listed;
create index internal_accounts_of_customers_by_currency
  on internal_accounts (platform_id, currency, created_at desc, id desc) where customer_id is not null and listed;
create index internal_accounts_of_customers_by_type
  on internal_accounts (platform_id, type, created_at desc, id desc) where customer_id is not null and listed;

-- Every number, address and reference that money may be sent to, and whose it is. A deposit that arrives is
-- attributed here, before anybody knows its platform, so the value alone is unique.
create table funding_addresses (
  platform_id uuid not null references platforms,
  owner_kind text not null check (owner_kind in ('internalAccount', 'quote')),
  owner_id uuid not null,
  -- The field of the payment instructions that shows it: accountNumber, iban, address, invoice, reference, …
  field text not null,
  value text not null,
  primary key (platform_id, owner_id, field, value)
);

create unique index funding_addresses_unique on funding_addresses (field, value);

-- What a customer or the platform sent or received. Card transactions stand here too, so that one list has one order;
-- what only they have is in card_details, as it is shown. Written with the ledger and, like it, without foreign keys.
create table transactions (
  platform_id uuid not null,
  id uuid not null,
  type text not null check (type in ('INCOMING', 'OUTGOING', 'CARD')),
  status text not null check (status in (
    'PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING', 'COMPLETED', 'REJECTED', 'FAILED', 'EXPIRED',
    'AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'REFUNDED', 'EXCEPTION', 'DECLINED')),
  pending_reason text,
  -- Neither of the two: the platform's own.
  customer_id uuid,
  platform_customer_id text,
  -- Both sides as they are shown; the identifiers beside them are what the list is filtered by.
  source jsonb,
  source_identifier text,
  destination jsonb,
  destination_identifier text,
  sent_amount bigint check (sent_amount >= 0),
  sent_currency text,
  received_amount bigint check (received_amount >= 0),
  received_currency text,
  -- In the currency sent.
  fees bigint check (fees >= 0),
  platform_fees bigint check (platform_fees >= 0),
  -- For display only; amounts come from the quote's exact rate.
  exchange_rate double precision,
  rate_details jsonb,
  quote_id uuid,
  agent_id uuid,
  card_id uuid,
  card_details jsonb,
  description text,
  -- What went along with the payment, and what identifies it to whoever reconciles it.
  payment_reference text,
  reconciliation_reference text,
  payment_instructions jsonb,
  counterparty_information jsonb,
  payment_rail text,
  rail_selection_mode text check (rail_selection_mode in ('AUTO', 'MANUAL')),
  settlement_timeline_seconds integer,
  expected_settlement_at timestamptz,
  failure_reason text,
  refund_reference text,
  refund_status text check (refund_status in ('PENDING', 'COMPLETED', 'FAILED')),
  refund_reason text,
  refund_initiated_at timestamptz,
  refund_settled_at timestamptz,
  receipt_delivery_confirmed_at timestamptz,
  -- The UTC day whose volume it counts in (daily_volumes); null before it is debited and once it was given back.
  counted_on date,
  settled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  constraint transactions_sides check (type = 'CARD' or num_nulls(source, destination) = 0),
  constraint transactions_card check ((type = 'CARD') = (num_nonnulls(card_id, card_details) = 2)),
  constraint transactions_failure_reason check ((failure_reason is not null) = (status = 'FAILED')),
  constraint transactions_refund check (
    num_nonnulls(refund_reference, refund_status, refund_reason, refund_initiated_at) in (0, 4)
    and (refund_settled_at is not null) = (refund_status is not distinct from 'COMPLETED'))
);

create index transactions_newest on transactions (platform_id, created_at desc, id desc);
create index transactions_of_customer on transactions (platform_id, customer_id, created_at desc, id desc);
create index transactions_of_platform_customer
  on transactions (platform_id, platform_customer_id, created_at desc, id desc) where platform_customer_id is not null;
create index transactions_by_type on transactions (platform_id, type, created_at desc, id desc);
create index transactions_by_status on transactions (platform_id, status, created_at desc, id desc);
create index transactions_by_source on transactions (platform_id, source_identifier, created_at desc, id desc)
  where source_identifier is not null;
create index transactions_by_destination on transactions (platform_id, destination_identifier, created_at desc, id desc)
  where destination_identifier is not null;
create index transactions_by_payment_reference on transactions (platform_id, payment_reference)
  where payment_reference is not null;
create index transactions_by_reconciliation_reference on transactions (platform_id, reconciliation_reference)
  where reconciliation_reference is not null;
create index transactions_of_card on transactions (platform_id, card_id, created_at desc, id desc)
  where card_id is not null;
create unique index transactions_by_refund_reference on transactions (platform_id, refund_reference)
  where refund_reference is not null;
