-- What the API was asked and what it answered. Requests without a platform lie with the house of production. Ids are
-- those of the requests and follow time, so that the primary key is the order of the list, finds a request by its id and
-- tells what is old; no further index slows the requests down. Rows live for days: nothing refers to them, and they
-- refer to nothing.
create table request_log (
  platform_id uuid not null,
  id uuid not null,
  client_request_id text,
  at timestamptz not null,
  method text not null,
  path text not null,
  operation text,
  status integer not null,
  duration_ms integer not null,
  -- As audit entries call it.
  actor text,
  idempotency_key text,
  -- The code of a refusal.
  error text,
  -- Query, request and answer, redacted and sealed for the id; null where they are not kept.
  content bytea,
  -- The ids in the content, by which it is found when a customer is erased.
  mentions uuid[] not null default '{}',
  primary key (platform_id, id)
);
create index request_log_by_client_id on request_log (client_request_id) where client_request_id is not null;

-- What was not written because too much came at once, by hour.
create table request_log_drops (
  platform_id uuid not null,
  hour timestamptz not null,
  requests integer not null,
  bodies integer not null,
  primary key (platform_id, hour)
);
