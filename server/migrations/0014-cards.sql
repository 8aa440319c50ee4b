-- Virtual debit cards of customers. What makes a card a card, its number, is in card_vault alone.
create table cards (
  platform_id uuid not null references platforms,
  id uuid not null,
  customer_id uuid not null,
  platform_card_id text not null,
  state text not null check (state in ('PENDING_KYC', 'PROCESSING', 'ACTIVE', 'FROZEN', 'CLOSED')),
  state_reason text check (state_reason in ('ISSUER_REJECTED', 'CLOSED_BY_PLATFORM', 'CLOSED_BY_SERVICE')),
  currency text not null,
  -- Null: no limit.
  max_spend_per_transaction bigint check (max_spend_per_transaction > 0),
  -- What the issuer made, all at once; null until then.
  brand text,
  last4 text,
  exp_month smallint check (exp_month between 1 and 12),
  exp_year smallint,
  processor_ref text,
  issuer_ref text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  constraint cards_platform_card_id_unique unique (platform_id, platform_card_id),
  constraint cards_state_reason check ((state_reason is not null) = (state = 'CLOSED')),
  constraint cards_provisioned check (num_nulls(brand, last4, exp_month, exp_year, processor_ref, issuer_ref) in (0, 6)),
  constraint cards_usable check (state not in ('ACTIVE', 'FROZEN') or last4 is not null)
) with (fillfactor = 85);

create index cards_newest on cards (platform_id, created_at desc, id desc);
create index cards_of_customer on cards (platform_id, customer_id, created_at desc, id desc);
create index cards_by_state on cards (platform_id, state, created_at desc, id desc);

-- The accounts that a card spends from, in order. A row lives as long as the account is listed on the card.
create table card_funding_sources (
  platform_id uuid not null,
  id uuid not null,
  card_id uuid not null,
  account_id uuid not null,
  position smallint not null,
  -- Of an embedded wallet: its owner lets the card spend from it.
  has_delegated_key boolean not null default false,
  primary key (platform_id, card_id, account_id),
  constraint card_funding_sources_by_id unique (platform_id, id),
  foreign key (platform_id, card_id) references cards
);

create index card_funding_sources_of_account on card_funding_sources (platform_id, account_id, card_id);

-- Number and security code, sealed together; read by the page that shows them and by nobody else.
create table card_vault (
  platform_id uuid not null,
  card_id uuid not null,
  sealed bytea not null,
  primary key (platform_id, card_id),
  foreign key (platform_id, card_id) references cards
);

-- A link under which a card's number may be seen for a while; only its digest is known.
create table card_reveals (
  platform_id uuid not null,
  digest bytea not null,
  card_id uuid not null,
  -- The page that may hold it in a frame; null: any.
  parent_origin text,
  actor text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (platform_id, digest),
  foreign key (platform_id, card_id) references cards
);

create unique index card_reveals_by_digest on card_reveals (digest);

-- What a card transaction is made of; how it is shown stands in `transactions`, under the same id. Written with the
-- ledger and, like it, without foreign keys.
create table card_transactions (
  platform_id uuid not null,
  id uuid not null,
  card_id uuid not null,
  customer_id uuid not null,
  platform_customer_id text not null,
  account_id uuid not null,
  issuer_transaction_token text not null,
  direction text not null check (direction in ('DEBIT', 'CREDIT')),
  status text not null check (status in (
    'AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'REFUNDED', 'EXCEPTION', 'DECLINED')),
  decline_reason text,
  merchant jsonb not null,
  currency text not null,
  authorized bigint not null check (authorized > 0),
  -- Null until the first clearing or the end of the authorization; null until the first return.
  settled bigint check (settled >= 0),
  settlement_count integer not null,
  refunded bigint check (refunded >= 0),
  -- The returns in force, oldest first.
  returns bigint[] not null,
  -- Taken from the account, less what went back unused; a pull that is not confirmed yet is part of it.
  pulled bigint not null check (pulled >= 0),
  pull_count integer not null,
  pending_pull bigint not null check (pending_pull >= 0 and pending_pull <= pulled),
  -- What the confirmation that is still to come will say.
  pending_outcome text check (pending_outcome in ('CONFIRMED', 'FAILED')),
  -- What the service bore and has not got back, and for what.
  shortfall bigint not null check (shortfall >= 0),
  shortfall_cause text check (shortfall_cause in ('CLEARING', 'RETURN_REVERSAL')),
  -- Numbers the journals of one transaction.
  event_count integer not null,
  -- The authorization, or the clearing or advice after it: what its end is counted from.
  active_at timestamptz not null,
  last_event_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  constraint card_transactions_declined check ((decline_reason is not null) = (status = 'DECLINED')),
  constraint card_transactions_shortfall check ((shortfall > 0) = (shortfall_cause is not null)),
  constraint card_transactions_credit check (direction = 'DEBIT' or (pull_count = 0 and pulled = 0 and shortfall = 0))
) with (fillfactor = 80);
