-- The platform's credentials at an issuance provider ("link"). A link that no longer works stays as history.
create table stablecoin_provider_accounts (
  platform_id uuid not null references platforms,
  id uuid not null,
  provider text not null,
  provider_account_id text not null,
  status text not null check (status in ('ACTIVE', 'INVALID', 'REVOKED')),
  -- Sealed: client id and client secret.
  credentials bytea not null,
  last_verified_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id)
);

-- An operator names a link by its id alone.
create unique index stablecoin_provider_accounts_by_id on stablecoin_provider_accounts (id);
create unique index stablecoin_provider_accounts_one_active
  on stablecoin_provider_accounts (platform_id, provider, provider_account_id) where status = 'ACTIVE';
create index stablecoin_provider_accounts_newest on stablecoin_provider_accounts (platform_id, created_at desc, id desc);
create index stablecoin_provider_accounts_by_status
  on stablecoin_provider_accounts (platform_id, status, created_at desc, id desc);

-- A coin that the platform issues through a link.
create table stablecoins (
  platform_id uuid not null references platforms,
  id uuid not null,
  link_id uuid not null,
  provider text not null,
  provider_token_identifier text not null,
  network text not null,
  network_token_identifier text not null,
  -- What the provider says of it.
  name text not null,
  symbol text not null,
  base_currency text not null,
  decimals smallint not null check (decimals >= 0),
  issuance_status text not null
    check (issuance_status in ('PENDING_REVIEW', 'PROVISIONING', 'PROVISIONED', 'REJECTED', 'FAILED')),
  service_operations_status text not null
    check (service_operations_status in ('NOT_ENABLED', 'PENDING_APPROVAL', 'ENABLING', 'ENABLED', 'DISABLED')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  foreign key (platform_id, link_id) references stablecoin_provider_accounts
);

-- An operator names a coin by its id alone.
create unique index stablecoins_by_id on stablecoins (id);
create unique index stablecoins_one_of_network on stablecoins (platform_id, network_token_identifier);
create unique index stablecoins_one_of_provider on stablecoins (platform_id, link_id, provider_token_identifier);
create index stablecoins_newest on stablecoins (platform_id, created_at desc, id desc);
create index stablecoins_by_issuance on stablecoins (platform_id, issuance_status, created_at desc, id desc);
create index stablecoins_by_service_operations
  on stablecoins (platform_id, service_operations_status, created_at desc, id desc);

-- Coins being minted or burnt. No money of the ledger takes part: value moves between a bank, the provider and a
-- wallet outside.
create table stablecoin_operations (
  platform_id uuid not null references platforms,
  id uuid not null,
  stablecoin_id uuid not null,
  link_id uuid not null,
  provider text not null,
  operation_type text not null check (operation_type in ('MINT', 'BURN')),
  -- CREATED is the moment before the provider's first answer, which no answer of ours shows.
  status text not null check (status in
    ('CREATED', 'PENDING_FUNDING', 'PENDING_PROVIDER', 'PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED')),
  -- In the coin's smallest unit.
  amount bigint not null check (amount > 0),
  source_type text not null,
  source_account_id uuid,
  destination_account_id uuid not null,
  destination_rail text,
  description text,
  -- Burns: what arrives at the bank, by which rail, how soon.
  estimated_delivery jsonb,
  funding_instructions jsonb,
  expires_at timestamptz,
  provider_status text,
  -- The provider's own name for it.
  provider_reference text,
  failure_reason text,
  -- The Idempotency-Key of the request that made it and a digest of that request: a retry finds what it began.
  -- Emptied when the key is taken anew after its lifetime.
  request_key text,
  request_fingerprint bytea not null,
  -- From the provider's first answer on: the moment of that answer.
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  foreign key (platform_id, stablecoin_id) references stablecoins,
  check ((failure_reason is not null) = (status = 'FAILED')),
  check ((provider_reference is not null) = (status <> 'CREATED')),
  check ((operation_type = 'BURN') = (destination_rail is not null and estimated_delivery is not null))
) with (fillfactor = 80);

create unique index stablecoin_operations_of_request on stablecoin_operations (platform_id, request_key)
  where request_key is not null;
create index stablecoin_operations_of_coin
  on stablecoin_operations (platform_id, stablecoin_id, created_at desc, id desc) where status <> 'CREATED';
create index stablecoin_operations_of_coin_by_type
  on stablecoin_operations (platform_id, stablecoin_id, operation_type, created_at desc, id desc)
  where status <> 'CREATED';
