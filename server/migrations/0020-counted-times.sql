-- The latest requests to a link, oldest first; as many as its limit has to look at.
alter table kyc_links add column requested_at timestamptz[] not null default '{}';

-- The latest wrong proofs of a change of trust, oldest first, in the same way.
alter table sca_states add column trust_failed_at timestamptz[] not null default '{}';
