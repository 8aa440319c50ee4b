-- What providers took back of deposits, each under its own id (PROV-85).
create table deposit_reversals (
  platform_id uuid not null,
  deposit_id uuid not null,
  reversal_id text not null,
  amount bigint not null check (amount > 0),
  reason text not null,
  digest bytea not null check (octet_length(digest) = 32),
  created_at timestamptz not null,
  primary key (platform_id, deposit_id, reversal_id),
  foreign key (platform_id, deposit_id) references deposits (platform_id, id)
);
