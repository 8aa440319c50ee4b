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

-- What the dashboard asks for: what operators did, and events that did not arrive. Both are few among many.
create index audit_entries_of_operators on audit_entries (platform_id, id) where actor like 'operator:%';
create index event_deliveries_failed on event_deliveries (platform_id, event_id) where status = 'FAILED';
