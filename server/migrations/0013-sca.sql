-- Strong customer authentication. Whoever changes anything here holds the lock of the customer's row.

-- How a customer stands: failed attempts, lock, session, messages sent. No row: nothing has happened yet.
create table sca_states (
  platform_id uuid not null references platforms,
  customer_id uuid not null,
  failed_attempts integer not null default 0 check (failed_attempts >= 0),
  locked_until timestamptz,
  -- Null: nobody is logged in.
  session_expires_at timestamptz,
  -- The latest ones, oldest first; as many as the limits on sending have to look at.
  sms_sent_at timestamptz[] not null default '{}',
  primary key (platform_id, customer_id)
) with (fillfactor = 80);

create table sca_totp_factors (
  platform_id uuid not null references platforms,
  customer_id uuid not null,
  -- Sealed.
  secret bytea not null,
  -- Steps of 30 seconds whose code was taken; older ones than the window never match again.
  used_steps integer[] not null,
  -- Keyed digests of those that are left.
  recovery_codes bytea[] not null,
  primary key (platform_id, customer_id)
) with (fillfactor = 80);

create table sca_passkeys (
  platform_id uuid not null references platforms,
  customer_id uuid not null,
  credential_id text not null,
  public_key bytea not null,
  algorithm integer not null,
  counter bigint not null,
  rp_id text not null,
  primary key (platform_id, customer_id)
) with (fillfactor = 80);

-- A factor that is being enrolled: what its proof has to fit.
create table sca_enrolments (
  platform_id uuid not null references platforms,
  customer_id uuid not null,
  factor text not null check (factor in ('TOTP', 'PASSKEY')),
  -- Sealed: the secret of an authenticator app, or the challenge of a passkey.
  secret bytea not null,
  wrong_proofs integer not null,
  expires_at timestamptz not null,
  primary key (platform_id, customer_id, factor)
);

-- A proof that is waited for: of a login, a step of a payment, a change of trust. One that was used, superseded or
-- given up is gone.
create table sca_challenges (
  platform_id uuid not null references platforms,
  id uuid not null,
  customer_id uuid not null,
  purpose text not null check (purpose in (
    'LOGIN', 'PAYOUT', 'TRANSFER', 'CURRENCY_CONVERSION', 'TRUST_BENEFICIARY', 'UNTRUST_BENEFICIARY')),
  quote_id uuid,
  external_account_id uuid,
  factor text not null check (factor in ('SMS_OTP', 'TOTP', 'PASSKEY')),
  available_factors text[] not null,
  -- Sealed: number, code and what the code is for. Gone when the number is no longer the customer's.
  sms bytea,
  passkey_challenge bytea,
  wrong_proofs integer not null default 0,
  resends integer not null default 0,
  -- When the code was last sent.
  sent_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (platform_id, id),
  check (sms is null or factor = 'SMS_OTP'),
  check (('PASSKEY' = any (available_factors)) = (passkey_challenge is not null)),
  check ((purpose in ('PAYOUT', 'TRANSFER', 'CURRENCY_CONVERSION')) = (quote_id is not null)),
  check ((purpose in ('TRUST_BENEFICIARY', 'UNTRUST_BENEFICIARY')) = (external_account_id is not null))
) with (fillfactor = 90);

create unique index sca_challenges_of_login on sca_challenges (platform_id, customer_id) where purpose = 'LOGIN';
create unique index sca_challenges_of_quote on sca_challenges (platform_id, quote_id) where quote_id is not null;
create unique index sca_challenges_of_trust on sca_challenges (platform_id, external_account_id, purpose)
  where external_account_id is not null;
create index sca_challenges_of_customer on sca_challenges (platform_id, customer_id);

-- A lost factor that is being given up, or a number that is being replaced.
create table sca_resets (
  platform_id uuid not null references platforms,
  id uuid not null,
  customer_id uuid not null,
  factor text not null check (factor in ('SMS_OTP', 'TOTP', 'PASSKEY')),
  status text not null check (status in (
    'INITIATED', 'PENDING_REVIEW', 'LIVENESS_PASSED', 'COMPLETED', 'REJECTED', 'EXPIRED')),
  -- Digest of the secret in the link to the hosted page.
  link_digest bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  completed_at timestamptz,
  -- When the factor was enrolled anew after that.
  enrolled_at timestamptz,
  primary key (platform_id, id)
);

create index sca_resets_of_customer on sca_resets (platform_id, customer_id, created_at desc);
create unique index sca_resets_by_link on sca_resets (link_digest);
-- An operator names a reset by its id alone, and looks for those that wait.
create unique index sca_resets_by_id on sca_resets (id);
create index sca_resets_to_review on sca_resets (created_at, id) where status = 'PENDING_REVIEW';
