-- What an audit entry says beside who and what, kept apart so that it can be erased: the entry holds a digest of salt and
-- note, which an erased note leaves as it is.
create table audit_notes (
  platform_id uuid not null,
  entry_id uuid not null,
  salt bytea,
  note text,
  -- Why the note is gone.
  erased_because text,
  erased_at timestamptz,
  primary key (platform_id, entry_id),
  check ((note is null) = (erased_because is not null))
);

alter table audit_entries add column note_digest bytea;

-- The entries of a platform in one order, each hash over the one before, so that a later change shows.
create table audit_chain (
  platform_id uuid not null,
  seq bigint not null,
  entry_id uuid not null,
  hash bytea not null check (octet_length(hash) = 32),
  -- In real time; entries have the time of their platform.
  chained_at timestamptz not null,
  primary key (platform_id, seq)
);
create unique index audit_chain_entries on audit_chain (platform_id, entry_id);

-- Entries that wait to be chained, one row for what one statement wrote; id is that of the first.
create table audit_pending (
  platform_id uuid not null,
  id uuid not null,
  entries uuid[] not null,
  primary key (platform_id, id)
);

create function queue_audit_entries() returns trigger language plpgsql as $$
begin
  insert into audit_pending (platform_id, id, entries)
  select platform_id, (array_agg(id))[1], array_agg(id) from entered group by platform_id;
  return null;
end $$;

create trigger audit_entries_queued after insert on audit_entries
  referencing new table as entered for each statement execute function queue_audit_entries();

create function new_audit_salt() returns bytea language sql volatile as $$
  select substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16)
$$;

-- The column note is for processes of an older build, which still write it: their notes go where the others are.
create function part_audit_note() returns trigger language plpgsql as $$
declare added bytea := new_audit_salt();
begin
  insert into audit_notes (platform_id, entry_id, salt, note) values (new.platform_id, new.id, added, new.note);
  new.note_digest := sha256(added || convert_to(new.note, 'UTF8'));
  new.note := null;
  return new;
end $$;

create trigger audit_entries_parted before insert on audit_entries
  for each row when (new.note is not null) execute function part_audit_note();

-- The only way by which a note goes: it says why, and the row stays.
create function erase_audit_notes(platform uuid, entries uuid[], because text, moment timestamptz) returns bigint
  language sql security definer set search_path = pg_catalog, pg_temp as $$
  with erased as (
    update public.audit_notes set note = null, salt = null, erased_because = because, erased_at = moment
    where platform_id = platform and entry_id = any (entries) and note is not null
    returning 1)
  select count(*) from erased
$$;
