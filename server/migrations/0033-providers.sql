-- Who answers for the ports of the service: one registration each. Built-in providers have no row.
create table providers (
  id uuid primary key,
  name text not null,
  kind text not null check (kind in ('sandbox', 'manual', 'http')),
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  ports text[] not null check (cardinality(ports) > 0),
  url text,
  -- Certificate authorities in PEM, in place of the public ones.
  ca text,
  -- Null: all platforms of the environment. The selectors likewise: null matches every order.
  platform_ids uuid[] check (cardinality(platform_ids) > 0),
  rails text[] check (cardinality(rails) > 0),
  currencies text[] check (cardinality(currencies) > 0),
  account_types text[] check (cardinality(account_types) > 0),
  status text not null check (status in ('ENABLED', 'PAUSED')),
  sealed_config bytea not null,
  resend_window_seconds integer not null check (resend_window_seconds between 300 and 2592000),
  max_in_flight integer not null check (max_in_flight between 1 and 64),
  authorization_deadline_ms integer not null check (authorization_deadline_ms between 500 and 10000),
  -- In cents of a dollar.
  payment_threshold bigint not null check (payment_threshold >= 0),
  sealed_secret bytea,
  -- The secret before the last rotation, which holds until then (PROV-23).
  sealed_former_secret bytea,
  former_secret_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A removed provider has no secret; its row remains, since orders name it.
  removed_at timestamptz,
  check ((kind = 'http') = (url is not null)),
  check ((kind = 'http' and removed_at is null) = (sealed_secret is not null)),
  check ((sealed_former_secret is null) = (former_secret_until is null))
);
create unique index providers_name on providers (name) where removed_at is null;

-- Messages that providers sent, each with the answer that a repetition gets (PROV-24). A row without an answer is a
-- message whose items are still being taken, or whose process ended meanwhile: a repetition takes them again.
create table provider_messages (
  provider_id uuid not null references providers (id),
  message_id text not null,
  body_digest bytea not null check (octet_length(body_digest) = 32),
  sealed_answer bytea,
  received_at timestamptz not null,
  primary key (provider_id, message_id)
);
create index provider_messages_old on provider_messages (received_at);
