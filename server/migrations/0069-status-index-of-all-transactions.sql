-- Completed transactions are in the index again: where most are of cards or expired, a list of the few that are completed
-- would read all the others.
drop index transactions_by_status;
create index transactions_by_status on transactions (platform_id, status, created_at desc, id desc);
