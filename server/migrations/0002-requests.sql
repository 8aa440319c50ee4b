-- The stored answer of a request made under an Idempotency-Key, written in the transaction of its effects.
create table idempotency_keys (
  platform_id uuid not null,
  scope text not null,
  key text not null,
  fingerprint bytea not null,
  status smallint not null,
  headers jsonb not null,
  body bytea,
  sealed boolean not null,
  created_at timestamptz not null,
  primary key (platform_id, scope, key)
);

-- By age first: an index that begins with the platform would, while the table is small, look as good for finding a key.
create index idempotency_keys_by_age on idempotency_keys (created_at, platform_id);

-- Append-only: who did what to which resource, when, in which request.
create table audit_entries (
  platform_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  actor text not null,
  action text not null,
  resource text,
  -- What else a rule wants remembered, as the address from which an end user came.
  note text,
  request_id text not null,
  primary key (platform_id, id)
);

-- Shared between processes, not worth a write to disk: losing it only refills the buckets.
create unlogged table rate_buckets (
  key text primary key,
  tokens double precision not null,
  -- What the latest draw was given.
  granted double precision not null,
  refilled_at timestamptz not null
);
