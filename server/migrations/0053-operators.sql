-- People who run the service. A record is never deleted: audit entries name it.
create table operators (
  id uuid primary key,
  name text not null unique,
  -- None where the command `operators recover` made it.
  email text,
  status text not null check (status in ('INVITED', 'ACTIVE', 'DISABLED')),
  roles text[] not null check (cardinality(roles) > 0),
  -- The platforms it is limited to; null for all.
  platforms uuid[],
  -- Who it is to the issuer that it signed in by.
  issuer text,
  subject text,
  -- When `operators recover` last made it an administrator.
  recovered_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_seen_at timestamptz,
  unique (issuer, subject),
  check ((issuer is null) = (subject is null))
);

-- A row without an operator is a name without a record.
alter table dashboard_links add column operator_id uuid references operators,
  add column purpose text not null default 'SIGN_IN' check (purpose in ('SIGN_IN', 'INVITATION', 'RECOVERY'));
create index dashboard_links_operator on dashboard_links (operator_id);

alter table dashboard_sessions add column operator_id uuid references operators,
  -- Null where a process of an older build wrote it: sessions last 12 hours.
  add column signed_in_at timestamptz;
create index dashboard_sessions_operator on dashboard_sessions (operator_id);

-- By what programs, and people on the command line, act as an operator. Only digests of the secrets are kept.
create table operator_tokens (
  id uuid primary key,
  digest bytea not null unique,
  operator_id uuid not null references operators,
  name text not null,
  -- A person made it for themselves: it acts as that person.
  is_personal boolean not null,
  roles text[] not null check (cardinality(roles) > 0),
  platforms uuid[],
  -- The commands it is narrowed to, as settlements.confirm; null for all.
  commands text[],
  -- The addresses it may be used from; null for any.
  addresses text[],
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index operator_tokens_operator on operator_tokens (operator_id);
