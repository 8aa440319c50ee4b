-- Work to be done later, in the platform's own time. Effect and completion commit together.
create table jobs (
  platform_id uuid not null,
  id uuid not null,
  name text not null,
  -- Says what the job is about; a second waiting job of the same name and key is not made.
  key text,
  payload jsonb not null,
  due_at timestamptz not null,
  state text not null check (state in ('WAITING', 'DEAD')),
  attempts integer not null default 0,
  -- Set while a process calls the outside for this job; past it, another process may take over (real time).
  leased_until timestamptz,
  last_error text,
  created_at timestamptz not null,
  primary key (platform_id, id)
) with (fillfactor = 80);

create unique index jobs_one_waiting on jobs (platform_id, name, key) where state = 'WAITING' and key is not null;
create index jobs_due on jobs (due_at, id) where state = 'WAITING';
create index jobs_due_of_platform on jobs (platform_id, due_at, id) where state = 'WAITING';
create index jobs_dead on jobs (platform_id, id) where state = 'DEAD';

create sequence event_positions;

-- The outbox: what happened, rendered when it happened; never changed. `position` is the order of writing.
create table events (
  platform_id uuid not null,
  id uuid not null,
  position bigint not null,
  type text not null,
  at timestamptz not null,
  -- The very bytes that are signed and sent: {id, type, timestamp, data}.
  body text not null,
  primary key (platform_id, id)
);

create unique index events_by_position on events (platform_id, position);
create index events_by_type on events (platform_id, type, position);

-- How far an event has come on its way to the platform: apart from it, so that what changes stays small. Written and
-- removed together with its event, by one statement each, which is why no foreign key has to say so.
create table event_deliveries (
  platform_id uuid not null,
  event_id uuid not null,
  position bigint not null,
  -- The gapless number that the dispatcher gives a platform's committed events.
  sequence bigint,
  -- What the event is about: first attempts of one resource keep their order.
  resource_id text,
  at timestamptz not null,
  sending text not null check (sending in ('RETRIED', 'ONCE', 'ASKED')),
  status text not null check (status in ('PENDING', 'DELIVERED', 'FAILED', 'SKIPPED')),
  -- Attempts of the schedule that have ended.
  attempt_count integer not null default 0,
  first_attempt_done boolean not null default false,
  primary key (platform_id, event_id)
) with (fillfactor = 70);

create index event_deliveries_unnumbered on event_deliveries (position) where sequence is null;
create index event_deliveries_awaiting_first_attempt on event_deliveries (platform_id, resource_id, sequence)
  where not first_attempt_done;

create table event_counters (
  platform_id uuid primary key references platforms,
  last_sequence bigint not null
);

-- An attempt is a row from the moment it is due (platform time); `at` is set once it has ended.
create table event_attempts (
  platform_id uuid not null,
  event_id uuid not null,
  id bigint generated always as identity,
  -- 1, 2, … of the schedule; null for a redelivery, which the schedule does not count.
  number integer,
  due_at timestamptz not null,
  -- Set while a process sends it; past it, another process may send it again (real time).
  leased_until timestamptz,
  at timestamptz,
  url text,
  response_status integer,
  error text,
  duration_ms integer,
  primary key (platform_id, event_id, id),
  foreign key (platform_id, event_id) references event_deliveries on delete cascade,
  check ((at is null) = (url is null) and (at is null) = (duration_ms is null))
) with (fillfactor = 70);

create index event_attempts_due on event_attempts (platform_id, due_at, id) where at is null;
create unique index event_attempts_one_waiting on event_attempts (platform_id, event_id)
  where at is null and number is not null;
