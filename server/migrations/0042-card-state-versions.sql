-- How often a card was stopped or started again: processors ignore an older version than they have applied (PROV-111).
alter table cards add column state_version integer not null default 0;
