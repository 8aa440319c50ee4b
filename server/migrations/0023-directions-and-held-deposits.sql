-- Whether a payment out takes money from its owner or brings the owner's own money in from outside. Null on payments that
-- were made before it was recorded: they take. Not validated, since the rows that are there hold nothing.
alter table transactions add column direction text;
alter table transactions add constraint transactions_direction_check check (direction in ('CREDIT', 'DEBIT')) not valid;

-- Deposits that wait for a customer's data, by the platform whose customer it is. Few at any time.
create index deposits_awaiting_data on deposits (owner_platform_id, id)
  where status = 'HELD' and reason = 'PROVIDER_DATA_MISSING';
