-- The provider outside that issued a card and holds its number; null: the built-in issuer (PROV-110).
alter table cards add column provider_id uuid references providers (id);
create unique index cards_of_provider on cards (provider_id, processor_ref) where provider_id is not null;

-- Members of a body that are erased once the order cannot be sent any more, sealed.
alter table provider_orders add column sealed_secret bytea;
