-- The id that the client chose for its request, beside request_id, which is the service's own since this migration.
alter table audit_entries add column client_request_id text;
