-- What the search of the operators finds people and companies by. Names are found by their trigrams, so also misspelt;
-- where the database cannot have the extension, they are found by their beginning. A customer whose contact data is
-- sealed has no name here.
do $$
begin
  create extension if not exists pg_trgm;
exception when others then
  raise notice 'pg_trgm cannot be made: %', sqlerrm;
end $$;

do $$
begin
  if exists (select from pg_extension where extname = 'pg_trgm') then
    create index customers_by_name on customers using gin
      (lower(coalesce(profile ->> 'fullName', profile -> 'businessInfo' ->> 'legalName')) gin_trgm_ops);
    create index agents_by_name on agents using gin (lower(name) gin_trgm_ops) where deleted_at is null;
    create index external_accounts_by_beneficiary on external_accounts using gin
      (lower(beneficiary_verified_name) gin_trgm_ops) where beneficiary_verified_name is not null;
  else
    create index customers_by_name_beginning on customers
      (lower(coalesce(profile ->> 'fullName', profile -> 'businessInfo' ->> 'legalName')) text_pattern_ops);
    create index agents_by_name_beginning on agents (lower(name) text_pattern_ops) where deleted_at is null;
    create index external_accounts_by_beneficiary_beginning on external_accounts
      (lower(beneficiary_verified_name) text_pattern_ops) where beneficiary_verified_name is not null;
  end if;
end $$;

-- The end of an id, as lists print it.
create index customers_by_id_end on customers (right(id::text, 8));
create index cards_by_last4 on cards (last4) where last4 is not null;
