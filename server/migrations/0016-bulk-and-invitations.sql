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
