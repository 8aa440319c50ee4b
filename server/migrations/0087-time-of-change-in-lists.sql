-- Lists of customers that were changed in a while are read from one index, without a look at each customer: the time of
-- the change stands beside each of its currencies and in the indexes that lists walk. `customers_by_update` has it
-- already, so that no change writes to more indexes of customers than before.
alter table customer_currencies add column updated_at timestamptz;
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
