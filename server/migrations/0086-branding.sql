-- How the hosted pages look for a platform: a name, a color, and which logo. The logo itself is in a table of its own,
-- so that reading a configuration does not read it.
alter table platforms add column branding jsonb;
create table platform_logos (
  platform_id uuid primary key references platforms (id),
  digest text not null,
  media_type text not null check (media_type in ('image/png', 'image/jpeg')),
  logo bytea not null
);
create index platform_logos_digest on platform_logos (digest);
