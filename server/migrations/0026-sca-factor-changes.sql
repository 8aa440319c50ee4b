-- When the session began: changes of factors ask for a login of the last ten minutes.
alter table sca_states add column logged_in_at timestamptz;

-- A number that took the place of another on the platform's word: no factor before a code sent there was answered.
-- Only where the region wants no phone channel verified; elsewhere customers.phone_status says it.
alter table sca_states add column is_phone_unproven boolean not null default false;

-- When new passwords at the platform last cleared the failed attempts, oldest first; as many as the limit looks at.
alter table sca_states add column cleared_at timestamptz[] not null default '{}';

-- The passkey that was enrolled when the challenge was issued: no other proves it. Null where none may be used, and in
-- challenges of a process from before this column, which a passkey cannot prove.
alter table sca_challenges add column passkey_credential_id text;
alter table sca_challenges add column passkey_rp_id text;
