-- Balances that the operator returned to the platform. Each is one journal of type balance.returned with this reference;
-- the amount is in the book.
create table balance_returns (
  platform_id uuid not null references platforms,
  reference text not null,
  account_id uuid not null,
  reason text not null,
  returned_at timestamptz not null,
  primary key (platform_id, reference)
);

-- Null on a row whose status an older version of the service wrote last: then its last change of any kind.
alter table customers add column status_changed_at timestamptz;
update customers set status_changed_at = updated_at where status = 'REJECTED';

-- Whose balances the operator may return: few beside all customers.
create index customers_without_payments on customers (platform_id, id) where is_deleted or status = 'REJECTED';

-- What keeps a customer from being deleted.
create index stablecoin_operations_open on stablecoin_operations (platform_id, created_at, id)
  where status not in ('COMPLETED', 'FAILED', 'EXPIRED');
