-- Filters of lists that an operator keeps under a name. They belong to a person, not to a platform.
create table saved_filters (
  -- The operator's id, or the name of somebody without a record.
  person text not null,
  section text not null,
  name text not null,
  -- As in the address of the list.
  query text not null,
  saved_at timestamptz not null,
  primary key (person, section, name)
);
