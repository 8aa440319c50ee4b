-- Most transactions are COMPLETED, so the list of these reads the newest; every other status keeps its index.
drop index transactions_by_status;
create index transactions_by_status on transactions (platform_id, status, created_at desc, id desc)
  where status <> 'COMPLETED';

-- The provider of a message is known by its signature, and providers are never deleted (decision 0005).
alter table provider_messages drop constraint provider_messages_provider_id_fkey;
