-- Where a move of a sandbox clock under an Idempotency-Key was to end, from before its first step on. Should it break
-- off half-way, whoever sends the same request again goes on to there.
create table clock_moves (
  platform_id uuid not null,
  scope text not null,
  key text not null,
  fingerprint bytea not null,
  target_offset_ms bigint not null,
  -- The platform's time at the end; the key's life begins there.
  target_at timestamptz not null,
  primary key (platform_id, scope, key)
);

-- What a platform has to prune, oldest first. By age alone the way led through the keys of all platforms, every one of
-- which is old enough for a sandbox that runs ahead. The predicate is true of every key: a statement that does not state
-- it, as the look-up of a key, cannot take this index for as good as the primary one while the table is small.
create index idempotency_keys_to_prune on idempotency_keys (platform_id, created_at)
  where created_at > '-infinity';
drop index idempotency_keys_by_age;

-- A payment link is found by what its path ends in: /pay/FUND- and eight characters. What stands before is where the
-- service was reached when the link was made.
create index funding_addresses_by_link on funding_addresses (right(value, 18)) where field = 'paymentUrl';
