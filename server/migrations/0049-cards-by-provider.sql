-- A processor names a card by our id in every authorization (PROV-112).
create index cards_of_provider_by_id on cards (provider_id, id) where provider_id is not null;
