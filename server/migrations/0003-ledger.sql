-- Journals and entries are never changed or deleted; a correction is a new journal. They have one writer, which makes
-- both in one statement, so no foreign key looks at every row again: that alone cost twice what writing them does.
-- `florin ledger check` does look.
create table ledger_journals (
  platform_id uuid not null,
  id uuid not null,
  type text not null,
  reference text not null,
  at timestamptz not null,
  primary key (platform_id, id),
  constraint ledger_journals_once unique (platform_id, reference, type)
);

create table ledger_entries (
  platform_id uuid not null,
  journal_id uuid not null,
  line smallint not null,
  -- The order of an account's entries: given while its balance is locked.
  position bigint generated always as identity,
  account text not null,
  currency text not null,
  amount bigint not null check (amount <> 0),
  -- The account's balance after this line; null on accounts whose balance is the sum of their entries.
  balance_after bigint,
  primary key (platform_id, journal_id, line)
);

create index ledger_entries_by_account on ledger_entries (platform_id, account, currency, position);

-- One row per account that must keep its sign. The sign is the database's to enforce. An account of one transaction
-- has a row only while there is something on it.
create table ledger_balances (
  platform_id uuid not null,
  account text not null,
  currency text not null,
  amount bigint not null,
  primary key (platform_id, account, currency),
  constraint ledger_balances_sign check (
    case when account like 'RECEIVABLE:%' or account like 'CARD_SHORTFALL:%' then amount <= 0 else amount >= 0 end
  )
) with (fillfactor = 70);
