-- What a payout over a network costs in production, in smallest units of the network's gas asset; the operator sets it.
-- A network without a row is not served there.
create table network_fees (
  network text not null primary key,
  fee bigint not null check (fee >= 0),
  set_at timestamptz not null
);

-- What the outside calls a leg of a payment that was settled by hand: an end-to-end, trace or UETR id, of a wallet's payout
-- the transaction hash.
create table settlement_references (
  platform_id uuid not null,
  transaction_id uuid not null,
  id uuid not null,
  leg text not null check (leg in ('COLLECTION', 'PULL', 'PAYOUT', 'REFUND', 'RETURN')),
  outcome text not null check (outcome in ('CONFIRMED', 'FAILED')),
  reference text not null check (length(reference) between 1 and 140),
  recorded_at timestamptz not null,
  primary key (platform_id, transaction_id, id)
);
create index settlement_references_by_reference on settlement_references (platform_id, reference);
