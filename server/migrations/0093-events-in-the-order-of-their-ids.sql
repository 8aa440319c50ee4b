-- Ids rise in the order in which events are made, so that lists need no index by position beside that of the ids.
drop index events_by_position;
drop index events_by_type;
create index events_by_type on event_rows (platform_id, type, id);

-- An event that is kept as its difference from another one is about the same resource, which is written once.
create or replace view events as
select r.platform_id, r.id, r.position, r.type, r.at,
  case when r.base_id is null then r.resource_id else coalesce(r.resource_id,
    (select b.resource_id from event_rows b where b.platform_id = r.platform_id and b.id = r.base_id)) end as resource_id,
  coalesce(r.whole_body, '{"id":"Webhook:' || r.id || '","type":"' || r.type || '","timestamp":"'
    || to_char(r.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","data":'
    || case when r.base_id is null then r.data else event_data(
         (select b.data from event_rows b where b.platform_id = r.platform_id and b.id = r.base_id), r.data) end
    || '}') as body
from event_rows r;
