-- What a provider outside reported about a card, each event taken once (PROV-117).
create table card_events (
  provider_id uuid not null,
  event_id text not null,
  platform_id uuid not null,
  card_id uuid not null,
  digest bytea not null check (octet_length(digest) = 32),
  content jsonb not null,
  status text not null check (status in ('APPLIED', 'WAITING', 'EXCEPTION')),
  card_transaction_id uuid,
  -- Of a return that is in force: its name, and what it gave back in the card's currency.
  return_id text,
  returned bigint check (returned > 0),
  received_at timestamptz not null,
  primary key (platform_id, provider_id, event_id),
  unique (provider_id, event_id),
  check ((return_id is null) = (returned is null))
);
create unique index card_events_returns on card_events (card_transaction_id, return_id) where return_id is not null;
