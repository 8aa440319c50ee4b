-- Events can be read as a stream. From the first stream of a platform on, all of its events have a delivery and so a
-- number, also without an endpoint. OPENING: transactions that began before may still write events without one.
alter table platforms add column event_stream text check (event_stream in ('OPENING', 'OPEN'));
alter table event_deliveries add column is_streamed boolean not null default false;
create index event_deliveries_streamed on event_deliveries (platform_id, sequence) where is_streamed;
-- The highest number of an event that was removed because of its age: a stream cannot be resumed before it.
alter table event_counters add column pruned_sequence bigint not null default 0;
