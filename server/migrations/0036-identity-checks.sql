-- Addresses of documents that a provider got with an order; the address itself is a secret (PROV-91).
create table provider_file_links (
  token_digest bytea not null unique check (octet_length(token_digest) = 32),
  platform_id uuid not null,
  order_id uuid not null,
  document_id uuid not null,
  -- The file at that time; a replacement is not served.
  file_id uuid not null,
  expires_at timestamptz not null,
  foreign key (platform_id, order_id) references provider_orders (platform_id, id),
  primary key (platform_id, token_digest)
);
create index provider_file_links_order on provider_file_links (platform_id, order_id);

-- What a provider decided about a verification, with its sealed evidence, for reviewers (PROV-92).
create table identity_decisions (
  platform_id uuid not null,
  order_id uuid not null,
  provider_id uuid not null references providers (id),
  verification_id uuid not null,
  decision text not null check (decision in ('APPROVED', 'REJECTED', 'MORE_NEEDED', 'REVIEW')),
  evidence bytea,
  decided_at timestamptz not null,
  primary key (platform_id, order_id),
  foreign key (platform_id, order_id) references provider_orders (platform_id, id),
  foreign key (platform_id, verification_id) references verifications (platform_id, id)
);
create index identity_decisions_verification on identity_decisions (platform_id, verification_id);
