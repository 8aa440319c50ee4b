-- What the overview of the dashboard is drawn from: sums by the hour, kept up by a job. Hours of payments, cards and
-- balances are of the platform's own clock; those of events, and of what waits, are of real time. Balances are kept as
-- changes; what is older than all that is shown lies in one row at the beginning of time.
create table hourly_figures (
  platform_id uuid not null,
  name text not null,
  hour timestamptz not null,
  -- Empty where the figure has none.
  currency text not null default '',
  count bigint not null default 0,
  -- In smallest units; a sum may be wider than any integer.
  amount numeric not null default 0,
  primary key (platform_id, name, hour, currency)
);

-- How far the figures of a platform are kept up.
create table figure_marks (
  platform_id uuid primary key references platforms (id),
  -- Everything that was begun before has ended: hours before it are read again only where something in them changed.
  -- By the platform's clock and by real time; the second pair takes their place once it is old enough.
  payments_from timestamptz not null,
  events_from timestamptz not null,
  next_payments_from timestamptz not null,
  next_events_from timestamptz not null,
  -- Entries of the ledger with ids of before are in the balances.
  entries_until timestamptz not null,
  counted_at timestamptz not null
);
