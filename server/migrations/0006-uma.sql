-- The directory of UMA providers, kept by the operator; one for each environment, the same for all its platforms.
create table uma_providers (
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  -- A sandbox domain may hold {sandbox_uma_domain}, which stands for the setting SANDBOX_UMA_DOMAIN.
  domain text collate "C" not null,
  name text collate "C" not null,
  supported_regions text[] not null,
  supported_currencies text[] not null,
  logo_url text,
  lei text,
  allow_list_status boolean not null,
  primary key (environment, domain)
);

create index uma_providers_by_name on uma_providers (environment, name, domain);

insert into uma_providers (environment, domain, name, supported_regions, supported_currencies, allow_list_status)
values
  ('SANDBOX', '{sandbox_uma_domain}', 'Sandbox Provider', '{US,DE,FR,MX}', '{USD,EUR,MXN}', true),
  ('SANDBOX', 'latam.{sandbox_uma_domain}', 'Sandbox Latin Provider', '{MX,BR}', '{MXN,BRL}', true),
  ('SANDBOX', 'blocked.{sandbox_uma_domain}', 'Sandbox Blocked Provider', '{US}', '{USD}', false);

-- What a platform was told of a receiver before it pays. Of use for ten minutes; the next look-ups clear it away.
create table lookups (
  platform_id uuid not null references platforms,
  id uuid not null,
  -- The UMA address, or the id of the external account.
  receiver text not null,
  -- What a provider elsewhere answered, which a payment to it has to refer to.
  remote_answer jsonb,
  expires_at timestamptz not null,
  primary key (platform_id, id)
);

create index lookups_by_expiry on lookups (platform_id, expires_at);

-- Incoming UMA payments that wait for their platform's word, or for a payout by hand. Gone once they have ended.
create table payment_approvals (
  platform_id uuid not null,
  transaction_id uuid not null,
  requested_fields jsonb not null,
  -- Until when the platform may decide; null before it is asked and after it has.
  decide_by timestamptz,
  -- The payment out that this is the other end of, where the sender is a customer here too.
  payer_platform_id uuid,
  payer_transaction_id uuid,
  primary key (platform_id, transaction_id),
  check ((payer_platform_id is null) = (payer_transaction_id is null))
);

-- What the receiver of a UMA payment asked to know of its payer, sealed.
create table uma_payer_data (
  platform_id uuid not null,
  transaction_id uuid not null,
  data bytea not null,
  primary key (platform_id, transaction_id)
);
