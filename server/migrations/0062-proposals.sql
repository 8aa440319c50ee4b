-- Commands of an operator that wait until a second one agrees, and what became of them. They are kept for good.
create table proposals (
  -- The platform it concerns; the house of production where it is none or several.
  platform_id uuid not null references platforms,
  id uuid not null,
  command text not null,
  -- Words, options and the content of files, as they were given.
  sealed_input bytea not null,
  -- Of what the command acts on: another one when it is approved, and it is stale.
  digest bytea not null,
  resource text,
  amount bigint,
  currency text,
  status text not null check (status in ('PROPOSED', 'EXECUTED', 'FAILED', 'REJECTED', 'WITHDRAWN', 'EXPIRED')),
  -- Who it is, whichever token they came with; and as audit entries call them.
  proposer text not null,
  proposed_by text not null,
  decided_by text,
  -- What the command answered, without what is shown once.
  sealed_result bytea,
  error jsonb,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  primary key (platform_id, id),
  check ((amount is null) = (currency is null)),
  check ((status = 'PROPOSED') = (decided_at is null))
);
create unique index proposals_id on proposals (id);
create unique index proposals_equal on proposals (command, digest) where status = 'PROPOSED';
create index proposals_open on proposals (created_at, id) where status = 'PROPOSED';

-- What each operator moved without a second one, in cents of USD by day (UTC).
create table operator_volumes (
  operator text not null,
  day date not null,
  usd_amount bigint not null check (usd_amount >= 0),
  primary key (operator, day)
);
