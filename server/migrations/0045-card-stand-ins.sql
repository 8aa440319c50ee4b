-- What the provider decided by itself, where it got no decision in time (PROV-116).
alter table card_authorizations add column stand_in text check (stand_in in ('APPROVED', 'DECLINED'));
