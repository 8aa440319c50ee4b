-- A platform is a tenant. Every other table of platform data is keyed by platform_id first.
create table platforms (
  id uuid primary key,
  name text not null,
  kind text not null check (kind in ('REGULATED', 'UNREGULATED', 'HOUSE')),
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  skip_verification_paperwork boolean not null default false,
  strict_identifiers boolean not null default false,
  travel_rule boolean not null default false,
  passkey_origins text[] not null default '{}',
  -- Sandbox time is real time plus this offset; it never shrinks.
  clock_offset_ms bigint not null default 0 check (clock_offset_ms >= 0),
  -- While a process moves this platform's clock, no other one runs its jobs.
  clock_lease_until timestamptz,
  webhook_endpoint text,
  webhook_public_key text not null,
  webhook_private_key bytea not null,
  config_id uuid not null unique,
  uma_domain text not null,
  proxy_uma_subdomain text not null,
  embedded_wallet_config jsonb,
  card_tokenization_2fa_config jsonb,
  -- Where whoever was invited signs up; without one a production platform cannot invite.
  onboarding_url text,
  created_at timestamptz not null,
  config_updated_at timestamptz not null,
  constraint platforms_proxy_uma_subdomain_unique unique (proxy_uma_subdomain)
);

-- CFG-14: in production a domain is one platform's.
create unique index platforms_production_uma_domain on platforms (uma_domain) where environment = 'PRODUCTION';

-- Platforms whose clock runs ahead: the few whose jobs come due before real time says so.
create index platforms_clock_ahead on platforms (id) where clock_offset_ms > 0;

-- CORE-23: in the books of the house lies what belongs to no platform yet. No token opens it, nothing is sent to it, so
-- its keys are empty. The ids are known to the code (kernel/platform.ts).
insert into platforms (id, name, kind, environment, webhook_public_key, webhook_private_key, config_id, uma_domain,
  proxy_uma_subdomain, created_at, config_updated_at)
select id, 'House', 'HOUSE', environment, '', '', id, subdomain || '.invalid', subdomain, at, at
from (values
    ('00000000-0000-7000-8000-000000000001'::uuid, 'SANDBOX', 'house-sandbox', timestamptz '2025-10-13T00:00:00Z'),
    ('00000000-0000-7000-8000-000000000002'::uuid, 'PRODUCTION', 'house-production', '2025-10-13T00:00:00Z')
  ) as house (id, environment, subdomain, at);

create table platform_currencies (
  platform_id uuid not null references platforms,
  currency text not null,
  position integer not null,
  min_amount bigint not null check (min_amount >= 0),
  max_amount bigint not null,
  required_counterparty_fields jsonb not null,
  enabled_transaction_types text[] not null,
  primary key (platform_id, currency),
  check (min_amount <= max_amount)
);

create table platform_fee_configs (
  platform_id uuid not null references platforms,
  fee_type text not null,
  source_currency text not null,
  variable_fee_bps integer not null check (variable_fee_bps between 0 and 10000),
  fixed_fee_amount bigint not null check (fixed_fee_amount >= 0),
  primary key (platform_id, fee_type, source_currency)
);

create table api_tokens (
  platform_id uuid not null references platforms,
  id uuid not null,
  name text not null,
  permissions text[] not null,
  secret_digest bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (platform_id, id)
);

create unique index api_tokens_by_id on api_tokens (id);
create index api_tokens_live on api_tokens (platform_id, created_at desc, id desc) where deleted_at is null;
create index api_tokens_live_by_name on api_tokens (platform_id, name, created_at desc, id desc)
  where deleted_at is null;
