-- The account that a deposit came from, sealed: a return goes there (PROV-83).
alter table deposits add column sender_account bytea;
