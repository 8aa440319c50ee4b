-- Why a person has to look at a customer: what a screening or an alert found about it or one of its owners.
create table review_flags (
  platform_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  -- The id of the customer, owner or account as the API shows it.
  subject text not null,
  reason text not null,
  -- INFO: it stands on the review list and stops nothing.
  level text not null check (level in ('INFO', 'REVIEW', 'BLOCK')),
  raised_at timestamptz not null,
  closed_at timestamptz,
  primary key (platform_id, id),
  foreign key (platform_id, customer_id) references customers (platform_id, id)
);
create unique index review_flags_open on review_flags (platform_id, customer_id, subject, reason) where closed_at is null;
create index review_flags_customer on review_flags (platform_id, customer_id);

-- What identity and screening providers say about customers and owners by themselves (PROV-96).
create table alerts (
  platform_id uuid not null,
  id uuid not null,
  provider_id uuid not null references providers (id),
  -- The provider's own id of it.
  outside_id text not null,
  subject text not null,
  kind text not null check (kind in ('SANCTIONS', 'PEP', 'ADVERSE_MEDIA', 'DOCUMENT_EXPIRED', 'OTHER')),
  level text not null check (level in ('REVIEW', 'BLOCK')),
  -- Sealed: the message and the matches.
  content bytea not null,
  raised_at timestamptz not null,
  received_at timestamptz not null,
  primary key (platform_id, id)
);
create unique index alerts_outside_id on alerts (provider_id, outside_id);
create index alerts_subject on alerts (platform_id, subject, received_at);
