-- Lists of customers that were changed in a while are read from one index, without a look at each customer: the time of
-- the change stands beside each of its currencies and in the indexes that lists walk. `customers_by_update` has it
-- already, so that no change writes to more indexes of customers than before.

-- By triggers, since processes of an older release that still serve know nothing of it. The one of customers comes
-- first: from here on nobody changes one, and locks are taken in the order in which the service takes them.
create function carry_time_of_change() returns trigger language plpgsql as $$
begin
  update customer_currencies k set updated_at = new.updated_at
  where k.platform_id = new.platform_id and k.currency = any(new.currencies) and k.customer_type = new.customer_type
    and k.is_deleted = any('{false,true}') and k.created_at = new.created_at and k.customer_id = new.id;
  return null;
end $$;
create trigger carry_time_of_change after update of updated_at on customers
  for each row when (old.updated_at is distinct from new.updated_at) execute function carry_time_of_change();

create function find_time_of_change() returns trigger language plpgsql as $$
begin
  select c.updated_at into strict new.updated_at from customers c
  where c.platform_id = new.platform_id and c.id = new.customer_id;
  return new;
end $$;

alter table customer_currencies add column updated_at timestamptz;
create trigger find_time_of_change before insert on customer_currencies
  for each row when (new.updated_at is null) execute function find_time_of_change();
update customer_currencies k set updated_at = c.updated_at
from customers c where c.platform_id = k.platform_id and c.id = k.customer_id;
alter table customer_currencies alter column updated_at set not null;

alter table customer_currencies drop constraint customers_by_currency;
alter table customer_currencies add constraint customers_by_currency
  primary key (platform_id, currency, customer_type, is_deleted, created_at, customer_id) include (updated_at);
drop index customers_by_currency_and_region;
create index customers_by_currency_and_region
  on customer_currencies (platform_id, currency, region, customer_type, is_deleted, created_at, customer_id)
  include (updated_at) where region is not null;

drop index customers_by_creation;
create index customers_by_creation on customers (platform_id, customer_type, is_deleted, created_at, id)
  include (updated_at, erased_at);
drop index customers_by_region;
create index customers_by_region on customers (platform_id, region, customer_type, is_deleted, created_at, id)
  include (updated_at, erased_at) where region is not null;
