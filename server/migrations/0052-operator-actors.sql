-- What operators did, whether they came by themselves, by a token or as a user of the machine: little among what
-- platforms do.
create index audit_entries_by_operators on audit_entries (platform_id, id)
  where actor like 'operator%' or actor like 'local:%';
drop index audit_entries_of_operators;
