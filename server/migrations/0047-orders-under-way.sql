-- How many orders a provider has under way is counted at every claim (PROV-42): without reading those of the past.
create index provider_orders_leased on provider_orders (provider_id, leased_until) where leased_until is not null;
