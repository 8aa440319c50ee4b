-- Up to where the audit sink has the chain of each platform.
create table audit_sink_positions (
  platform_id uuid primary key references platforms (id),
  seq bigint not null
);

-- Which process sends to the audit sink, and until when another leaves that to it.
create table audit_sink_lease (
  one boolean primary key default true check (one),
  holder uuid not null,
  leased_until timestamptz not null
);

-- What each setting was at the last start, as a keyed digest: a change is audited by its name.
create table known_settings (
  name text primary key,
  value_digest bytea not null
);
