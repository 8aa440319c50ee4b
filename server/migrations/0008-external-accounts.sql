-- Where money can come from or go to outside: bank accounts, mobile money, wallets. Without a customer it is the
-- platform's own. What payments need to know stands in columns of its own; the rest is opened only to be shown.
create table external_accounts (
  platform_id uuid not null references platforms,
  id uuid not null,
  customer_id uuid,
  account_type text not null,
  currency text not null,
  status text not null check (status in (
    'PENDING', 'ACTIVE', 'PENDING_OWNERSHIP_VERIFICATION', 'UNVERIFIED', 'UNDER_REVIEW', 'INACTIVE')),
  platform_account_id text,
  ownership_type text check (ownership_type in ('FIRST_PARTY', 'THIRD_PARTY')),
  default_uma_deposit_account boolean not null,
  -- Sealed: numbers, names and addresses, a government's numbers among them.
  account_info bytea not null,
  -- Keyed digest of what names the account: equal for two that are the same.
  duplicate_index bytea not null,
  -- The field that names the account: accountNumber, iban, address, invoice, …
  identified_by text not null,
  payment_rails text[] not null,
  -- Sandbox: the three characters that decide what becomes of a payment.
  payment_suffix text,
  -- What a Lightning invoice asks for, in satoshi.
  invoice_amount bigint check (invoice_amount >= 0),
  beneficiary_verification_status text check (beneficiary_verification_status in (
    'MATCHED', 'PARTIAL_MATCH', 'NOT_MATCHED', 'UNSUPPORTED', 'CHECKED_BY_RECEIVING_FI', 'PENDING')),
  beneficiary_verified_name text,
  -- TRUST: payments to it need no second factor, and it cannot be deleted.
  is_trusted boolean not null default false,
  -- False once the customer is deleted: then only that customer's own list shows it.
  listed boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (platform_id, id),
  check (customer_id is not null or not default_uma_deposit_account),
  check (deleted_at is null or not is_trusted)
) with (fillfactor = 90);

-- An operator names an account by its id alone.
create unique index external_accounts_by_id on external_accounts (id);
create unique index external_accounts_one_of_owner on external_accounts (platform_id, customer_id, duplicate_index)
  nulls not distinct where deleted_at is null;
create unique index external_accounts_one_default on external_accounts (platform_id, customer_id)
  where default_uma_deposit_account and deleted_at is null;
create index external_accounts_of_customers on external_accounts (platform_id, created_at desc, id desc)
  where customer_id is not null and listed and deleted_at is null;
create index external_accounts_of_customers_by_currency
  on external_accounts (platform_id, currency, created_at desc, id desc)
  where customer_id is not null and listed and deleted_at is null;
create index external_accounts_of_customer on external_accounts (platform_id, customer_id, created_at desc, id desc)
  where customer_id is not null and deleted_at is null;
create index external_accounts_of_customer_by_currency
  on external_accounts (platform_id, customer_id, currency, created_at desc, id desc)
  where customer_id is not null and deleted_at is null;
create index external_accounts_of_platform on external_accounts (platform_id, created_at desc, id desc)
  where customer_id is null and deleted_at is null;
create index external_accounts_of_platform_by_currency
  on external_accounts (platform_id, currency, created_at desc, id desc)
  where customer_id is null and deleted_at is null;

-- Proofs asked of a wallet's holder; of one account at most one is open.
create table ownership_challenges (
  platform_id uuid not null,
  id uuid not null,
  external_account_id uuid not null,
  method text not null check (method in ('WALLET_SIGNATURE', 'LIVENESS')),
  -- WALLET_SIGNATURE: the very text to sign.
  message text,
  -- LIVENESS: digest of the secret in the link to the hosted page.
  link_digest bytea,
  expires_at timestamptz not null,
  -- LIVENESS: the holder did their part, an operator has to look at it.
  submitted_at timestamptz,
  outcome text check (outcome in ('PROVEN', 'FAILED', 'SUPERSEDED', 'CANCELLED')),
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (platform_id, id),
  foreign key (platform_id, external_account_id) references external_accounts,
  check ((method = 'WALLET_SIGNATURE') = (message is not null)),
  check ((method = 'LIVENESS') = (link_digest is not null)),
  check ((outcome is null) = (ended_at is null))
);

create unique index ownership_challenges_one_open on ownership_challenges (platform_id, external_account_id)
  where outcome is null;
create unique index ownership_challenges_by_link on ownership_challenges (link_digest) where link_digest is not null;
create index ownership_challenges_to_review on ownership_challenges (created_at, id)
  where method = 'LIVENESS' and outcome is null;
