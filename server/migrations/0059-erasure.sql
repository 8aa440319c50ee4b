-- Personal data of a customer can be erased while its row stays (OPER-73), unless a legal hold forbids it (OPER-71).
alter table customers add column erased_at timestamptz, add column legal_hold_since timestamptz;
create index customers_erased on customers (erased_at, id) where erased_at is not null;

-- What is erased of a row that stays.
alter table external_accounts alter column account_info drop not null, alter column duplicate_index drop not null;
alter table screenings alter column matches drop not null;
alter table alerts alter column content drop not null;
alter table order_reports alter column content drop not null;
