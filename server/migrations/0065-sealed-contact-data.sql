-- Contact data that is sealed (OPER-78); the plain columns then hold blind indexes, or nothing. Columns of JSON need no
-- other: a sealed value is a string in them.
alter table customers add column sealed_contact bytea;
alter table wallet_credentials add column sealed_nickname bytea;
alter table wallet_sessions add column sealed_nickname bytea;

-- An operator finds a customer by its e-mail address or phone number, sealed or not.
create index customers_by_email on customers (platform_id, lower(email)) where email is not null;
create index customers_by_phone on customers (platform_id, phone_number) where phone_number is not null;
