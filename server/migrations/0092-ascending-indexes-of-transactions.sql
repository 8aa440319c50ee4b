-- Lists of transactions read these indexes backwards. In ascending order a new row comes at the end of its group, where
-- PostgreSQL fills pages before it begins the next; at the front of its group it splits full pages in halves.
drop index transactions_by_destination;
create index transactions_by_destination on transactions (platform_id, destination_identifier, created_at, id)
  where destination_identifier is not null;
drop index transactions_by_source;
create index transactions_by_source on transactions (platform_id, source_identifier, created_at, id)
  where source_identifier is not null;
drop index transactions_by_status;
create index transactions_by_status on transactions (platform_id, status, created_at, id);
drop index transactions_by_type;
create index transactions_by_type on transactions (platform_id, type, created_at, id);
drop index transactions_newest;
create index transactions_newest on transactions (platform_id, created_at, id);
drop index transactions_of_card;
create index transactions_of_card on transactions (platform_id, card_id, created_at, id) where card_id is not null;
drop index transactions_of_customer;
create index transactions_of_customer on transactions (platform_id, customer_id, created_at, id);
drop index transactions_of_platform_customer;
create index transactions_of_platform_customer on transactions (platform_id, platform_customer_id, created_at, id)
  where platform_customer_id is not null;
