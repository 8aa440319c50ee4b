-- Events of one resource that are written together differ in a few members, so all but the last are kept as their
-- difference from the last. `events` shows every event with the whole body, byte for byte as it is signed and sent.
alter table events rename to event_rows;
-- A body that is sealed (OPER-78), or that was written before data was shared.
alter table event_rows rename column body to whole_body;
alter table event_rows alter column whole_body drop not null;
-- The JSON of the resource; where base_id is set, its difference from the data of that event.
alter table event_rows add column data text;
alter table event_rows add column base_id uuid;

-- A difference is a line of numbers, three for each cut, and behind it the bytes that the base does not have. A cut copies
-- from a place in the base so many bytes, and then takes so many of its own.
create function event_data(base text, difference text) returns text language plpgsql immutable strict as $$
declare
  source bytea := convert_to(base, 'UTF8');
  line text := split_part(difference, E'\n', 1);
  own bytea := convert_to(substr(difference, length(line) + 2), 'UTF8');
  cuts integer[] := string_to_array(line, ' ');
  made bytea := '';
  at integer := 1;
begin
  for cut in 1 .. array_length(cuts, 1) by 3 loop
    made := made || substring(source from cuts[cut] + 1 for cuts[cut + 1]) || substring(own from at for cuts[cut + 2]);
    at := at + cuts[cut + 2];
  end loop;
  return convert_from(made, 'UTF8');
end $$;

create view events as
select r.platform_id, r.id, r.position, r.type, r.at, r.resource_id,
  coalesce(r.whole_body, '{"id":"Webhook:' || r.id || '","type":"' || r.type || '","timestamp":"'
    || to_char(r.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","data":'
    || case when r.base_id is null then r.data else event_data(
         (select b.data from event_rows b where b.platform_id = r.platform_id and b.id = r.base_id), r.data) end
    || '}') as body
from event_rows r;

-- For processes of an older build, which write into `events`.
create function insert_whole_event() returns trigger language plpgsql as $$
begin
  insert into event_rows (platform_id, id, position, type, at, resource_id, whole_body)
  values (new.platform_id, new.id, new.position, new.type, new.at, new.resource_id, new.body);
  return new;
end $$;

create trigger events_inserted instead of insert on events for each row execute function insert_whole_event();

-- The service's role may use the view as soon as it is there, and not only after all migrations.
do $$
declare given record;
begin
  for given in
    select grantee, privilege_type from information_schema.role_table_grants
    where table_schema = 'public' and table_name = 'event_rows' and grantee <> current_user
  loop
    execute format('grant %s on events to %I', given.privilege_type, given.grantee);
  end loop;
end $$;
