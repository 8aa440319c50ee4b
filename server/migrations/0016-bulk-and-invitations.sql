-- An inviting platform's invitations. Whoever has the code may read and claim: by it they are found across platforms.
create table invitations (
  platform_id uuid not null references platforms,
  code text collate "C" not null,
  inviter_id uuid not null,
  inviter_uma text not null,
  first_name text,
  amount bigint check (amount > 0),
  currency text,
  status text not null check (status in ('PENDING', 'CLAIMED', 'EXPIRED', 'CANCELLED')),
  expires_at timestamptz,
  invitee_platform_id uuid references platforms,
  invitee_uma text,
  claimed_at timestamptz,
  created_at timestamptz not null,
  primary key (platform_id, code),
  constraint invitations_amount check (num_nulls(amount, currency) in (0, 2)),
  constraint invitations_claim check (
    num_nonnulls(invitee_platform_id, invitee_uma, claimed_at) = case when status = 'CLAIMED' then 3 else 0 end)
) with (fillfactor = 80);

create unique index invitations_by_code on invitations (code);
create index invitations_pending_of_customer on invitations (platform_id, inviter_id) where status = 'PENDING';

-- An uploaded file of customers and how far it is imported. Row effects and progress commit together.
create table bulk_imports (
  platform_id uuid not null references platforms,
  id uuid not null,
  file_id uuid not null,
  status text not null check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  -- The header, once the file was found usable.
  columns text[] not null default '{}',
  -- Where in the file the next row begins.
  next_byte integer not null default 0,
  total integer not null default 0,
  successful integer not null default 0,
  failed integer not null default 0,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (platform_id, id),
  constraint bulk_imports_progress check (successful + failed <= total),
  constraint bulk_imports_end check ((completed_at is not null) = (status in ('COMPLETED', 'FAILED')))
) with (fillfactor = 80);

-- Why rows failed: the first thousand of an import.
create table bulk_import_errors (
  platform_id uuid not null,
  import_id uuid not null,
  -- Counts records, the header being 1.
  row integer not null,
  entry jsonb not null,
  primary key (platform_id, import_id, row)
);
