-- An order of a restored database may have been sent after the backup: its provider is asked for it before it is sent.
alter table provider_orders add column asks_first boolean not null default false;
