-- The brand in which an event was first sent: its retries and redeliveries carry the same bytes, also after the setting
-- has changed. Null until the attempt is taken up, and on attempts of processes that knew no brand in bodies.
alter table event_attempts add column wire_brand text;
