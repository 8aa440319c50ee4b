-- Whether an owner was decided with what his business submitted. NONE: no packet of the business was validated and
-- accepted, or the accepted one was returned. COVERED: in the accepted packet, or decided by an owner review.
-- OUTSIDE: added or materially changed since. OUTSIDE_MAJOR: the same, and is or was a control person or holds or held
-- 25 % or more, which a reviewer has to look at.
alter table beneficial_owners add column coverage text not null default 'NONE'
  check (coverage in ('NONE', 'COVERED', 'OUTSIDE', 'OUTSIDE_MAJOR'));

-- Opened for owners outside coverage, not by a submission.
alter table verifications add column is_owner_review boolean not null default false;

-- The operator's queue: owner reviews of businesses whose own status is decided.
create index verifications_owner_reviews on verifications (platform_id, customer_id)
  where is_owner_review and status in ('RESOLVE_ERRORS', 'IN_PROGRESS', 'PENDING_MANUAL_REVIEW');

-- Owners of businesses whose packet was validated: decided or under review, on a platform that asks for papers, or with
-- a registration number that leaves the decision to the operator.
update beneficial_owners o set coverage = case
    when o.created_at <= s.taken_at then 'COVERED'
    when o.ownership_percentage >= 25 or 'CONTROL_PERSON' = any (o.roles) then 'OUTSIDE_MAJOR'
    else 'OUTSIDE' end
  from customers c
  join platforms p on p.id = c.platform_id
  join lateral (select v.snapshot_id from verifications v
                where v.platform_id = c.platform_id and v.customer_id = c.id and v.snapshot_id is not null
                order by v.created_at desc, v.id desc limit 1) latest on true
  join verification_snapshots s on s.platform_id = c.platform_id and s.id = latest.snapshot_id
  where c.platform_id = o.platform_id and c.id = o.customer_id
    and c.status in ('PENDING', 'APPROVED', 'REJECTED', 'HOLD')
    and ((p.kind = 'UNREGULATED' and not p.skip_verification_paperwork)
      or right(rtrim(c.profile #>> '{businessInfo,registrationNumber}'), 3) in ('001', '003'));
