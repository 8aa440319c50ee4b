-- The keys of embedded wallets. The row is also the lock under which everything about one wallet is changed.
create table wallets (
  platform_id uuid not null references platforms,
  account_id uuid not null,
  customer_id uuid not null,
  -- What clients of the wallet's key know it by; fixed for life.
  organization_id uuid not null,
  wallet_id uuid not null,
  user_id uuid not null,
  -- The entropy of the mnemonic, sealed.
  seed bytea not null,
  -- Set when the customer is deleted: then the wallet is found no more.
  ended_at timestamptz,
  created_at timestamptz not null,
  primary key (platform_id, account_id)
);

create unique index wallets_of_customer on wallets (platform_id, customer_id);

-- One for each environment of a deployment; clients pin its public half, so it never changes.
create table wallet_signers (
  environment text primary key check (environment in ('SANDBOX', 'PRODUCTION')),
  -- The private scalar, sealed.
  scalar bytea not null
);

-- Ways to prove oneself to a wallet. A revoked one is gone.
create table wallet_credentials (
  platform_id uuid not null references platforms,
  id uuid not null,
  account_id uuid not null,
  customer_id uuid not null,
  type text not null check (type in ('OAUTH', 'EMAIL_OTP', 'SMS_OTP', 'PASSKEY')),
  -- Of an OTP credential: the address or number.
  nickname text not null,
  -- PASSKEY
  webauthn_id text,
  public_key bytea,
  algorithm integer,
  counter bigint,
  rp_id text,
  transports text[],
  -- OAUTH
  issuer text,
  audience text,
  subject text,
  -- The latest ones, oldest first; as many as the limits have to look at.
  issued_at timestamptz[] not null default '{}',
  challenged_at timestamptz[] not null default '{}',
  failed_at timestamptz[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  constraint wallet_credentials_passkey check ((type = 'PASSKEY')
    = (num_nonnulls(webauthn_id, public_key, algorithm, counter, rp_id, transports) = 6)),
  constraint wallet_credentials_oauth check ((type = 'OAUTH') = (num_nonnulls(issuer, audience, subject) = 3))
) with (fillfactor = 80);

create index wallet_credentials_of_account on wallet_credentials (platform_id, account_id, created_at, id);
create unique index wallet_credentials_one_otp on wallet_credentials (platform_id, account_id, type)
  where type in ('EMAIL_OTP', 'SMS_OTP');
create unique index wallet_credentials_passkeys on wallet_credentials (platform_id, account_id, webauthn_id)
  where type = 'PASSKEY';
create unique index wallet_credentials_identities
  on wallet_credentials (platform_id, account_id, issuer, audience, subject) where type = 'OAUTH';
create index wallet_credentials_by_contact on wallet_credentials (platform_id, type, lower(nickname))
  where type in ('EMAIL_OTP', 'SMS_OTP');

-- Challenges of registrations, as digests: each serves once on an account.
create table wallet_used_challenges (
  platform_id uuid not null references platforms,
  account_id uuid not null,
  challenge bytea not null,
  primary key (platform_id, account_id, challenge)
);

-- OIDC tokens that were used to log in, until they expire by themselves.
create table wallet_used_tokens (
  platform_id uuid not null references platforms,
  credential_id uuid not null,
  token_digest bytea not null,
  expires_at timestamptz not null,
  primary key (platform_id, credential_id, token_digest)
);

create index wallet_used_tokens_expired on wallet_used_tokens (platform_id, expires_at);

-- The code that is out for a credential; gone once it is used or void.
create table wallet_otps (
  platform_id uuid not null references platforms,
  credential_id uuid not null,
  id uuid not null,
  code_digest bytea not null,
  -- The private scalar of the key to which the code comes back sealed; sealed itself.
  target_scalar bytea not null,
  wrong_codes integer not null default 0,
  -- In force from here on; before it, the issue is still being worked on.
  ready_at timestamptz not null,
  -- False while nobody has been shown the bundle.
  shown boolean not null,
  expires_at timestamptz not null,
  primary key (platform_id, credential_id)
);

-- What waits for a signature.
create table wallet_requests (
  platform_id uuid not null references platforms,
  id uuid not null,
  operation text not null,
  resource_id uuid not null,
  account_id uuid not null,
  -- The credential that it is about, with which it ends.
  credential_id uuid,
  -- Canonical JSON, sealed: a body may hold what is not kept in the open.
  body bytea not null,
  payload_to_sign text not null,
  -- What else the retry is held against; each operation knows its own.
  context jsonb not null,
  failed_retries integer not null default 0,
  state text not null check (state in ('PENDING', 'PROCESSING', 'SETTLED')),
  -- Of the stamp that was accepted, while the operation is worked on.
  stamp_digest bytea,
  -- The final answer of an operation that took its time, sealed.
  reply bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (platform_id, id)
);

create index wallet_requests_of_resource on wallet_requests (platform_id, resource_id, operation);
create index wallet_requests_of_account on wallet_requests (platform_id, account_id);
create index wallet_requests_expired on wallet_requests (platform_id, expires_at);

-- Keys that may sign for a wallet for a quarter of an hour. The private halves are kept nowhere.
create table wallet_sessions (
  platform_id uuid not null references platforms,
  id uuid not null,
  account_id uuid not null,
  credential_id uuid not null,
  type text not null,
  nickname text not null,
  -- Compressed hex.
  public_key text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (platform_id, id)
);

create unique index wallet_sessions_one_per_key on wallet_sessions (platform_id, account_id, public_key)
  where ended_at is null;
create index wallet_sessions_of_account on wallet_sessions (platform_id, account_id, created_at desc, id desc)
  where ended_at is null;

-- Keys of the service that may pay for a card from a wallet, as its owner allowed.
create table delegated_keys (
  platform_id uuid not null references platforms,
  id uuid not null,
  card_id uuid not null,
  funding_source_id uuid not null,
  account_id uuid not null,
  -- Compressed hex.
  public_key text not null,
  -- The private scalar, sealed; destroyed when the key is revoked.
  private_key bytea,
  nickname text not null,
  status text not null check (status in ('PENDING', 'ACTIVE', 'REVOKED')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, id),
  constraint delegated_keys_destroyed check ((private_key is null) = (status = 'REVOKED'))
);

create unique index delegated_keys_one_active on delegated_keys (platform_id, funding_source_id)
  where status = 'ACTIVE';
create index delegated_keys_of_account on delegated_keys (platform_id, account_id, created_at desc, id desc);
create index delegated_keys_of_funding_source
  on delegated_keys (platform_id, funding_source_id, created_at desc, id desc);
