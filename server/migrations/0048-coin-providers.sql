-- The registered provider that verified a link, and alone gets its credentials. Null: the built-in one of the sandbox.
alter table stablecoin_provider_accounts add column served_by uuid references providers;
