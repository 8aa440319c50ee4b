-- What screening providers found, kept for the file of the subject (PROV-107).
create table screenings (
  platform_id uuid not null,
  order_id uuid not null,
  provider_id uuid not null references providers (id),
  -- The id of the resource as the API shows it.
  subject text not null,
  verdict text not null check (verdict in ('CLEAR', 'REVIEW', 'BLOCK')),
  list_version text not null,
  -- Sealed: entries of lists that may be about the subject.
  matches bytea not null,
  decided_at timestamptz not null,
  primary key (platform_id, order_id),
  foreign key (platform_id, order_id) references provider_orders (platform_id, id)
);
create index screenings_subject on screenings (subject, decided_at);
