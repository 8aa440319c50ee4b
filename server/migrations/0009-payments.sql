-- Prices in production: units per 1 USD, kept by the operator or a feed. The service's own, the same for every platform.
create table market_prices (
  currency text primary key,
  numerator numeric not null check (numerator > 0),
  denominator numeric not null check (denominator > 0),
  set_at timestamptz not null
);

-- The rate in force between two currencies, by the platform's clock; a gas asset may stand in the place of one.
create table cached_rates (
  platform_id uuid not null references platforms,
  sending text not null,
  receiving text not null,
  -- Units of the receiving currency per unit of the sending one, exact.
  numerator numeric not null,
  denominator numeric not null,
  -- How old the prices were that it was made from.
  priced_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, sending, receiving)
) with (fillfactor = 70);

-- What the service charges a platform for a conversion, where the operator set it; in force for new quotes.
create table service_fees (
  platform_id uuid primary key references platforms,
  variable_fee_bps integer not null check (variable_fee_bps between 0 and 10000)
);

create table service_fixed_fees (
  platform_id uuid not null references platforms,
  currency text not null,
  -- Of a conversion that sends the currency; of taking the coin out over its network.
  conversion_fee bigint not null check (conversion_fee >= 0),
  withdrawal_fee bigint not null check (withdrawal_fee >= 0),
  primary key (platform_id, currency)
);

-- The operator's limits on what is sent in a currency. An empty receiving currency: towards any.
create table payment_limits (
  platform_id uuid not null references platforms,
  currency text not null,
  receiving_currency text not null,
  transaction_max bigint check (transaction_max > 0),
  daily_volume_max bigint check (daily_volume_max > 0),
  primary key (platform_id, currency, receiving_currency)
);

-- What was debited on a UTC day, in a currency as a whole (empty receiving currency) and towards each other one. The
-- limit that was met stands beside it, so that two transactions cannot pass it together. Written with the ledger and,
-- like it, without foreign keys.
create table daily_volumes (
  platform_id uuid not null,
  currency text not null,
  receiving_currency text not null,
  day date not null,
  amount bigint not null check (amount >= 0),
  ceiling bigint not null,
  primary key (platform_id, currency, receiving_currency, day),
  constraint daily_volumes_within_limit check (amount <= ceiling)
) with (fillfactor = 70);

-- A price that holds until it expires. Its transaction, which has the same uuid and is written with it, says what became
-- of it; nothing here ever changes.
create table quotes (
  platform_id uuid not null,
  id uuid not null,
  -- Both sides as they were asked for.
  source jsonb not null,
  destination jsonb not null,
  locked_side text not null check (locked_side in ('SENDING', 'RECEIVING')),
  -- Receiving smallest units per sending smallest unit, exact.
  rate_numerator numeric not null,
  rate_denominator numeric not null,
  purpose_of_payment text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (platform_id, id)
);

-- Refunds over a rail that the operator has to send by hand.
create index transactions_awaiting_refund on transactions (platform_id, created_at, id) where refund_status = 'PENDING';

-- Money from outside that the operator reports: what arrived, and where it is now. It is known before its owner is, so
-- it stands with the house of its environment (CORE-23). Its id is that of the transaction it makes for its owner.
create table deposits (
  platform_id uuid not null references platforms,
  id uuid not null,
  status text not null check (status in ('UNATTRIBUTED', 'HELD', 'TAKEN', 'RETURNING', 'RETURNED')),
  -- Why it is nobody's; null once it is somebody's from the start.
  reason text,
  amount bigint not null check (amount > 0),
  currency text not null,
  rail text not null,
  -- What the bank or the chain calls the movement: none is taken twice.
  trace text not null,
  paid_to text,
  reference text,
  sender text,
  -- Whose it became, and by which transaction.
  owner_platform_id uuid,
  transaction_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  constraint deposits_once unique (platform_id, rail, trace)
);

create index deposits_open on deposits (platform_id, created_at, id)
  where status in ('UNATTRIBUTED', 'HELD', 'RETURNING');
create index deposits_newest on deposits (platform_id, created_at desc, id desc);
