-- Deposits that a provider reported, under its own id for each (PROV-80). PENDING: seen, but not final.
alter table deposits
  add column provider_id uuid references providers (id),
  add column outside_id text,
  -- Of all that the provider said of it.
  add column digest bytea check (octet_length(digest) = 32),
  add check ((provider_id is null) = (outside_id is null) and (provider_id is null) = (digest is null)),
  drop constraint deposits_status_check,
  add constraint deposits_status_check
    check (status in ('PENDING', 'UNATTRIBUTED', 'HELD', 'TAKEN', 'RETURNING', 'RETURNED')),
  drop constraint deposits_once;
create unique index deposits_once on deposits (platform_id, rail, trace) where provider_id is null;
create unique index deposits_once_by_provider on deposits (provider_id, outside_id) where provider_id is not null;
-- A transaction of a chain pays each address once, by whatever provider it is reported (PROV-87).
create unique index deposits_once_on_chain
  on deposits (platform_id, rail, lower(trace), lower(coalesce(paid_to, '')))
  where rail in ('SOLANA', 'BASE', 'ETHEREUM', 'POLYGON', 'TRON', 'SPARK', 'BITCOIN', 'PLASMA');
