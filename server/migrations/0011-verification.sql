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

-- Papers of customers and of their owners.
create table documents (
  platform_id uuid not null references platforms,
  id uuid not null,
  holder_kind text not null check (holder_kind in ('customer', 'beneficialOwner')),
  holder_id uuid not null,
  -- The holder, or the business that the holder owns.
  customer_id uuid not null,
  document_type text not null,
  side text check (side in ('FRONT', 'BACK')),
  country text not null,
  -- The government's number, sealed.
  document_number bytea,
  issuing_authority text,
  file_name text not null,
  media_type text not null check (media_type in ('application/pdf', 'image/jpeg', 'image/png')),
  -- Another one after every replacement.
  file_id uuid not null,
  digest bytea not null,
  -- When these bytes came, which a replacement moves.
  uploaded_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  foreign key (platform_id, customer_id) references customers,
  foreign key (platform_id, file_id) references stored_files
);

-- GET /documents, without and with a holder.
create index documents_by_creation on documents (platform_id, created_at, id);
create index documents_by_holder on documents (platform_id, holder_id, created_at, id);
create index documents_of_customer on documents (platform_id, customer_id, created_at, id);
-- Checks that a file which is erased is nobody's any more.
create index documents_by_file on documents (platform_id, file_id);

-- Whether customers are who they claim to be.
create table verifications (
  platform_id uuid not null references platforms,
  id uuid not null,
  customer_id uuid not null,
  status text not null
    check (status in ('RESOLVE_ERRORS', 'IN_PROGRESS', 'PENDING_MANUAL_REVIEW', 'APPROVED', 'REJECTED')),
  errors jsonb not null,
  -- What a reviewer asked for, each with what was there when it was asked: outstanding until that has changed.
  reviewer_entries jsonb not null,
  -- What is, or was, under review.
  snapshot_id uuid,
  submitted_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  foreign key (platform_id, customer_id) references customers
) with (fillfactor = 85);

create unique index verifications_one_open on verifications (platform_id, customer_id)
  where status in ('RESOLVE_ERRORS', 'IN_PROGRESS', 'PENDING_MANUAL_REVIEW');
-- GET /verifications, under each of its filters.
create index verifications_by_creation on verifications (platform_id, created_at, id);
create index verifications_by_status on verifications (platform_id, status, created_at, id);
create index verifications_of_customer on verifications (platform_id, customer_id, created_at, id);
-- The operator's queue.
create index customers_undecided on customers (platform_id, id)
  where status in ('PENDING', 'HOLD') and not is_deleted;

-- What was submitted, as it was then, sealed. Append-only.
create table verification_snapshots (
  platform_id uuid not null references platforms,
  id uuid not null,
  verification_id uuid not null,
  taken_at timestamptz not null,
  content bytea not null,
  primary key (platform_id, id),
  foreign key (platform_id, verification_id) references verifications
);

create table verification_snapshot_documents (
  platform_id uuid not null,
  snapshot_id uuid not null,
  document_id uuid not null,
  primary key (platform_id, snapshot_id, document_id),
  foreign key (platform_id, snapshot_id) references verification_snapshots
);

-- Customers whom the operator has put on hold, and what they were before.
create table customer_holds (
  platform_id uuid not null references platforms,
  customer_id uuid not null,
  status_before text not null check (status_before in ('PENDING', 'APPROVED')),
  held_at timestamptz not null,
  primary key (platform_id, customer_id),
  foreign key (platform_id, customer_id) references customers
);

-- Links to the hosted flow; whoever has the token has the link.
create table kyc_links (
  platform_id uuid not null references platforms,
  id uuid not null,
  customer_id uuid not null,
  token_digest bytea not null,
  redirect_uri text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (platform_id, id),
  foreign key (platform_id, customer_id) references customers
);

create unique index kyc_links_by_token on kyc_links (token_digest);
