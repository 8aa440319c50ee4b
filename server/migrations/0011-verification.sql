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
