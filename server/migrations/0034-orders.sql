-- What providers are asked to do, one row per order, under one id that never changes (chapter 44, section 4).
create table provider_orders (
  platform_id uuid not null references platforms (id),
  id uuid not null,
  provider_id uuid not null references providers (id),
  type text not null,
  -- What it is about: a payment, or the id of another resource as the API shows it.
  transaction_id uuid,
  subject text,
  -- What its kind needs beside the subject in order to write the body; never amounts of money that moved.
  request jsonb not null,
  -- Ordered money; null for decisions.
  amount bigint check (amount > 0),
  currency text,
  -- Ours, carried to the beneficiary (PROV-41).
  own_reference text not null unique,
  state text not null default 'QUEUED'
    check (state in ('QUEUED', 'UNKNOWN', 'ACCEPTED', 'SENT', 'SETTLED', 'RETURNED', 'DECIDED', 'FAILED')),
  failure_reason text,
  -- The bytes that are sent, sealed; fixed before the first attempt.
  body bytea,
  -- The provider's own.
  reference text,
  created_at timestamptz not null,
  execute_at timestamptz not null,
  -- When it counts as overdue, once accepted.
  expected_at timestamptz,
  -- On a rail that settles at once, or over a network.
  is_instant boolean not null default false,
  -- A screening has to end first (PROV-104).
  is_held boolean not null default false,
  attempts integer not null default 0,
  asks integer not null default 0,
  first_attempt_at timestamptz,
  last_attempt_at timestamptz,
  expires_at timestamptz,
  last_error text,
  asking_since timestamptz,
  never_heard_at timestamptz,
  gap_since timestamptz,
  next_at timestamptz,
  cancel_asked_at timestamptz,
  cancel_attempts integer not null default 0,
  cancel_next_at timestamptz,
  due_at timestamptz generated always as (least(next_at, cancel_next_at)) stored,
  -- In real time: a process is at it.
  leased_until timestamptz,
  sequence integer not null default 0,
  settled_amount bigint,
  returned_amount bigint not null default 0,
  -- What partial returns have given back to the payer, in the currency that was sent.
  credited_amount bigint not null default 0,
  proofs jsonb,
  outside_fees jsonb not null default '[]',
  updated_at timestamptz not null,
  primary key (platform_id, id),
  check (returned_amount >= 0 and returned_amount <= coalesce(settled_amount, 0))
);
create unique index provider_orders_id on provider_orders (id);
create index provider_orders_due on provider_orders (provider_id, due_at) where due_at is not null;
create index provider_orders_transaction on provider_orders (platform_id, transaction_id) where transaction_id is not null;
create index provider_orders_subject on provider_orders (platform_id, subject) where subject is not null;
create index provider_orders_open on provider_orders (provider_id, created_at)
  where state in ('QUEUED', 'UNKNOWN', 'ACCEPTED', 'SENT');

-- What a provider said about an order, in its own numbering (PROV-60 to PROV-63).
create table order_reports (
  platform_id uuid not null,
  order_id uuid not null,
  sequence integer not null,
  digest bytea not null check (octet_length(digest) = 32),
  -- Sealed: a decision may hold what was found out about a person.
  content bytea not null,
  status text not null check (status in ('APPLIED', 'WAITING', 'EXCEPTION', 'DISCARDED')),
  return_id text,
  received_at timestamptz not null,
  primary key (platform_id, order_id, sequence),
  foreign key (platform_id, order_id) references provider_orders (platform_id, id)
);
create index order_reports_returns on order_reports (platform_id, order_id, return_id) where return_id is not null;

-- What only an operator may decide (PROV-68, PROV-70).
create table exceptions (
  platform_id uuid not null references platforms (id),
  id uuid not null,
  type text not null,
  provider_id uuid references providers (id),
  order_id uuid,
  subject text,
  -- The statement of the provider that is in question, by its number.
  sequence integer,
  details jsonb not null,
  status text not null default 'OPEN' check (status in ('OPEN', 'RESOLVED')),
  resolution text,
  note text,
  operator text,
  opened_at timestamptz not null,
  resolved_at timestamptz,
  primary key (platform_id, id),
  check ((status = 'RESOLVED') = (resolution is not null and resolved_at is not null))
);
create index exceptions_open on exceptions (opened_at, id) where status = 'OPEN';
create index exceptions_order on exceptions (platform_id, order_id) where order_id is not null;

-- How well a provider answers, shared between processes (PROV-141). Times are real.
create table provider_health (
  provider_id uuid primary key references providers (id) on delete cascade,
  unanswered_in_row integer not null default 0,
  circuit text not null default 'CLOSED' check (circuit in ('CLOSED', 'OPEN')),
  opened_at timestamptz,
  try_at timestamptz
);

-- Calls in slices of ten seconds, kept for a day: how many had an answer, and how long they took.
create table provider_calls (
  provider_id uuid not null references providers (id) on delete cascade,
  port text not null,
  slice timestamptz not null,
  answered integer not null default 0,
  unanswered integer not null default 0,
  -- Durations in milliseconds, up to a hundred of the slice.
  durations integer[] not null default '{}',
  primary key (provider_id, port, slice)
);

-- What the service bore for a contradiction is an asset, like what platforms owe.
alter table ledger_balances drop constraint ledger_balances_sign;
alter table ledger_balances add constraint ledger_balances_sign check (
  case when account like 'RECEIVABLE:%' or account like 'CARD_SHORTFALL:%' or account like 'LOSS:%'
    then amount <= 0 else amount >= 0 end
);
