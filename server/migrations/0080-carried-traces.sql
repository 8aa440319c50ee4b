-- Which trace left an event, a job or an order to be done later. Rows are written only while tracing is on, are read once
-- or twice and live for a day. Losing them costs a picture and no data, so the table writes no WAL: a crash empties it.
create unlogged table carried_traces (
  platform_id uuid not null,
  -- Of the event, job or order; follows time, so that the key tells what is old.
  id uuid not null,
  -- As the W3C header writes it.
  traceparent text not null,
  primary key (platform_id, id)
);
