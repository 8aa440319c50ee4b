-- The version of its lists that a screening provider named last (PROV-106).
create table screening_lists (
  provider_id uuid primary key references providers (id),
  version text not null,
  received_at timestamptz not null
);

-- Subjects that are to be screened again under it.
create table rescreenings (
  platform_id uuid not null,
  provider_id uuid not null references providers (id),
  subject text not null,
  -- Of an account, by which its provider is chosen.
  currency text,
  subject_created_at timestamptz not null,
  primary key (platform_id, provider_id, subject)
);
create index rescreenings_next on rescreenings (provider_id, subject_created_at, subject);
