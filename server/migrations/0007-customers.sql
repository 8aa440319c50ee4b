-- Whom a platform moves money for.
create table customers (
  platform_id uuid not null references platforms,
  id uuid not null,
  customer_type text not null check (customer_type in ('INDIVIDUAL', 'BUSINESS')),
  platform_customer_id text not null,
  uma_address text not null,
  region text,
  currencies text[] not null check (cardinality(currencies) > 0),
  -- False: the platform named none, and the customer follows the platform's own list.
  currencies_explicit boolean not null,
  email text,
  phone_number text,
  -- Set where the region asks for a verified channel.
  email_status text check (email_status in ('PENDING', 'VERIFIED')),
  phone_status text check (phone_status in ('PENDING', 'VERIFIED')),
  -- kycStatus of an individual, kybStatus of a business.
  status text not null check (status in ('UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED', 'HOLD')),
  -- What else is known of the customer, as it is shown.
  profile jsonb not null,
  -- The government's number, sealed: of an individual `identifier`, of a business `businessInfo.taxId`.
  identifier bytea,
  -- Keyed digest of it, by which the same number is found again.
  identifier_index bytea,
  -- The consent that is shown; all of them are in end_user_terms_consents.
  consent jsonb,
  -- As they are shown in the customer; kept by whoever changes them.
  beneficial_owners jsonb not null default '[]',
  is_deleted boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id)
) with (fillfactor = 85);

-- GET /customers: newest first under any filters. Type and deletion have two values each, so a list that does not ask
-- for one of them reads two ranges of the same index and merges them.
create index customers_by_creation on customers (platform_id, customer_type, is_deleted, created_at, id);
create index customers_by_region on customers (platform_id, region, customer_type, is_deleted, created_at, id)
  where region is not null;
create index customers_by_platform_customer_id on customers (platform_id, platform_customer_id, created_at, id);
create index customers_by_update on customers (platform_id, updated_at);
create index customers_following_platform on customers (platform_id, id) where not currencies_explicit and not is_deleted;
create index customers_by_identifier on customers (platform_id, identifier_index) where identifier_index is not null;

-- The list's view of `currencies`: one row for each, so that a currency is a range of an index too.
create table customer_currencies (
  platform_id uuid not null,
  currency text not null,
  customer_type text not null,
  is_deleted boolean not null,
  created_at timestamptz not null,
  customer_id uuid not null,
  region text,
  constraint customers_by_currency
    primary key (platform_id, currency, customer_type, is_deleted, created_at, customer_id)
);

create index customers_by_currency_and_region
  on customer_currencies (platform_id, currency, region, customer_type, is_deleted, created_at, customer_id)
  where region is not null;

-- Every UMA address a customer has or had: it never becomes anyone else's.
create table uma_addresses (
  platform_id uuid not null references platforms,
  address text not null,
  customer_id uuid not null,
  constraint uma_addresses_held_once primary key (platform_id, address)
);

-- Whoever pays an address does not know which platform it belongs to.
create index uma_addresses_by_address on uma_addresses (address);

-- The service's own terms, every version ever published.
create table end_user_terms (
  version text primary key,
  position integer generated always as identity,
  body text not null,
  published_at timestamptz not null
);

-- Append-only: who accepted what, when, from where.
create table end_user_terms_consents (
  platform_id uuid not null references platforms,
  customer_id uuid not null,
  id uuid not null,
  terms_version text not null references end_user_terms,
  accepted_at timestamptz not null,
  ip_address text not null,
  acceptance_method text not null check (acceptance_method in ('CHECKBOX', 'CLICK_TO_ACCEPT')),
  recorded_at timestamptz not null,
  request_id text not null,
  primary key (platform_id, customer_id, id)
);

-- Codes sent to prove that an e-mail address or phone number is the customer's. Whether it is proven: customers.
create table contact_channels (
  platform_id uuid not null references platforms,
  customer_id uuid not null,
  channel text not null check (channel in ('email', 'phone')),
  -- Null: no code is out.
  code_digest bytea,
  code_expires_at timestamptz,
  wrong_codes integer not null,
  -- The latest ones, oldest first; as many as the limit on sending has to look at.
  sent_at timestamptz[] not null,
  primary key (platform_id, customer_id, channel)
) with (fillfactor = 80);

insert into end_user_terms (version, published_at, body) values ('V1', '2025-10-13T00:00:00Z', $terms$
These terms are between you and {{LEGAL_NAME}} ("we", "us"). They cover the accounts, wallets and payments that we provide to you through the platform with which you signed up (the "platform"). You accept them on the platform, which records when and how you did.

## 1. What we provide

We hold accounts for you, carry out the payments that you or the platform on your behalf instruct, and credit you with what you receive. The platform is your point of contact: it shows you your balances and payments and takes your instructions to us.

## 2. Who may use it

You must be at least 18 years old, or act for a business that exists and has authorised you. What you tell us about yourself, your business and its owners must be true and complete. Tell the platform when it changes.

## 3. Verification

The law obliges us to know who you are. We may ask for data and documents, check them with third parties, and ask again later. Until verification is complete, and whenever it is put on hold, we may refuse payments.

## 4. Payments

An instruction is binding once you have confirmed it in the way the platform asks for. Before that you are shown the amount sent, the amount received, the exchange rate and all fees; they hold until the time shown with them. A payment that cannot be completed is returned to you less costs we had to pay to others. You are responsible for the recipient details you give: a payment to the wrong recipient may be impossible to recall.

## 5. Your credentials

Keep your passkeys, codes and devices to yourself. Tell the platform at once if you believe that somebody else has them. We act on instructions that carry your valid credentials.

## 6. Fees

Fees are shown before each payment. The platform may charge its own; they are included in what you are shown.

## 7. What is not allowed

You may not use the service for anything unlawful, for payments to or from sanctioned persons or countries, or on behalf of somebody whom you have not told us about. We may stop payments, freeze accounts and inform authorities where the law requires it, and may then be forbidden to tell you why.

## 8. Your data

We process your data to provide the service, to meet our legal duties and to prevent fraud. We share it with the platform, with those who take part in a payment and with those who verify you. We keep it as long as the law requires, also after your account has been closed.

## 9. Ending

You may ask the platform to close your account at any time once nothing is left in it. We may close it with two months' notice, or at once where the law or a serious breach of these terms requires it. What is yours is paid out to you.

## 10. Liability

We are liable for what we do intentionally or with gross negligence, and for payments that were not authorised by you or not carried out as instructed, as the law provides. We are not liable for events beyond our control, nor for what the platform does in its own name.

## 11. Changes

A change of these terms is a new version with a name and address of its own. It applies to you once you have accepted it.
$terms$);
