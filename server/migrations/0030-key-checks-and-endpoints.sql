-- Proves at the start that a configured master key is the one that stored values were sealed with.
create table key_checks (
  key_id text primary key,
  check_value bytea not null check (octet_length(check_value) = 16),
  created_at timestamptz not null,
  retired_at timestamptz
);

-- Webhook endpoints whose last attempt failed, and since when; a delivery removes the row.
create table failing_endpoints (
  platform_id uuid primary key references platforms (id),
  url text not null,
  since timestamptz not null,
  last_failed_at timestamptz not null,
  last_error text not null
);
