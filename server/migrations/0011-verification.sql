-- Uploaded files. The bytes are in the data folder, encrypted; this row is what keeps them there.
create table stored_files (
  platform_id uuid not null references platforms,
  id uuid not null,
  bytes bigint not null,
  -- SHA-256 of the plaintext.
  digest bytea not null,
  created_at timestamptz not null,
  primary key (platform_id, id)
);

-- The sweeper: which of the files found in the data folder are kept.
create unique index stored_files_by_id on stored_files (id);

-- Who owns or controls a business. Shown in the business too: customers.beneficial_owners.
create table beneficial_owners (
  platform_id uuid not null references platforms,
  id uuid not null,
  customer_id uuid not null,
  roles text[] not null check (cardinality(roles) > 0),
  ownership_percentage integer not null check (ownership_percentage between 0 and 100),
  -- The person's data without the government's number.
  personal_info jsonb not null,
  -- The government's number, sealed.
  identifier bytea not null,
  status text not null check (status in ('UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED', 'HOLD')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  foreign key (platform_id, customer_id) references customers
);

create index beneficial_owners_of_customer on beneficial_owners (platform_id, customer_id, created_at, id);
