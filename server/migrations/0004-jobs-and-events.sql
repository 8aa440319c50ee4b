-- Work to be done later, in the platform's own time. Effect and completion commit together.
create table jobs (
  platform_id uuid not null references platforms,
  id uuid not null,
  name text not null,
  -- Says what the job is about; a second waiting job of the same name and key is not made.
  key text,
  payload jsonb not null,
  due_at timestamptz not null,
  state text not null check (state in ('WAITING', 'DONE', 'DEAD')),
  attempts integer not null default 0,
  -- Set while a process calls the outside for this job; past it, another process may take over (real time).
  leased_until timestamptz,
  last_error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (platform_id, id)
) with (fillfactor = 80);

create unique index jobs_one_waiting on jobs (platform_id, name, key) where state = 'WAITING' and key is not null;
create index jobs_due on jobs (due_at, id) where state = 'WAITING';
create index jobs_due_of_platform on jobs (platform_id, due_at, id) where state = 'WAITING';
create index jobs_dead on jobs (platform_id, id) where state = 'DEAD';

-- The outbox: what happened, rendered when it happened. `position` is the order of writing, `sequence` the gapless
-- number the dispatcher gives a platform's committed events.
create table events (
  platform_id uuid not null references platforms,
  id uuid not null,
  position bigint generated always as identity,
  sequence bigint,
  type text not null,
  resource_id text,
  at timestamptz not null,
  -- The very bytes that are signed and sent: {id, type, timestamp, data}.
  body text not null,
  delivery_status text not null check (delivery_status in ('PENDING', 'DELIVERED', 'FAILED', 'SKIPPED')),
  next_attempt_at timestamptz,
  attempt_count integer not null default 0,
  first_attempt_done boolean not null default false,
  primary key (platform_id, id)
) with (fillfactor = 80);

create unique index events_by_position on events (platform_id, position);
create unique index events_by_sequence on events (platform_id, sequence) where sequence is not null;
create index events_by_type on events (platform_id, type, position);
create index events_unnumbered on events (position) where sequence is null;
create index events_awaiting_first_attempt on events (platform_id, resource_id, sequence) where not first_attempt_done;
create index events_by_age on events (platform_id, at);

create table event_counters (
  platform_id uuid primary key references platforms,
  last_sequence bigint not null
);

create table event_attempts (
  platform_id uuid not null,
  event_id uuid not null,
  number integer not null,
  at timestamptz not null,
  url text not null,
  response_status integer,
  error text,
  duration_ms integer not null,
  primary key (platform_id, event_id, number),
  foreign key (platform_id, event_id) references events on delete cascade
);
