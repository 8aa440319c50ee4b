-- An event of a platform without an endpoint is not sent, so it has no row in event_deliveries any more. What it is about
-- stands with the event; of events from before it stands with their deliveries alone.
alter table events add column resource_id text;
