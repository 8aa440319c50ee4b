-- One-time addresses that open the dashboard. Only digests are kept, and a row goes when it is used.
create table dashboard_links (
  digest bytea primary key,
  -- Who signs in with it: the operator in audit entries.
  name text not null,
  expires_at timestamptz not null
);

-- Who is signed in to the dashboard.
create table dashboard_sessions (
  digest bytea primary key,
  name text not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null,
  -- What the next page says once: how the last deed ended.
  notice text
);

-- What the dashboard asks for: what operators did, events that did not arrive, refunds that failed, and what the
-- service bore for cards. All are few among many.
create index audit_entries_of_operators on audit_entries (platform_id, id) where actor like 'operator:%';
create index event_deliveries_failed on event_deliveries (platform_id, event_id) where status = 'FAILED';
create index transactions_refund_failed on transactions (platform_id, created_at, id) where refund_status = 'FAILED';
create index card_transactions_short on card_transactions (platform_id, created_at, id) where shortfall > 0;
