-- What a provider outside asked about a card, with the decision that a repetition gets (PROV-115). Written with the ledger
-- and, like it, without foreign keys.
create table card_authorizations (
  provider_id uuid not null,
  network_reference text not null,
  kind text not null,
  platform_id uuid not null,
  card_id uuid not null,
  -- Null for a balance inquiry.
  card_transaction_id uuid,
  digest bytea not null check (octet_length(digest) = 32),
  -- The last other content that came under the same reference.
  other_digest bytea check (octet_length(other_digest) = 32),
  decision jsonb not null,
  created_at timestamptz not null,
  constraint card_authorizations_decided_once primary key (platform_id, provider_id, network_reference, kind)
);
create index card_authorizations_reference on card_authorizations (provider_id, network_reference);
