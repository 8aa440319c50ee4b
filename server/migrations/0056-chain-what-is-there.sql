-- Notes of entries that are there already move to audit_notes, and the entries wait to be chained. What is written
-- meanwhile is queued by its own statement; an entry that waits twice is chained once.
insert into audit_notes (platform_id, entry_id, salt, note)
select platform_id, id, new_audit_salt(), note from audit_entries where note is not null;

update audit_entries e set note = null, note_digest = sha256(n.salt || convert_to(n.note, 'UTF8'))
from audit_notes n where n.platform_id = e.platform_id and n.entry_id = e.id and e.note is not null;

insert into audit_pending (platform_id, id, entries)
select platform_id, (array_agg(id order by id))[1], array_agg(id order by id)
from (
  select platform_id, id, (row_number() over (partition by platform_id order by id) - 1) / 50 as part from audit_entries
) e
group by platform_id, part
on conflict do nothing;
