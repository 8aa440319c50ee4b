-- A deposit that was seen and never came ends as DROPPED (PROV-81). What has not come yet, or never did, leaves the
-- transaction of its chain to the provider that reports it as received (PROV-87).
alter table deposits
  drop constraint deposits_status_check,
  add constraint deposits_status_check
    check (status in ('PENDING', 'DROPPED', 'UNATTRIBUTED', 'HELD', 'TAKEN', 'RETURNING', 'RETURNED'));
drop index deposits_once_on_chain;
create unique index deposits_once_on_chain
  on deposits (platform_id, rail, lower(trace), lower(coalesce(paid_to, '')))
  where rail in ('SOLANA', 'BASE', 'ETHEREUM', 'POLYGON', 'TRON', 'SPARK', 'BITCOIN', 'PLASMA')
    and status not in ('PENDING', 'DROPPED');
