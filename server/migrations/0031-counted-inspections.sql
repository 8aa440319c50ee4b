-- Times of the last inspections of documents through a link, oldest first.
alter table kyc_links add column inspected_at timestamptz[] not null default '{}';
