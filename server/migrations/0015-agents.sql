-- Programs that act for one customer, within a policy.
create table agents (
  platform_id uuid not null references platforms,
  id uuid not null,
  customer_id uuid not null,
  name text not null,
  is_paused boolean not null,
  -- As the interface shows it; what is not set is not there.
  policy jsonb not null,
  -- What was spent on a UTC day and in a UTC month, in the currency of the policy's limits; of other days it says nothing.
  usage_day date not null,
  daily_count integer not null check (daily_count >= 0),
  daily_spend bigint not null check (daily_spend >= 0),
  monthly_spend bigint not null check (monthly_spend >= 0),
  -- SHA-256 of the access token; null until a device code is redeemed.
  token_digest bytea,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (platform_id, id),
  constraint agents_token_unique unique (token_digest),
  foreign key (platform_id, customer_id) references customers
) with (fillfactor = 70);

create index agents_newest on agents (platform_id, created_at desc, id desc) where deleted_at is null;
create index agents_of_customer on agents (platform_id, customer_id, created_at desc, id desc) where deleted_at is null;

-- Codes by which a program becomes an agent. Only their digest is known, and a code alone says whose it is.
create table agent_device_codes (
  platform_id uuid not null,
  digest bytea not null,
  agent_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  redeemed_at timestamptz,
  -- Another code took its place.
  superseded_at timestamptz,
  primary key (platform_id, digest),
  constraint agent_device_codes_unique unique (digest),
  foreign key (platform_id, agent_id) references agents
);

create index agent_device_codes_of_agent on agent_device_codes (platform_id, agent_id);

-- Movements of money that agents asked for, each with a transaction. Written with the ledger and, like it, without
-- foreign keys.
create table agent_actions (
  platform_id uuid not null,
  id uuid not null,
  agent_id uuid not null,
  customer_id uuid not null,
  type text not null check (type in ('EXECUTE_QUOTE', 'TRANSFER_OUT', 'TRANSFER_IN')),
  status text not null check (status in ('PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'FAILED')),
  transaction_id uuid not null,
  -- The stamp of the wallet that pays, until the platform has decided.
  wallet_stamp text,
  rejection_reason text,
  failure_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  constraint agent_actions_one_per_transaction unique (platform_id, transaction_id),
  constraint agent_actions_rejection check (rejection_reason is null or status = 'REJECTED'),
  constraint agent_actions_failure check ((failure_reason is not null) = (status = 'FAILED')),
  constraint agent_actions_stamp check (wallet_stamp is null or status = 'PENDING_APPROVAL')
);

create index agent_actions_of_agent on agent_actions (platform_id, agent_id, created_at desc, id desc);
create index agent_actions_by_status on agent_actions (platform_id, status, created_at desc, id desc);
create index agent_actions_of_customer on agent_actions (platform_id, customer_id, status, created_at desc, id desc);
