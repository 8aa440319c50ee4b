-- What providers of prices state: units per 1 USD, at real time.
create table provider_prices (
  provider_id uuid not null references providers,
  currency text not null,
  bid numeric not null check (bid > 0),
  ask numeric not null check (ask >= bid),
  at timestamptz not null,
  valid_until timestamptz not null,
  primary key (provider_id, currency)
);

-- The fee of a payout over a network, in the smallest unit of its gas asset.
create table provider_network_fees (
  provider_id uuid not null references providers,
  network text not null,
  fee bigint not null check (fee >= 0),
  at timestamptz not null,
  valid_until timestamptz not null,
  primary key (provider_id, network)
);

-- The part of a conversion that the rate keeps back. Two empty codes: every pair without a row of its own.
create table rate_spreads (
  platform_id uuid not null references platforms,
  sending text not null,
  receiving text not null,
  bps integer not null check (bps between 0 and 9999),
  primary key (platform_id, sending, receiving)
);
