-- Generated from the migrations by `npm run generate`; do not edit.

create sequence event_positions;

create table agent_actions (
  platform_id uuid not null,
  id uuid not null,
  agent_id uuid not null,
  customer_id uuid not null,
  type text not null,
  status text not null,
  transaction_id uuid not null,
  wallet_stamp text,
  rejection_reason text,
  failure_reason text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  failure_details jsonb,
  constraint agent_actions_pkey PRIMARY KEY (platform_id, id),
  constraint agent_actions_failure CHECK (((failure_reason IS NOT NULL) = (status = 'FAILED'::text))),
  constraint agent_actions_one_per_transaction UNIQUE (platform_id, transaction_id),
  constraint agent_actions_rejection CHECK (((rejection_reason IS NULL) OR (status = 'REJECTED'::text))),
  constraint agent_actions_stamp CHECK (((wallet_stamp IS NULL) OR (status = 'PENDING_APPROVAL'::text))),
  constraint agent_actions_status_check CHECK ((status = ANY (ARRAY['PENDING_APPROVAL'::text, 'APPROVED'::text, 'REJECTED'::text, 'FAILED'::text]))),
  constraint agent_actions_type_check CHECK ((type = ANY (ARRAY['EXECUTE_QUOTE'::text, 'TRANSFER_OUT'::text, 'TRANSFER_IN'::text])))
);
CREATE INDEX agent_actions_by_status ON public.agent_actions USING btree (platform_id, status, created_at DESC, id DESC);
CREATE INDEX agent_actions_of_agent ON public.agent_actions USING btree (platform_id, agent_id, created_at DESC, id DESC);
CREATE INDEX agent_actions_of_customer ON public.agent_actions USING btree (platform_id, customer_id, status, created_at DESC, id DESC);

create table agent_device_codes (
  platform_id uuid not null,
  digest bytea not null,
  agent_id uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  redeemed_at timestamp with time zone,
  superseded_at timestamp with time zone,
  constraint agent_device_codes_pkey PRIMARY KEY (platform_id, digest),
  constraint agent_device_codes_platform_id_agent_id_fkey FOREIGN KEY (platform_id, agent_id) REFERENCES agents(platform_id, id),
  constraint agent_device_codes_unique UNIQUE (digest)
);
CREATE INDEX agent_device_codes_of_agent ON public.agent_device_codes USING btree (platform_id, agent_id);

create table agents (
  platform_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  name text not null,
  is_paused boolean not null,
  policy jsonb not null,
  usage_day date not null,
  daily_count integer not null,
  daily_spend bigint not null,
  monthly_spend bigint not null,
  token_digest bytea,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  token_expires_at timestamp with time zone,
  constraint agents_pkey PRIMARY KEY (platform_id, id),
  constraint agents_daily_count_check CHECK ((daily_count >= 0)),
  constraint agents_daily_spend_check CHECK ((daily_spend >= 0)),
  constraint agents_monthly_spend_check CHECK ((monthly_spend >= 0)),
  constraint agents_platform_id_customer_id_fkey FOREIGN KEY (platform_id, customer_id) REFERENCES customers(platform_id, id),
  constraint agents_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint agents_token_unique UNIQUE (token_digest)
);
CREATE INDEX agents_by_name ON public.agents USING gin (lower(name) gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE INDEX agents_newest ON public.agents USING btree (platform_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX agents_of_customer ON public.agents USING btree (platform_id, customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

create table alerts (
  platform_id uuid not null,
  id uuid not null,
  provider_id uuid not null,
  outside_id text not null,
  subject text not null,
  kind text not null,
  level text not null,
  content bytea,
  raised_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  constraint alerts_pkey PRIMARY KEY (platform_id, id),
  constraint alerts_kind_check CHECK ((kind = ANY (ARRAY['SANCTIONS'::text, 'PEP'::text, 'ADVERSE_MEDIA'::text, 'DOCUMENT_EXPIRED'::text, 'OTHER'::text]))),
  constraint alerts_level_check CHECK ((level = ANY (ARRAY['REVIEW'::text, 'BLOCK'::text]))),
  constraint alerts_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id)
);
CREATE UNIQUE INDEX alerts_outside_id ON public.alerts USING btree (provider_id, outside_id);
CREATE INDEX alerts_subject ON public.alerts USING btree (platform_id, subject, received_at);

create table api_tokens (
  platform_id uuid not null,
  id uuid not null,
  name text not null,
  permissions text[] not null,
  secret_digest bytea not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint api_tokens_pkey PRIMARY KEY (platform_id, id),
  constraint api_tokens_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);
CREATE UNIQUE INDEX api_tokens_by_id ON public.api_tokens USING btree (id);
CREATE INDEX api_tokens_live ON public.api_tokens USING btree (platform_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX api_tokens_live_by_name ON public.api_tokens USING btree (platform_id, name, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

create table audit_chain (
  platform_id uuid not null,
  seq bigint not null,
  entry_id uuid not null,
  hash bytea not null,
  chained_at timestamp with time zone not null,
  constraint audit_chain_pkey PRIMARY KEY (platform_id, seq),
  constraint audit_chain_hash_check CHECK ((octet_length(hash) = 32))
);
CREATE UNIQUE INDEX audit_chain_entries ON public.audit_chain USING btree (platform_id, entry_id);

create table audit_entries (
  platform_id uuid not null,
  id uuid not null,
  at timestamp with time zone not null,
  actor text not null,
  action text not null,
  resource text,
  note text,
  request_id text not null,
  client_request_id text,
  note_digest bytea,
  constraint audit_entries_pkey PRIMARY KEY (platform_id, id)
);
CREATE INDEX audit_entries_by_operators ON public.audit_entries USING btree (platform_id, id) WHERE ((actor ~~ 'operator%'::text) OR (actor ~~ 'local:%'::text));

create table audit_notes (
  platform_id uuid not null,
  entry_id uuid not null,
  salt bytea,
  note text,
  erased_because text,
  erased_at timestamp with time zone,
  constraint audit_notes_pkey PRIMARY KEY (platform_id, entry_id),
  constraint audit_notes_check CHECK (((note IS NULL) = (erased_because IS NOT NULL)))
);

create table audit_pending (
  platform_id uuid not null,
  id uuid not null,
  entries uuid[] not null,
  constraint audit_pending_pkey PRIMARY KEY (platform_id, id)
);

create table audit_sink_lease (
  one boolean not null default true,
  holder uuid not null,
  leased_until timestamp with time zone not null,
  constraint audit_sink_lease_pkey PRIMARY KEY (one),
  constraint audit_sink_lease_one_check CHECK (one)
);

create table audit_sink_positions (
  platform_id uuid not null,
  seq bigint not null,
  constraint audit_sink_positions_pkey PRIMARY KEY (platform_id),
  constraint audit_sink_positions_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);

create table balance_returns (
  platform_id uuid not null,
  reference text not null,
  account_id uuid not null,
  reason text not null,
  returned_at timestamp with time zone not null,
  constraint balance_returns_pkey PRIMARY KEY (platform_id, reference),
  constraint balance_returns_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);

create table beneficial_owners (
  platform_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  roles text[] not null,
  ownership_percentage integer not null,
  personal_info jsonb not null,
  identifier bytea not null,
  status text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  coverage text not null default 'NONE'::text,
  constraint beneficial_owners_pkey PRIMARY KEY (platform_id, id),
  constraint beneficial_owners_coverage_check CHECK ((coverage = ANY (ARRAY['NONE'::text, 'COVERED'::text, 'OUTSIDE'::text, 'OUTSIDE_MAJOR'::text]))),
  constraint beneficial_owners_ownership_percentage_check CHECK (((ownership_percentage >= 0) AND (ownership_percentage <= 100))),
  constraint beneficial_owners_platform_id_customer_id_fkey FOREIGN KEY (platform_id, customer_id) REFERENCES customers(platform_id, id),
  constraint beneficial_owners_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint beneficial_owners_roles_check CHECK ((cardinality(roles) > 0)),
  constraint beneficial_owners_status_check CHECK ((status = ANY (ARRAY['UNVERIFIED'::text, 'PENDING'::text, 'APPROVED'::text, 'REJECTED'::text, 'HOLD'::text])))
);
CREATE INDEX beneficial_owners_of_customer ON public.beneficial_owners USING btree (platform_id, customer_id, created_at, id);

create table bulk_import_errors (
  platform_id uuid not null,
  import_id uuid not null,
  row integer not null,
  entry jsonb not null,
  constraint bulk_import_errors_pkey PRIMARY KEY (platform_id, import_id, "row")
);

create table bulk_imports (
  platform_id uuid not null,
  id uuid not null,
  file_id uuid not null,
  status text not null,
  columns text[] not null default '{}'::text[],
  next_byte integer not null default 0,
  total integer not null default 0,
  successful integer not null default 0,
  failed integer not null default 0,
  created_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  constraint bulk_imports_pkey PRIMARY KEY (platform_id, id),
  constraint bulk_imports_end CHECK (((completed_at IS NOT NULL) = (status = ANY (ARRAY['COMPLETED'::text, 'FAILED'::text])))),
  constraint bulk_imports_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint bulk_imports_progress CHECK (((successful + failed) <= total)),
  constraint bulk_imports_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'PROCESSING'::text, 'COMPLETED'::text, 'FAILED'::text])))
);

create table cached_rates (
  platform_id uuid not null,
  sending text not null,
  receiving text not null,
  numerator numeric not null,
  denominator numeric not null,
  priced_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint cached_rates_pkey PRIMARY KEY (platform_id, sending, receiving),
  constraint cached_rates_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);

create table card_authorizations (
  provider_id uuid not null,
  network_reference text not null,
  kind text not null,
  platform_id uuid not null,
  card_id uuid not null,
  card_transaction_id uuid,
  digest bytea not null,
  other_digest bytea,
  decision jsonb not null,
  created_at timestamp with time zone not null,
  stand_in text,
  constraint card_authorizations_decided_once PRIMARY KEY (platform_id, provider_id, network_reference, kind),
  constraint card_authorizations_digest_check CHECK ((octet_length(digest) = 32)),
  constraint card_authorizations_other_digest_check CHECK ((octet_length(other_digest) = 32)),
  constraint card_authorizations_stand_in_check CHECK ((stand_in = ANY (ARRAY['APPROVED'::text, 'DECLINED'::text])))
);
CREATE INDEX card_authorizations_reference ON public.card_authorizations USING btree (provider_id, network_reference);

create table card_events (
  provider_id uuid not null,
  event_id text not null,
  platform_id uuid not null,
  card_id uuid not null,
  digest bytea not null,
  content jsonb not null,
  status text not null,
  card_transaction_id uuid,
  return_id text,
  returned bigint,
  received_at timestamp with time zone not null,
  constraint card_events_pkey PRIMARY KEY (platform_id, provider_id, event_id),
  constraint card_events_check CHECK (((return_id IS NULL) = (returned IS NULL))),
  constraint card_events_digest_check CHECK ((octet_length(digest) = 32)),
  constraint card_events_provider_id_event_id_key UNIQUE (provider_id, event_id),
  constraint card_events_returned_check CHECK ((returned > 0)),
  constraint card_events_status_check CHECK ((status = ANY (ARRAY['APPLIED'::text, 'WAITING'::text, 'EXCEPTION'::text])))
);
CREATE UNIQUE INDEX card_events_returns ON public.card_events USING btree (card_transaction_id, return_id) WHERE (return_id IS NOT NULL);

create table card_funding_sources (
  platform_id uuid not null,
  id uuid not null,
  card_id uuid not null,
  account_id uuid not null,
  position smallint not null,
  has_delegated_key boolean not null default false,
  constraint card_funding_sources_pkey PRIMARY KEY (platform_id, card_id, account_id),
  constraint card_funding_sources_by_id UNIQUE (platform_id, id),
  constraint card_funding_sources_platform_id_card_id_fkey FOREIGN KEY (platform_id, card_id) REFERENCES cards(platform_id, id)
);
CREATE INDEX card_funding_sources_of_account ON public.card_funding_sources USING btree (platform_id, account_id, card_id);

create table card_reveals (
  platform_id uuid not null,
  digest bytea not null,
  card_id uuid not null,
  parent_origin text,
  actor text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint card_reveals_pkey PRIMARY KEY (platform_id, digest),
  constraint card_reveals_platform_id_card_id_fkey FOREIGN KEY (platform_id, card_id) REFERENCES cards(platform_id, id)
);
CREATE UNIQUE INDEX card_reveals_by_digest ON public.card_reveals USING btree (digest);

create table card_transactions (
  platform_id uuid not null,
  id uuid not null,
  card_id uuid not null,
  customer_id uuid not null,
  platform_customer_id text not null,
  account_id uuid not null,
  issuer_transaction_token text not null,
  direction text not null,
  status text not null,
  decline_reason text,
  merchant jsonb not null,
  currency text not null,
  authorized bigint not null,
  settled bigint,
  settlement_count integer not null,
  refunded bigint,
  returns bigint[] not null,
  pulled bigint not null,
  pull_count integer not null,
  pending_pull bigint not null,
  pending_outcome text,
  shortfall bigint not null,
  shortfall_cause text,
  event_count integer not null,
  active_at timestamp with time zone not null,
  last_event_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint card_transactions_pkey PRIMARY KEY (platform_id, id),
  constraint card_transactions_authorized_check CHECK ((authorized >= 0)) NOT VALID,
  constraint card_transactions_check CHECK (((pending_pull >= 0) AND (pending_pull <= pulled))),
  constraint card_transactions_credit CHECK (((direction = 'DEBIT'::text) OR ((pull_count = 0) AND (pulled = 0) AND (shortfall = 0)))),
  constraint card_transactions_declined CHECK (((decline_reason IS NOT NULL) = (status = 'DECLINED'::text))),
  constraint card_transactions_direction_check CHECK ((direction = ANY (ARRAY['DEBIT'::text, 'CREDIT'::text]))),
  constraint card_transactions_pending_outcome_check CHECK ((pending_outcome = ANY (ARRAY['CONFIRMED'::text, 'FAILED'::text]))),
  constraint card_transactions_pulled_check CHECK ((pulled >= 0)),
  constraint card_transactions_refunded_check CHECK ((refunded >= 0)),
  constraint card_transactions_settled_check CHECK ((settled >= 0)),
  constraint card_transactions_shortfall CHECK (((shortfall > 0) = (shortfall_cause IS NOT NULL))),
  constraint card_transactions_shortfall_cause_check CHECK ((shortfall_cause = ANY (ARRAY['CLEARING'::text, 'RETURN_REVERSAL'::text]))),
  constraint card_transactions_shortfall_check CHECK ((shortfall >= 0)),
  constraint card_transactions_status_check CHECK ((status = ANY (ARRAY['AUTHORIZED'::text, 'PARTIALLY_SETTLED'::text, 'SETTLED'::text, 'REFUNDED'::text, 'EXCEPTION'::text, 'DECLINED'::text])))
);
CREATE INDEX card_transactions_short ON public.card_transactions USING btree (platform_id, created_at, id) WHERE (shortfall > 0);

create table card_vault (
  platform_id uuid not null,
  card_id uuid not null,
  sealed bytea not null,
  constraint card_vault_pkey PRIMARY KEY (platform_id, card_id),
  constraint card_vault_platform_id_card_id_fkey FOREIGN KEY (platform_id, card_id) REFERENCES cards(platform_id, id)
);

create table cards (
  platform_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  platform_card_id text not null,
  state text not null,
  state_reason text,
  currency text not null,
  max_spend_per_transaction bigint,
  brand text,
  last4 text,
  exp_month smallint,
  exp_year smallint,
  processor_ref text,
  issuer_ref text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  provider_id uuid,
  state_version integer not null default 0,
  constraint cards_pkey PRIMARY KEY (platform_id, id),
  constraint cards_exp_month_check CHECK (((exp_month >= 1) AND (exp_month <= 12))),
  constraint cards_max_spend_per_transaction_check CHECK ((max_spend_per_transaction > 0)),
  constraint cards_platform_card_id_unique UNIQUE (platform_id, platform_card_id),
  constraint cards_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint cards_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id),
  constraint cards_provisioned CHECK ((num_nulls(brand, last4, exp_month, exp_year, processor_ref, issuer_ref) = ANY (ARRAY[0, 6]))),
  constraint cards_state_check CHECK ((state = ANY (ARRAY['PENDING_KYC'::text, 'PROCESSING'::text, 'ACTIVE'::text, 'FROZEN'::text, 'CLOSED'::text]))),
  constraint cards_state_reason CHECK (((state_reason IS NOT NULL) = (state = 'CLOSED'::text))),
  constraint cards_state_reason_check CHECK ((state_reason = ANY (ARRAY['ISSUER_REJECTED'::text, 'CLOSED_BY_PLATFORM'::text, 'CLOSED_BY_SERVICE'::text]))),
  constraint cards_usable CHECK (((state <> ALL (ARRAY['ACTIVE'::text, 'FROZEN'::text])) OR (last4 IS NOT NULL)))
);
CREATE INDEX cards_by_last4 ON public.cards USING btree (last4) WHERE (last4 IS NOT NULL);
CREATE INDEX cards_by_state ON public.cards USING btree (platform_id, state, created_at DESC, id DESC);
CREATE INDEX cards_newest ON public.cards USING btree (platform_id, created_at DESC, id DESC);
CREATE INDEX cards_of_customer ON public.cards USING btree (platform_id, customer_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX cards_of_provider ON public.cards USING btree (provider_id, processor_ref) WHERE (provider_id IS NOT NULL);
CREATE INDEX cards_of_provider_by_id ON public.cards USING btree (provider_id, id) WHERE (provider_id IS NOT NULL);

create unlogged table carried_traces (
  platform_id uuid not null,
  id uuid not null,
  traceparent text not null,
  constraint carried_traces_pkey PRIMARY KEY (platform_id, id)
);

create table clock_moves (
  platform_id uuid not null,
  scope text not null,
  key text not null,
  fingerprint bytea not null,
  target_offset_ms bigint not null,
  target_at timestamp with time zone not null,
  constraint clock_moves_pkey PRIMARY KEY (platform_id, scope, key)
);

create table contact_channels (
  platform_id uuid not null,
  customer_id uuid not null,
  channel text not null,
  code_digest bytea,
  code_expires_at timestamp with time zone,
  wrong_codes integer not null,
  sent_at timestamp with time zone[] not null,
  constraint contact_channels_pkey PRIMARY KEY (platform_id, customer_id, channel),
  constraint contact_channels_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'phone'::text]))),
  constraint contact_channels_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);

create table customer_currencies (
  platform_id uuid not null,
  currency text not null,
  customer_type text not null,
  is_deleted boolean not null,
  created_at timestamp with time zone not null,
  customer_id uuid not null,
  region text,
  updated_at timestamp with time zone not null,
  constraint customers_by_currency PRIMARY KEY (platform_id, currency, customer_type, is_deleted, created_at, customer_id) INCLUDE (updated_at)
);
CREATE INDEX customers_by_currency_and_region ON public.customer_currencies USING btree (platform_id, currency, region, customer_type, is_deleted, created_at, customer_id) INCLUDE (updated_at) WHERE (region IS NOT NULL);

create table customer_holds (
  platform_id uuid not null,
  customer_id uuid not null,
  status_before text not null,
  held_at timestamp with time zone not null,
  constraint customer_holds_pkey PRIMARY KEY (platform_id, customer_id),
  constraint customer_holds_platform_id_customer_id_fkey FOREIGN KEY (platform_id, customer_id) REFERENCES customers(platform_id, id),
  constraint customer_holds_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint customer_holds_status_before_check CHECK ((status_before = ANY (ARRAY['PENDING'::text, 'APPROVED'::text])))
);

create table customers (
  platform_id uuid not null,
  id uuid not null,
  customer_type text not null,
  platform_customer_id text not null,
  uma_address text not null,
  region text,
  currencies text[] not null,
  currencies_explicit boolean not null,
  email text,
  phone_number text,
  email_status text,
  phone_status text,
  status text not null,
  profile jsonb not null,
  identifier bytea,
  identifier_index bytea,
  consent jsonb,
  beneficial_owners jsonb not null default '[]'::jsonb,
  is_deleted boolean not null default false,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  status_changed_at timestamp with time zone,
  erased_at timestamp with time zone,
  legal_hold_since timestamp with time zone,
  sealed_contact bytea,
  constraint customers_pkey PRIMARY KEY (platform_id, id),
  constraint customers_currencies_check CHECK ((cardinality(currencies) > 0)),
  constraint customers_customer_type_check CHECK ((customer_type = ANY (ARRAY['INDIVIDUAL'::text, 'BUSINESS'::text]))),
  constraint customers_email_status_check CHECK ((email_status = ANY (ARRAY['PENDING'::text, 'VERIFIED'::text]))),
  constraint customers_phone_status_check CHECK ((phone_status = ANY (ARRAY['PENDING'::text, 'VERIFIED'::text]))),
  constraint customers_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint customers_status_check CHECK ((status = ANY (ARRAY['UNVERIFIED'::text, 'PENDING'::text, 'APPROVED'::text, 'REJECTED'::text, 'HOLD'::text])))
);
CREATE INDEX customers_by_creation ON public.customers USING btree (platform_id, customer_type, is_deleted, created_at, id) INCLUDE (updated_at, erased_at);
CREATE INDEX customers_by_email ON public.customers USING btree (platform_id, lower(email)) WHERE (email IS NOT NULL);
CREATE INDEX customers_by_id_end ON public.customers USING btree ("right"((id)::text, 8));
CREATE INDEX customers_by_identifier ON public.customers USING btree (platform_id, identifier_index) WHERE (identifier_index IS NOT NULL);
CREATE INDEX customers_by_name ON public.customers USING gin (lower(COALESCE((profile ->> 'fullName'::text), ((profile -> 'businessInfo'::text) ->> 'legalName'::text))) gin_trgm_ops);
CREATE INDEX customers_by_phone ON public.customers USING btree (platform_id, phone_number) WHERE (phone_number IS NOT NULL);
CREATE INDEX customers_by_platform_customer_id ON public.customers USING btree (platform_id, platform_customer_id, created_at, id);
CREATE INDEX customers_by_region ON public.customers USING btree (platform_id, region, customer_type, is_deleted, created_at, id) INCLUDE (updated_at, erased_at) WHERE (region IS NOT NULL);
CREATE INDEX customers_by_update ON public.customers USING btree (platform_id, updated_at);
CREATE INDEX customers_erased ON public.customers USING btree (erased_at, id) WHERE (erased_at IS NOT NULL);
CREATE INDEX customers_following_platform ON public.customers USING btree (platform_id, id) WHERE ((NOT currencies_explicit) AND (NOT is_deleted));
CREATE INDEX customers_undecided ON public.customers USING btree (platform_id, id) WHERE ((status = ANY (ARRAY['PENDING'::text, 'HOLD'::text])) AND (NOT is_deleted));
CREATE INDEX customers_without_payments ON public.customers USING btree (platform_id, id) WHERE (is_deleted OR (status = 'REJECTED'::text));

create table daily_volumes (
  platform_id uuid not null,
  currency text not null,
  receiving_currency text not null,
  day date not null,
  amount bigint not null,
  ceiling bigint not null,
  constraint daily_volumes_pkey PRIMARY KEY (platform_id, currency, receiving_currency, day),
  constraint daily_volumes_amount_check CHECK ((amount >= 0)),
  constraint daily_volumes_within_limit CHECK ((amount <= ceiling))
);

create table dashboard_links (
  digest bytea not null,
  name text not null,
  expires_at timestamp with time zone not null,
  operator_id uuid,
  purpose text not null default 'SIGN_IN'::text,
  constraint dashboard_links_pkey PRIMARY KEY (digest),
  constraint dashboard_links_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id),
  constraint dashboard_links_purpose_check CHECK ((purpose = ANY (ARRAY['SIGN_IN'::text, 'INVITATION'::text, 'RECOVERY'::text])))
);
CREATE INDEX dashboard_links_operator ON public.dashboard_links USING btree (operator_id);

create table dashboard_sessions (
  digest bytea not null,
  name text not null,
  seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  notice text,
  operator_id uuid,
  signed_in_at timestamp with time zone,
  constraint dashboard_sessions_pkey PRIMARY KEY (digest),
  constraint dashboard_sessions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id)
);
CREATE INDEX dashboard_sessions_operator ON public.dashboard_sessions USING btree (operator_id);

create table delegated_keys (
  platform_id uuid not null,
  id uuid not null,
  card_id uuid not null,
  funding_source_id uuid not null,
  account_id uuid not null,
  public_key text not null,
  private_key bytea,
  nickname text not null,
  status text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint delegated_keys_pkey PRIMARY KEY (platform_id, id),
  constraint delegated_keys_destroyed CHECK (((private_key IS NULL) = (status = 'REVOKED'::text))),
  constraint delegated_keys_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint delegated_keys_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACTIVE'::text, 'REVOKED'::text])))
);
CREATE INDEX delegated_keys_of_account ON public.delegated_keys USING btree (platform_id, account_id, created_at DESC, id DESC);
CREATE INDEX delegated_keys_of_funding_source ON public.delegated_keys USING btree (platform_id, funding_source_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX delegated_keys_one_active ON public.delegated_keys USING btree (platform_id, funding_source_id) WHERE (status = 'ACTIVE'::text);

create table deposit_reversals (
  platform_id uuid not null,
  deposit_id uuid not null,
  reversal_id text not null,
  amount bigint not null,
  reason text not null,
  digest bytea not null,
  created_at timestamp with time zone not null,
  constraint deposit_reversals_pkey PRIMARY KEY (platform_id, deposit_id, reversal_id),
  constraint deposit_reversals_amount_check CHECK ((amount > 0)),
  constraint deposit_reversals_digest_check CHECK ((octet_length(digest) = 32)),
  constraint deposit_reversals_platform_id_deposit_id_fkey FOREIGN KEY (platform_id, deposit_id) REFERENCES deposits(platform_id, id)
);

create table deposits (
  platform_id uuid not null,
  id uuid not null,
  status text not null,
  reason text,
  amount bigint not null,
  currency text not null,
  rail text not null,
  trace text not null,
  paid_to text,
  reference text,
  sender text,
  owner_platform_id uuid,
  transaction_id uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  provider_id uuid,
  outside_id text,
  digest bytea,
  sender_account bytea,
  constraint deposits_pkey PRIMARY KEY (platform_id, id),
  constraint deposits_amount_check CHECK ((amount > 0)),
  constraint deposits_check CHECK ((((provider_id IS NULL) = (outside_id IS NULL)) AND ((provider_id IS NULL) = (digest IS NULL)))),
  constraint deposits_digest_check CHECK ((octet_length(digest) = 32)),
  constraint deposits_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint deposits_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id),
  constraint deposits_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'DROPPED'::text, 'UNATTRIBUTED'::text, 'HELD'::text, 'TAKEN'::text, 'RETURNING'::text, 'RETURNED'::text])))
);
CREATE INDEX deposits_awaiting_data ON public.deposits USING btree (owner_platform_id, id) WHERE ((status = 'HELD'::text) AND (reason = 'PROVIDER_DATA_MISSING'::text));
CREATE INDEX deposits_newest ON public.deposits USING btree (platform_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX deposits_once ON public.deposits USING btree (platform_id, rail, trace) WHERE (provider_id IS NULL);
CREATE UNIQUE INDEX deposits_once_by_provider ON public.deposits USING btree (provider_id, outside_id) WHERE (provider_id IS NOT NULL);
CREATE UNIQUE INDEX deposits_once_on_chain ON public.deposits USING btree (platform_id, rail, lower(trace), lower(COALESCE(paid_to, ''::text))) WHERE ((rail = ANY (ARRAY['SOLANA'::text, 'BASE'::text, 'ETHEREUM'::text, 'POLYGON'::text, 'TRON'::text, 'SPARK'::text, 'BITCOIN'::text, 'PLASMA'::text])) AND (status <> ALL (ARRAY['PENDING'::text, 'DROPPED'::text])));
CREATE INDEX deposits_open ON public.deposits USING btree (platform_id, created_at, id) WHERE (status = ANY (ARRAY['UNATTRIBUTED'::text, 'HELD'::text, 'RETURNING'::text]));

create table documents (
  platform_id uuid not null,
  id uuid not null,
  holder_kind text not null,
  holder_id uuid not null,
  customer_id uuid not null,
  document_type text not null,
  side text,
  country text not null,
  document_number bytea,
  issuing_authority text,
  file_name text not null,
  media_type text not null,
  file_id uuid not null,
  digest bytea not null,
  uploaded_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint documents_pkey PRIMARY KEY (platform_id, id),
  constraint documents_holder_kind_check CHECK ((holder_kind = ANY (ARRAY['customer'::text, 'beneficialOwner'::text]))),
  constraint documents_media_type_check CHECK ((media_type = ANY (ARRAY['application/pdf'::text, 'image/jpeg'::text, 'image/png'::text]))),
  constraint documents_platform_id_customer_id_fkey FOREIGN KEY (platform_id, customer_id) REFERENCES customers(platform_id, id),
  constraint documents_platform_id_file_id_fkey FOREIGN KEY (platform_id, file_id) REFERENCES stored_files(platform_id, id),
  constraint documents_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint documents_side_check CHECK ((side = ANY (ARRAY['FRONT'::text, 'BACK'::text])))
);
CREATE INDEX documents_by_creation ON public.documents USING btree (platform_id, created_at, id);
CREATE INDEX documents_by_file ON public.documents USING btree (platform_id, file_id);
CREATE INDEX documents_by_holder ON public.documents USING btree (platform_id, holder_id, created_at, id);
CREATE INDEX documents_of_customer ON public.documents USING btree (platform_id, customer_id, created_at, id);

create table end_user_terms (
  version text not null,
  position integer generated always as identity not null,
  body text not null,
  published_at timestamp with time zone not null,
  constraint end_user_terms_pkey PRIMARY KEY (version)
);

create table end_user_terms_consents (
  platform_id uuid not null,
  customer_id uuid not null,
  id uuid not null,
  terms_version text not null,
  accepted_at timestamp with time zone not null,
  ip_address text not null,
  acceptance_method text not null,
  recorded_at timestamp with time zone not null,
  request_id text not null,
  constraint end_user_terms_consents_pkey PRIMARY KEY (platform_id, customer_id, id),
  constraint end_user_terms_consents_acceptance_method_check CHECK ((acceptance_method = ANY (ARRAY['CHECKBOX'::text, 'CLICK_TO_ACCEPT'::text]))),
  constraint end_user_terms_consents_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint end_user_terms_consents_terms_version_fkey FOREIGN KEY (terms_version) REFERENCES end_user_terms(version)
);

create table event_attempts (
  platform_id uuid not null,
  event_id uuid not null,
  id bigint generated always as identity not null,
  number integer,
  due_at timestamp with time zone not null,
  leased_until timestamp with time zone,
  at timestamp with time zone,
  url text,
  response_status integer,
  error text,
  duration_ms integer,
  wire_brand text,
  constraint event_attempts_pkey PRIMARY KEY (platform_id, event_id, id),
  constraint event_attempts_check CHECK ((((at IS NULL) = (url IS NULL)) AND ((at IS NULL) = (duration_ms IS NULL)))),
  constraint event_attempts_platform_id_event_id_fkey FOREIGN KEY (platform_id, event_id) REFERENCES event_deliveries(platform_id, event_id) ON DELETE CASCADE
);
CREATE INDEX event_attempts_due ON public.event_attempts USING btree (platform_id, due_at, id) WHERE (at IS NULL);
CREATE UNIQUE INDEX event_attempts_one_waiting ON public.event_attempts USING btree (platform_id, event_id) WHERE ((at IS NULL) AND (number IS NOT NULL));

create table event_counters (
  platform_id uuid not null,
  last_sequence bigint not null,
  pruned_sequence bigint not null default 0,
  constraint event_counters_pkey PRIMARY KEY (platform_id),
  constraint event_counters_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);

create table event_deliveries (
  platform_id uuid not null,
  event_id uuid not null,
  position bigint not null,
  sequence bigint,
  resource_id text,
  at timestamp with time zone not null,
  sending text not null,
  status text not null,
  attempt_count integer not null default 0,
  first_attempt_done boolean not null default false,
  is_streamed boolean not null default false,
  constraint event_deliveries_pkey PRIMARY KEY (platform_id, event_id),
  constraint event_deliveries_sending_check CHECK ((sending = ANY (ARRAY['RETRIED'::text, 'ONCE'::text, 'ASKED'::text]))),
  constraint event_deliveries_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'FAILED'::text, 'SKIPPED'::text])))
);
CREATE INDEX event_deliveries_awaiting_first_attempt ON public.event_deliveries USING btree (platform_id, resource_id, sequence) WHERE (NOT first_attempt_done);
CREATE INDEX event_deliveries_failed ON public.event_deliveries USING btree (platform_id, event_id) WHERE (status = 'FAILED'::text);
CREATE INDEX event_deliveries_streamed ON public.event_deliveries USING btree (platform_id, sequence) WHERE is_streamed;
CREATE INDEX event_deliveries_unnumbered ON public.event_deliveries USING btree ("position") WHERE (sequence IS NULL);

create table event_rows (
  platform_id uuid not null,
  id uuid not null,
  position bigint not null,
  type text not null,
  at timestamp with time zone not null,
  whole_body text,
  resource_id text,
  data text,
  base_id uuid,
  constraint events_pkey PRIMARY KEY (platform_id, id)
);
CREATE INDEX events_by_type ON public.event_rows USING btree (platform_id, type, id);

create table exceptions (
  platform_id uuid not null,
  id uuid not null,
  type text not null,
  provider_id uuid,
  order_id uuid,
  subject text,
  sequence integer,
  details jsonb not null,
  status text not null default 'OPEN'::text,
  resolution text,
  note text,
  operator text,
  opened_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  constraint exceptions_pkey PRIMARY KEY (platform_id, id),
  constraint exceptions_check CHECK (((status = 'RESOLVED'::text) = ((resolution IS NOT NULL) AND (resolved_at IS NOT NULL)))),
  constraint exceptions_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint exceptions_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id),
  constraint exceptions_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'RESOLVED'::text])))
);
CREATE INDEX exceptions_open ON public.exceptions USING btree (opened_at, id) WHERE (status = 'OPEN'::text);
CREATE INDEX exceptions_order ON public.exceptions USING btree (platform_id, order_id) WHERE (order_id IS NOT NULL);

create table external_accounts (
  platform_id uuid not null,
  id uuid not null,
  customer_id uuid,
  account_type text not null,
  currency text not null,
  status text not null,
  platform_account_id text,
  ownership_type text,
  default_uma_deposit_account boolean not null,
  account_info bytea,
  duplicate_index bytea,
  identified_by text not null,
  payment_rails text[] not null,
  payment_suffix text,
  invoice_amount bigint,
  beneficiary_verification_status text,
  beneficiary_verified_name text,
  is_trusted boolean not null default false,
  listed boolean not null default true,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  agent_id uuid,
  constraint external_accounts_pkey PRIMARY KEY (platform_id, id),
  constraint external_accounts_beneficiary_verification_status_check CHECK ((beneficiary_verification_status = ANY (ARRAY['MATCHED'::text, 'PARTIAL_MATCH'::text, 'NOT_MATCHED'::text, 'UNSUPPORTED'::text, 'CHECKED_BY_RECEIVING_FI'::text, 'PENDING'::text]))),
  constraint external_accounts_check CHECK (((customer_id IS NOT NULL) OR (NOT default_uma_deposit_account))),
  constraint external_accounts_check1 CHECK (((deleted_at IS NULL) OR (NOT is_trusted))),
  constraint external_accounts_invoice_amount_check CHECK ((invoice_amount >= 0)),
  constraint external_accounts_ownership_type_check CHECK ((ownership_type = ANY (ARRAY['FIRST_PARTY'::text, 'THIRD_PARTY'::text]))),
  constraint external_accounts_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint external_accounts_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACTIVE'::text, 'PENDING_OWNERSHIP_VERIFICATION'::text, 'UNVERIFIED'::text, 'UNDER_REVIEW'::text, 'INACTIVE'::text])))
);
CREATE INDEX external_accounts_by_beneficiary ON public.external_accounts USING gin (lower(beneficiary_verified_name) gin_trgm_ops) WHERE (beneficiary_verified_name IS NOT NULL);
CREATE UNIQUE INDEX external_accounts_by_id ON public.external_accounts USING btree (id);
CREATE INDEX external_accounts_of_customer ON public.external_accounts USING btree (platform_id, customer_id, created_at DESC, id DESC) WHERE ((customer_id IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX external_accounts_of_customer_by_currency ON public.external_accounts USING btree (platform_id, customer_id, currency, created_at DESC, id DESC) WHERE ((customer_id IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX external_accounts_of_customers ON public.external_accounts USING btree (platform_id, created_at DESC, id DESC) WHERE ((customer_id IS NOT NULL) AND listed AND (deleted_at IS NULL));
CREATE INDEX external_accounts_of_customers_by_currency ON public.external_accounts USING btree (platform_id, currency, created_at DESC, id DESC) WHERE ((customer_id IS NOT NULL) AND listed AND (deleted_at IS NULL));
CREATE INDEX external_accounts_of_platform ON public.external_accounts USING btree (platform_id, created_at DESC, id DESC) WHERE ((customer_id IS NULL) AND (deleted_at IS NULL));
CREATE INDEX external_accounts_of_platform_by_currency ON public.external_accounts USING btree (platform_id, currency, created_at DESC, id DESC) WHERE ((customer_id IS NULL) AND (deleted_at IS NULL));
CREATE UNIQUE INDEX external_accounts_one_default ON public.external_accounts USING btree (platform_id, customer_id) WHERE (default_uma_deposit_account AND (deleted_at IS NULL));
CREATE UNIQUE INDEX external_accounts_one_of_owner ON public.external_accounts USING btree (platform_id, customer_id, duplicate_index) NULLS NOT DISTINCT WHERE (deleted_at IS NULL);

create table failing_endpoints (
  platform_id uuid not null,
  url text not null,
  since timestamp with time zone not null,
  last_failed_at timestamp with time zone not null,
  last_error text not null,
  constraint failing_endpoints_pkey PRIMARY KEY (platform_id),
  constraint failing_endpoints_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);

create table figure_marks (
  platform_id uuid not null,
  payments_from timestamp with time zone not null,
  events_from timestamp with time zone not null,
  next_payments_from timestamp with time zone not null,
  next_events_from timestamp with time zone not null,
  entries_until timestamp with time zone not null,
  counted_at timestamp with time zone not null,
  constraint figure_marks_pkey PRIMARY KEY (platform_id),
  constraint figure_marks_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);

create table funding_addresses (
  platform_id uuid not null,
  owner_kind text not null,
  owner_id uuid not null,
  field text not null,
  value text not null,
  constraint funding_addresses_pkey PRIMARY KEY (platform_id, owner_id, field, value),
  constraint funding_addresses_owner_kind_check CHECK ((owner_kind = ANY (ARRAY['internalAccount'::text, 'quote'::text]))),
  constraint funding_addresses_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);
CREATE INDEX funding_addresses_by_link ON public.funding_addresses USING btree ("right"(value, 18)) WHERE (field = 'paymentUrl'::text);
CREATE INDEX funding_addresses_in_any_case ON public.funding_addresses USING btree (field, lower(value));
CREATE UNIQUE INDEX funding_addresses_unique ON public.funding_addresses USING btree (field, value);

create table hourly_figures (
  platform_id uuid not null,
  name text not null,
  hour timestamp with time zone not null,
  currency text not null default ''::text,
  count bigint not null default 0,
  amount numeric not null default 0,
  constraint hourly_figures_pkey PRIMARY KEY (platform_id, name, hour, currency)
);

create table idempotency_keys (
  platform_id uuid not null,
  scope text not null,
  key text not null,
  fingerprint bytea not null,
  status smallint not null,
  headers jsonb not null,
  body bytea,
  sealed boolean not null,
  created_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (platform_id, scope, key)
);
CREATE INDEX idempotency_keys_to_prune ON public.idempotency_keys USING btree (platform_id, created_at) WHERE (created_at > '-infinity'::timestamp with time zone);

create table identity_decisions (
  platform_id uuid not null,
  order_id uuid not null,
  provider_id uuid not null,
  verification_id uuid not null,
  decision text not null,
  evidence bytea,
  decided_at timestamp with time zone not null,
  constraint identity_decisions_pkey PRIMARY KEY (platform_id, order_id),
  constraint identity_decisions_decision_check CHECK ((decision = ANY (ARRAY['APPROVED'::text, 'REJECTED'::text, 'MORE_NEEDED'::text, 'REVIEW'::text]))),
  constraint identity_decisions_platform_id_order_id_fkey FOREIGN KEY (platform_id, order_id) REFERENCES provider_orders(platform_id, id),
  constraint identity_decisions_platform_id_verification_id_fkey FOREIGN KEY (platform_id, verification_id) REFERENCES verifications(platform_id, id),
  constraint identity_decisions_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id)
);
CREATE INDEX identity_decisions_verification ON public.identity_decisions USING btree (platform_id, verification_id);

create table internal_accounts (
  platform_id uuid not null,
  id uuid not null,
  customer_id uuid,
  currency text not null,
  type text not null,
  status text not null,
  funding_instructions jsonb not null,
  private_enabled boolean,
  listed boolean not null default true,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint internal_accounts_pkey PRIMARY KEY (platform_id, id),
  constraint internal_accounts_one_per_currency UNIQUE NULLS NOT DISTINCT (platform_id, customer_id, currency),
  constraint internal_accounts_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint internal_accounts_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACTIVE'::text, 'CLOSED'::text, 'FROZEN'::text, 'FAILED'::text]))),
  constraint internal_accounts_type_check CHECK ((type = ANY (ARRAY['INTERNAL_FIAT'::text, 'INTERNAL_CRYPTO'::text, 'EMBEDDED_WALLET'::text])))
);
CREATE INDEX internal_accounts_of_customers ON public.internal_accounts USING btree (platform_id, created_at DESC, id DESC) WHERE ((customer_id IS NOT NULL) AND listed);
CREATE INDEX internal_accounts_of_customers_by_currency ON public.internal_accounts USING btree (platform_id, currency, created_at DESC, id DESC) WHERE ((customer_id IS NOT NULL) AND listed);
CREATE INDEX internal_accounts_of_customers_by_type ON public.internal_accounts USING btree (platform_id, type, created_at DESC, id DESC) WHERE ((customer_id IS NOT NULL) AND listed);

create table invitations (
  platform_id uuid not null,
  code text not null,
  inviter_id uuid not null,
  inviter_uma text not null,
  first_name text,
  amount bigint,
  currency text,
  status text not null,
  expires_at timestamp with time zone,
  invitee_platform_id uuid,
  invitee_uma text,
  claimed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint invitations_pkey PRIMARY KEY (platform_id, code),
  constraint invitations_amount CHECK ((num_nulls(amount, currency) = ANY (ARRAY[0, 2]))),
  constraint invitations_amount_check CHECK ((amount > 0)),
  constraint invitations_claim CHECK ((num_nonnulls(invitee_platform_id, invitee_uma, claimed_at) =
CASE
    WHEN (status = 'CLAIMED'::text) THEN 3
    ELSE 0
END)),
  constraint invitations_invitee_platform_id_fkey FOREIGN KEY (invitee_platform_id) REFERENCES platforms(id),
  constraint invitations_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint invitations_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'CLAIMED'::text, 'EXPIRED'::text, 'CANCELLED'::text])))
);
CREATE UNIQUE INDEX invitations_by_code ON public.invitations USING btree (code);
CREATE INDEX invitations_pending_of_customer ON public.invitations USING btree (platform_id, inviter_id) WHERE (status = 'PENDING'::text);

create table jobs (
  platform_id uuid not null,
  id uuid not null,
  name text not null,
  key text,
  payload jsonb not null,
  due_at timestamp with time zone not null,
  state text not null,
  attempts integer not null default 0,
  leased_until timestamp with time zone,
  last_error text,
  created_at timestamp with time zone not null,
  constraint jobs_pkey PRIMARY KEY (platform_id, id),
  constraint jobs_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'DEAD'::text])))
);
CREATE INDEX jobs_dead ON public.jobs USING btree (platform_id, id) WHERE (state = 'DEAD'::text);
CREATE INDEX jobs_due ON public.jobs USING btree (due_at, id) WHERE (state = 'WAITING'::text);
CREATE INDEX jobs_due_of_platform ON public.jobs USING btree (platform_id, due_at, id) WHERE (state = 'WAITING'::text);
CREATE UNIQUE INDEX jobs_one_waiting ON public.jobs USING btree (platform_id, name, key) WHERE ((state = 'WAITING'::text) AND (key IS NOT NULL));

create table key_checks (
  key_id text not null,
  check_value bytea not null,
  created_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  constraint key_checks_pkey PRIMARY KEY (key_id),
  constraint key_checks_check_value_check CHECK ((octet_length(check_value) = 16))
);

create table known_settings (
  name text not null,
  value_digest bytea not null,
  constraint known_settings_pkey PRIMARY KEY (name)
);

create table kyc_links (
  platform_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  token_digest bytea not null,
  redirect_uri text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  requested_at timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  inspected_at timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  constraint kyc_links_pkey PRIMARY KEY (platform_id, id),
  constraint kyc_links_platform_id_customer_id_fkey FOREIGN KEY (platform_id, customer_id) REFERENCES customers(platform_id, id),
  constraint kyc_links_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);
CREATE UNIQUE INDEX kyc_links_by_token ON public.kyc_links USING btree (token_digest);

create table ledger_balances (
  platform_id uuid not null,
  account text not null,
  currency text not null,
  amount bigint not null,
  constraint ledger_balances_pkey PRIMARY KEY (platform_id, account, currency),
  constraint ledger_balances_sign CHECK (
CASE
    WHEN ((account ~~ 'RECEIVABLE:%'::text) OR (account ~~ 'CARD_SHORTFALL:%'::text) OR (account ~~ 'LOSS:%'::text)) THEN (amount <= 0)
    ELSE (amount >= 0)
END)
);

create table ledger_entries (
  platform_id uuid not null,
  journal_id uuid not null,
  line smallint not null,
  position bigint generated always as identity not null,
  account text not null,
  currency text not null,
  amount bigint not null,
  balance_after bigint,
  constraint ledger_entries_pkey PRIMARY KEY (platform_id, journal_id, line),
  constraint ledger_entries_amount_check CHECK ((amount <> 0))
);
CREATE INDEX ledger_entries_of_internal_accounts ON public.ledger_entries USING btree (platform_id, account, currency, "position") WHERE (account ~~ 'IA:%'::text);

create table ledger_journals (
  platform_id uuid not null,
  id uuid not null,
  type text not null,
  reference text not null,
  at timestamp with time zone not null,
  constraint ledger_journals_pkey PRIMARY KEY (platform_id, id),
  constraint ledger_journals_once UNIQUE (platform_id, reference, type)
);

create table lookups (
  platform_id uuid not null,
  id uuid not null,
  receiver text not null,
  remote_answer jsonb,
  expires_at timestamp with time zone not null,
  constraint lookups_pkey PRIMARY KEY (platform_id, id),
  constraint lookups_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);
CREATE INDEX lookups_by_expiry ON public.lookups USING btree (platform_id, expires_at);

create table market_prices (
  currency text not null,
  numerator numeric not null,
  denominator numeric not null,
  set_at timestamp with time zone not null,
  constraint market_prices_pkey PRIMARY KEY (currency),
  constraint market_prices_denominator_check CHECK ((denominator > (0)::numeric)),
  constraint market_prices_numerator_check CHECK ((numerator > (0)::numeric))
);

create table network_fees (
  network text not null,
  fee bigint not null,
  set_at timestamp with time zone not null,
  constraint network_fees_pkey PRIMARY KEY (network),
  constraint network_fees_fee_check CHECK ((fee >= 0))
);

create table oidc_sign_ins (
  digest bytea not null,
  is_again boolean not null,
  started_at timestamp with time zone not null,
  constraint oidc_sign_ins_pkey PRIMARY KEY (digest)
);
CREATE INDEX oidc_sign_ins_started ON public.oidc_sign_ins USING btree (started_at);

create table operator_tokens (
  id uuid not null,
  digest bytea not null,
  operator_id uuid not null,
  name text not null,
  is_personal boolean not null,
  roles text[] not null,
  platforms uuid[],
  commands text[],
  addresses text[],
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint operator_tokens_pkey PRIMARY KEY (id),
  constraint operator_tokens_digest_key UNIQUE (digest),
  constraint operator_tokens_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id),
  constraint operator_tokens_roles_check CHECK ((cardinality(roles) > 0))
);
CREATE INDEX operator_tokens_operator ON public.operator_tokens USING btree (operator_id);

create table operator_volumes (
  operator text not null,
  day date not null,
  usd_amount bigint not null,
  constraint operator_volumes_pkey PRIMARY KEY (operator, day),
  constraint operator_volumes_usd_amount_check CHECK ((usd_amount >= 0))
);

create table operators (
  id uuid not null,
  name text not null,
  email text,
  status text not null,
  roles text[] not null,
  platforms uuid[],
  issuer text,
  subject text,
  recovered_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  last_seen_at timestamp with time zone,
  had_groups boolean not null default false,
  constraint operators_pkey PRIMARY KEY (id),
  constraint operators_check CHECK (((issuer IS NULL) = (subject IS NULL))),
  constraint operators_issuer_subject_key UNIQUE (issuer, subject),
  constraint operators_name_key UNIQUE (name),
  constraint operators_roles_check CHECK ((cardinality(roles) > 0)),
  constraint operators_status_check CHECK ((status = ANY (ARRAY['INVITED'::text, 'ACTIVE'::text, 'DISABLED'::text])))
);

create table order_reports (
  platform_id uuid not null,
  order_id uuid not null,
  sequence integer not null,
  digest bytea not null,
  content bytea,
  status text not null,
  return_id text,
  received_at timestamp with time zone not null,
  constraint order_reports_pkey PRIMARY KEY (platform_id, order_id, sequence),
  constraint order_reports_digest_check CHECK ((octet_length(digest) = 32)),
  constraint order_reports_platform_id_order_id_fkey FOREIGN KEY (platform_id, order_id) REFERENCES provider_orders(platform_id, id),
  constraint order_reports_status_check CHECK ((status = ANY (ARRAY['APPLIED'::text, 'WAITING'::text, 'EXCEPTION'::text, 'DISCARDED'::text])))
);
CREATE INDEX order_reports_returns ON public.order_reports USING btree (platform_id, order_id, return_id) WHERE (return_id IS NOT NULL);

create table ownership_challenges (
  platform_id uuid not null,
  id uuid not null,
  external_account_id uuid not null,
  method text not null,
  message text,
  link_digest bytea,
  expires_at timestamp with time zone not null,
  submitted_at timestamp with time zone,
  outcome text,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint ownership_challenges_pkey PRIMARY KEY (platform_id, id),
  constraint ownership_challenges_check CHECK (((method = 'WALLET_SIGNATURE'::text) = (message IS NOT NULL))),
  constraint ownership_challenges_check1 CHECK (((method = 'LIVENESS'::text) = (link_digest IS NOT NULL))),
  constraint ownership_challenges_check2 CHECK (((outcome IS NULL) = (ended_at IS NULL))),
  constraint ownership_challenges_method_check CHECK ((method = ANY (ARRAY['WALLET_SIGNATURE'::text, 'LIVENESS'::text]))),
  constraint ownership_challenges_outcome_check CHECK ((outcome = ANY (ARRAY['PROVEN'::text, 'FAILED'::text, 'SUPERSEDED'::text, 'CANCELLED'::text]))),
  constraint ownership_challenges_platform_id_external_account_id_fkey FOREIGN KEY (platform_id, external_account_id) REFERENCES external_accounts(platform_id, id)
);
CREATE UNIQUE INDEX ownership_challenges_by_link ON public.ownership_challenges USING btree (link_digest) WHERE (link_digest IS NOT NULL);
CREATE UNIQUE INDEX ownership_challenges_one_open ON public.ownership_challenges USING btree (platform_id, external_account_id) WHERE (outcome IS NULL);
CREATE INDEX ownership_challenges_to_review ON public.ownership_challenges USING btree (created_at, id) WHERE ((method = 'LIVENESS'::text) AND (outcome IS NULL));

create table payment_approvals (
  platform_id uuid not null,
  transaction_id uuid not null,
  requested_fields jsonb not null,
  decide_by timestamp with time zone,
  payer_platform_id uuid,
  payer_transaction_id uuid,
  constraint payment_approvals_pkey PRIMARY KEY (platform_id, transaction_id),
  constraint payment_approvals_check CHECK (((payer_platform_id IS NULL) = (payer_transaction_id IS NULL)))
);
CREATE INDEX payment_approvals_by_payer ON public.payment_approvals USING btree (payer_platform_id, payer_transaction_id) WHERE (payer_transaction_id IS NOT NULL);

create table payment_limits (
  platform_id uuid not null,
  currency text not null,
  receiving_currency text not null,
  transaction_max bigint,
  daily_volume_max bigint,
  constraint payment_limits_pkey PRIMARY KEY (platform_id, currency, receiving_currency),
  constraint payment_limits_daily_volume_max_check CHECK ((daily_volume_max > 0)),
  constraint payment_limits_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint payment_limits_transaction_max_check CHECK ((transaction_max > 0))
);

create table platform_currencies (
  platform_id uuid not null,
  currency text not null,
  position integer not null,
  min_amount bigint not null,
  max_amount bigint not null,
  required_counterparty_fields jsonb not null,
  enabled_transaction_types text[] not null,
  constraint platform_currencies_pkey PRIMARY KEY (platform_id, currency),
  constraint platform_currencies_check CHECK ((min_amount <= max_amount)),
  constraint platform_currencies_min_amount_check CHECK ((min_amount >= 0)),
  constraint platform_currencies_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);

create table platform_fee_configs (
  platform_id uuid not null,
  fee_type text not null,
  source_currency text not null,
  variable_fee_bps integer not null,
  fixed_fee_amount bigint not null,
  constraint platform_fee_configs_pkey PRIMARY KEY (platform_id, fee_type, source_currency),
  constraint platform_fee_configs_fixed_fee_amount_check CHECK ((fixed_fee_amount >= 0)),
  constraint platform_fee_configs_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint platform_fee_configs_variable_fee_bps_check CHECK (((variable_fee_bps >= 0) AND (variable_fee_bps <= 10000)))
);

create table platform_logos (
  platform_id uuid not null,
  digest text not null,
  media_type text not null,
  logo bytea not null,
  constraint platform_logos_pkey PRIMARY KEY (platform_id),
  constraint platform_logos_media_type_check CHECK ((media_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text]))),
  constraint platform_logos_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);
CREATE INDEX platform_logos_digest ON public.platform_logos USING btree (digest);

create table platforms (
  id uuid not null,
  name text not null,
  kind text not null,
  environment text not null,
  skip_verification_paperwork boolean not null default false,
  strict_identifiers boolean not null default false,
  travel_rule boolean not null default false,
  passkey_origins text[] not null default '{}'::text[],
  clock_offset_ms bigint not null default 0,
  clock_lease_until timestamp with time zone,
  webhook_endpoint text,
  webhook_public_key text not null,
  webhook_private_key bytea not null,
  config_id uuid not null,
  uma_domain text not null,
  proxy_uma_subdomain text not null,
  embedded_wallet_config jsonb,
  card_tokenization_2fa_config jsonb,
  onboarding_url text,
  created_at timestamp with time zone not null,
  config_updated_at timestamp with time zone not null,
  card_origins text[] not null default '{}'::text[],
  event_stream text,
  branding jsonb,
  constraint platforms_pkey PRIMARY KEY (id),
  constraint platforms_clock_offset_ms_check CHECK ((clock_offset_ms >= 0)),
  constraint platforms_config_id_key UNIQUE (config_id),
  constraint platforms_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint platforms_event_stream_check CHECK ((event_stream = ANY (ARRAY['OPENING'::text, 'OPEN'::text]))),
  constraint platforms_kind_check CHECK ((kind = ANY (ARRAY['REGULATED'::text, 'UNREGULATED'::text, 'HOUSE'::text]))),
  constraint platforms_proxy_uma_subdomain_unique UNIQUE (proxy_uma_subdomain)
);
CREATE INDEX platforms_clock_ahead ON public.platforms USING btree (id) WHERE (clock_offset_ms > 0);
CREATE UNIQUE INDEX platforms_production_uma_domain ON public.platforms USING btree (uma_domain) WHERE (environment = 'PRODUCTION'::text);

create table proposals (
  platform_id uuid not null,
  id uuid not null,
  command text not null,
  sealed_input bytea,
  digest bytea not null,
  resource text,
  amount bigint,
  currency text,
  status text not null,
  proposer text not null,
  proposed_by text not null,
  decided_by text,
  sealed_result bytea,
  error jsonb,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  constraint proposals_pkey PRIMARY KEY (platform_id, id),
  constraint proposals_check CHECK (((amount IS NULL) = (currency IS NULL))),
  constraint proposals_check1 CHECK (((status = 'PROPOSED'::text) = (decided_at IS NULL))),
  constraint proposals_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint proposals_status_check CHECK ((status = ANY (ARRAY['PROPOSED'::text, 'EXECUTED'::text, 'FAILED'::text, 'REJECTED'::text, 'WITHDRAWN'::text, 'EXPIRED'::text])))
);
CREATE UNIQUE INDEX proposals_equal ON public.proposals USING btree (command, digest) WHERE (status = 'PROPOSED'::text);
CREATE UNIQUE INDEX proposals_id ON public.proposals USING btree (id);
CREATE INDEX proposals_open ON public.proposals USING btree (created_at, id) WHERE (status = 'PROPOSED'::text);

create table provider_calls (
  provider_id uuid not null,
  port text not null,
  slice timestamp with time zone not null,
  answered integer not null default 0,
  unanswered integer not null default 0,
  durations integer[] not null default '{}'::integer[],
  constraint provider_calls_pkey PRIMARY KEY (provider_id, port, slice),
  constraint provider_calls_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id) ON DELETE CASCADE
);

create table provider_file_links (
  token_digest bytea not null,
  platform_id uuid not null,
  order_id uuid not null,
  document_id uuid not null,
  file_id uuid not null,
  expires_at timestamp with time zone not null,
  constraint provider_file_links_pkey PRIMARY KEY (platform_id, token_digest),
  constraint provider_file_links_platform_id_order_id_fkey FOREIGN KEY (platform_id, order_id) REFERENCES provider_orders(platform_id, id),
  constraint provider_file_links_token_digest_check CHECK ((octet_length(token_digest) = 32)),
  constraint provider_file_links_token_digest_key UNIQUE (token_digest)
);
CREATE INDEX provider_file_links_order ON public.provider_file_links USING btree (platform_id, order_id);

create table provider_health (
  provider_id uuid not null,
  unanswered_in_row integer not null default 0,
  circuit text not null default 'CLOSED'::text,
  opened_at timestamp with time zone,
  try_at timestamp with time zone,
  constraint provider_health_pkey PRIMARY KEY (provider_id),
  constraint provider_health_circuit_check CHECK ((circuit = ANY (ARRAY['CLOSED'::text, 'OPEN'::text]))),
  constraint provider_health_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id) ON DELETE CASCADE
);

create table provider_messages (
  provider_id uuid not null,
  message_id text not null,
  body_digest bytea not null,
  sealed_answer bytea,
  received_at timestamp with time zone not null,
  constraint provider_messages_pkey PRIMARY KEY (provider_id, message_id),
  constraint provider_messages_body_digest_check CHECK ((octet_length(body_digest) = 32))
);
CREATE INDEX provider_messages_old ON public.provider_messages USING btree (received_at);

create table provider_network_fees (
  provider_id uuid not null,
  network text not null,
  fee bigint not null,
  at timestamp with time zone not null,
  valid_until timestamp with time zone not null,
  constraint provider_network_fees_pkey PRIMARY KEY (provider_id, network),
  constraint provider_network_fees_fee_check CHECK ((fee >= 0)),
  constraint provider_network_fees_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id)
);

create table provider_orders (
  platform_id uuid not null,
  id uuid not null,
  provider_id uuid not null,
  type text not null,
  transaction_id uuid,
  subject text,
  request jsonb not null,
  amount bigint,
  currency text,
  own_reference text not null,
  state text not null default 'QUEUED'::text,
  failure_reason text,
  body bytea,
  reference text,
  created_at timestamp with time zone not null,
  execute_at timestamp with time zone not null,
  expected_at timestamp with time zone,
  is_instant boolean not null default false,
  is_held boolean not null default false,
  attempts integer not null default 0,
  asks integer not null default 0,
  first_attempt_at timestamp with time zone,
  last_attempt_at timestamp with time zone,
  expires_at timestamp with time zone,
  last_error text,
  asking_since timestamp with time zone,
  never_heard_at timestamp with time zone,
  gap_since timestamp with time zone,
  next_at timestamp with time zone,
  cancel_asked_at timestamp with time zone,
  cancel_attempts integer not null default 0,
  cancel_next_at timestamp with time zone,
  due_at timestamp with time zone default LEAST(next_at, cancel_next_at),
  leased_until timestamp with time zone,
  sequence integer not null default 0,
  settled_amount bigint,
  returned_amount bigint not null default 0,
  credited_amount bigint not null default 0,
  proofs jsonb,
  outside_fees jsonb not null default '[]'::jsonb,
  updated_at timestamp with time zone not null,
  sealed_secret bytea,
  lost_funding jsonb,
  asks_first boolean not null default false,
  constraint provider_orders_pkey PRIMARY KEY (platform_id, id),
  constraint provider_orders_amount_check CHECK ((amount > 0)),
  constraint provider_orders_check CHECK (((returned_amount >= 0) AND (returned_amount <= COALESCE(settled_amount, (0)::bigint)))),
  constraint provider_orders_own_reference_key UNIQUE (own_reference),
  constraint provider_orders_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint provider_orders_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id),
  constraint provider_orders_state_check CHECK ((state = ANY (ARRAY['QUEUED'::text, 'UNKNOWN'::text, 'ACCEPTED'::text, 'SENT'::text, 'SETTLED'::text, 'RETURNED'::text, 'DECIDED'::text, 'FAILED'::text])))
);
CREATE INDEX provider_orders_due ON public.provider_orders USING btree (provider_id, due_at) WHERE (due_at IS NOT NULL);
CREATE UNIQUE INDEX provider_orders_id ON public.provider_orders USING btree (id);
CREATE INDEX provider_orders_leased ON public.provider_orders USING btree (provider_id, leased_until) WHERE (leased_until IS NOT NULL);
CREATE INDEX provider_orders_open ON public.provider_orders USING btree (provider_id, created_at) WHERE (state = ANY (ARRAY['QUEUED'::text, 'UNKNOWN'::text, 'ACCEPTED'::text, 'SENT'::text]));
CREATE INDEX provider_orders_subject ON public.provider_orders USING btree (platform_id, subject) WHERE (subject IS NOT NULL);
CREATE INDEX provider_orders_transaction ON public.provider_orders USING btree (platform_id, transaction_id) WHERE (transaction_id IS NOT NULL);

create table provider_prices (
  provider_id uuid not null,
  currency text not null,
  bid numeric not null,
  ask numeric not null,
  at timestamp with time zone not null,
  valid_until timestamp with time zone not null,
  constraint provider_prices_pkey PRIMARY KEY (provider_id, currency),
  constraint provider_prices_bid_check CHECK ((bid > (0)::numeric)),
  constraint provider_prices_check CHECK ((ask >= bid)),
  constraint provider_prices_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id)
);

create table providers (
  id uuid not null,
  name text not null,
  kind text not null,
  environment text not null,
  ports text[] not null,
  url text,
  ca text,
  platform_ids uuid[],
  rails text[],
  currencies text[],
  account_types text[],
  status text not null,
  sealed_config bytea not null,
  resend_window_seconds integer not null,
  max_in_flight integer not null,
  authorization_deadline_ms integer not null,
  payment_threshold bigint not null,
  sealed_secret bytea,
  sealed_former_secret bytea,
  former_secret_until timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  removed_at timestamp with time zone,
  constraint providers_pkey PRIMARY KEY (id),
  constraint providers_account_types_check CHECK ((cardinality(account_types) > 0)),
  constraint providers_authorization_deadline_ms_check CHECK (((authorization_deadline_ms >= 500) AND (authorization_deadline_ms <= 10000))),
  constraint providers_check CHECK (((kind = 'http'::text) = (url IS NOT NULL))),
  constraint providers_check1 CHECK ((((kind = 'http'::text) AND (removed_at IS NULL)) = (sealed_secret IS NOT NULL))),
  constraint providers_check2 CHECK (((sealed_former_secret IS NULL) = (former_secret_until IS NULL))),
  constraint providers_currencies_check CHECK ((cardinality(currencies) > 0)),
  constraint providers_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint providers_kind_check CHECK ((kind = ANY (ARRAY['sandbox'::text, 'manual'::text, 'http'::text]))),
  constraint providers_max_in_flight_check CHECK (((max_in_flight >= 1) AND (max_in_flight <= 64))),
  constraint providers_payment_threshold_check CHECK ((payment_threshold >= 0)),
  constraint providers_platform_ids_check CHECK ((cardinality(platform_ids) > 0)),
  constraint providers_ports_check CHECK ((cardinality(ports) > 0)),
  constraint providers_rails_check CHECK ((cardinality(rails) > 0)),
  constraint providers_resend_window_seconds_check CHECK (((resend_window_seconds >= 300) AND (resend_window_seconds <= 2592000))),
  constraint providers_status_check CHECK ((status = ANY (ARRAY['ENABLED'::text, 'PAUSED'::text])))
);
CREATE UNIQUE INDEX providers_name ON public.providers USING btree (name) WHERE (removed_at IS NULL);

create table quotes (
  platform_id uuid not null,
  id uuid not null,
  source jsonb not null,
  destination jsonb not null,
  locked_side text not null,
  rate_numerator numeric not null,
  rate_denominator numeric not null,
  purpose_of_payment text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint quotes_pkey PRIMARY KEY (platform_id, id),
  constraint quotes_locked_side_check CHECK ((locked_side = ANY (ARRAY['SENDING'::text, 'RECEIVING'::text])))
);

create unlogged table rate_buckets (
  key text not null,
  tokens double precision not null,
  granted double precision not null,
  refilled_at timestamp with time zone not null,
  constraint rate_buckets_pkey PRIMARY KEY (key)
);

create table rate_spreads (
  platform_id uuid not null,
  sending text not null,
  receiving text not null,
  bps integer not null,
  constraint rate_spreads_pkey PRIMARY KEY (platform_id, sending, receiving),
  constraint rate_spreads_bps_check CHECK (((bps >= 0) AND (bps <= 9999))),
  constraint rate_spreads_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);

create table request_log (
  platform_id uuid not null,
  id uuid not null,
  client_request_id text,
  at timestamp with time zone not null,
  method text not null,
  path text not null,
  operation text,
  status integer not null,
  duration_ms integer not null,
  actor text,
  idempotency_key text,
  error text,
  content bytea,
  mentions uuid[] not null default '{}'::uuid[],
  constraint request_log_pkey PRIMARY KEY (platform_id, id)
);
CREATE INDEX request_log_by_client_id ON public.request_log USING btree (client_request_id) WHERE (client_request_id IS NOT NULL);

create table request_log_drops (
  platform_id uuid not null,
  hour timestamp with time zone not null,
  requests integer not null,
  bodies integer not null,
  constraint request_log_drops_pkey PRIMARY KEY (platform_id, hour)
);

create table rescreenings (
  platform_id uuid not null,
  provider_id uuid not null,
  subject text not null,
  currency text,
  subject_created_at timestamp with time zone not null,
  constraint rescreenings_pkey PRIMARY KEY (platform_id, provider_id, subject),
  constraint rescreenings_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id)
);
CREATE INDEX rescreenings_next ON public.rescreenings USING btree (provider_id, subject_created_at, subject);

create table review_flags (
  platform_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  subject text not null,
  reason text not null,
  level text not null,
  raised_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint review_flags_pkey PRIMARY KEY (platform_id, id),
  constraint review_flags_level_check CHECK ((level = ANY (ARRAY['INFO'::text, 'REVIEW'::text, 'BLOCK'::text]))),
  constraint review_flags_platform_id_customer_id_fkey FOREIGN KEY (platform_id, customer_id) REFERENCES customers(platform_id, id)
);
CREATE INDEX review_flags_customer ON public.review_flags USING btree (platform_id, customer_id);
CREATE UNIQUE INDEX review_flags_open ON public.review_flags USING btree (platform_id, customer_id, subject, reason) WHERE (closed_at IS NULL);

create table saved_filters (
  person text not null,
  section text not null,
  name text not null,
  query text not null,
  saved_at timestamp with time zone not null,
  constraint saved_filters_pkey PRIMARY KEY (person, section, name)
);

create table sca_challenges (
  platform_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  purpose text not null,
  quote_id uuid,
  external_account_id uuid,
  factor text not null,
  available_factors text[] not null,
  sms bytea,
  passkey_challenge bytea,
  wrong_proofs integer not null default 0,
  resends integer not null default 0,
  sent_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  passkey_credential_id text,
  passkey_rp_id text,
  constraint sca_challenges_pkey PRIMARY KEY (platform_id, id),
  constraint sca_challenges_check CHECK (((sms IS NULL) OR (factor = 'SMS_OTP'::text))),
  constraint sca_challenges_check1 CHECK ((('PASSKEY'::text = ANY (available_factors)) = (passkey_challenge IS NOT NULL))),
  constraint sca_challenges_check2 CHECK (((purpose = ANY (ARRAY['PAYOUT'::text, 'TRANSFER'::text, 'CURRENCY_CONVERSION'::text])) = (quote_id IS NOT NULL))),
  constraint sca_challenges_check3 CHECK (((purpose = ANY (ARRAY['TRUST_BENEFICIARY'::text, 'UNTRUST_BENEFICIARY'::text])) = (external_account_id IS NOT NULL))),
  constraint sca_challenges_factor_check CHECK ((factor = ANY (ARRAY['SMS_OTP'::text, 'TOTP'::text, 'PASSKEY'::text]))),
  constraint sca_challenges_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint sca_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['LOGIN'::text, 'PAYOUT'::text, 'TRANSFER'::text, 'CURRENCY_CONVERSION'::text, 'TRUST_BENEFICIARY'::text, 'UNTRUST_BENEFICIARY'::text])))
);
CREATE INDEX sca_challenges_of_customer ON public.sca_challenges USING btree (platform_id, customer_id);
CREATE UNIQUE INDEX sca_challenges_of_login ON public.sca_challenges USING btree (platform_id, customer_id) WHERE (purpose = 'LOGIN'::text);
CREATE UNIQUE INDEX sca_challenges_of_quote ON public.sca_challenges USING btree (platform_id, quote_id) WHERE (quote_id IS NOT NULL);
CREATE UNIQUE INDEX sca_challenges_of_trust ON public.sca_challenges USING btree (platform_id, external_account_id, purpose) WHERE (external_account_id IS NOT NULL);

create table sca_enrolments (
  platform_id uuid not null,
  customer_id uuid not null,
  factor text not null,
  secret bytea not null,
  wrong_proofs integer not null,
  expires_at timestamp with time zone not null,
  constraint sca_enrolments_pkey PRIMARY KEY (platform_id, customer_id, factor),
  constraint sca_enrolments_factor_check CHECK ((factor = ANY (ARRAY['TOTP'::text, 'PASSKEY'::text]))),
  constraint sca_enrolments_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);

create table sca_passkeys (
  platform_id uuid not null,
  customer_id uuid not null,
  credential_id text not null,
  public_key bytea not null,
  algorithm integer not null,
  counter bigint not null,
  rp_id text not null,
  constraint sca_passkeys_pkey PRIMARY KEY (platform_id, customer_id),
  constraint sca_passkeys_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);

create table sca_resets (
  platform_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  factor text not null,
  status text not null,
  link_digest bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  enrolled_at timestamp with time zone,
  constraint sca_resets_pkey PRIMARY KEY (platform_id, id),
  constraint sca_resets_factor_check CHECK ((factor = ANY (ARRAY['SMS_OTP'::text, 'TOTP'::text, 'PASSKEY'::text]))),
  constraint sca_resets_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint sca_resets_status_check CHECK ((status = ANY (ARRAY['INITIATED'::text, 'PENDING_REVIEW'::text, 'LIVENESS_PASSED'::text, 'COMPLETED'::text, 'REJECTED'::text, 'EXPIRED'::text])))
);
CREATE UNIQUE INDEX sca_resets_by_id ON public.sca_resets USING btree (id);
CREATE UNIQUE INDEX sca_resets_by_link ON public.sca_resets USING btree (link_digest);
CREATE INDEX sca_resets_of_customer ON public.sca_resets USING btree (platform_id, customer_id, created_at DESC);
CREATE INDEX sca_resets_to_review ON public.sca_resets USING btree (created_at, id) WHERE (status = 'PENDING_REVIEW'::text);

create table sca_states (
  platform_id uuid not null,
  customer_id uuid not null,
  failed_attempts integer not null default 0,
  locked_until timestamp with time zone,
  session_expires_at timestamp with time zone,
  sms_sent_at timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  trust_failed_at timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  logged_in_at timestamp with time zone,
  is_phone_unproven boolean not null default false,
  cleared_at timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  constraint sca_states_pkey PRIMARY KEY (platform_id, customer_id),
  constraint sca_states_failed_attempts_check CHECK ((failed_attempts >= 0)),
  constraint sca_states_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);

create table sca_totp_factors (
  platform_id uuid not null,
  customer_id uuid not null,
  secret bytea not null,
  used_steps integer[] not null,
  recovery_codes bytea[] not null,
  constraint sca_totp_factors_pkey PRIMARY KEY (platform_id, customer_id),
  constraint sca_totp_factors_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null,
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table screening_lists (
  provider_id uuid not null,
  version text not null,
  received_at timestamp with time zone not null,
  constraint screening_lists_pkey PRIMARY KEY (provider_id),
  constraint screening_lists_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id)
);

create table screenings (
  platform_id uuid not null,
  order_id uuid not null,
  provider_id uuid not null,
  subject text not null,
  verdict text not null,
  list_version text not null,
  matches bytea,
  decided_at timestamp with time zone not null,
  constraint screenings_pkey PRIMARY KEY (platform_id, order_id),
  constraint screenings_platform_id_order_id_fkey FOREIGN KEY (platform_id, order_id) REFERENCES provider_orders(platform_id, id),
  constraint screenings_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id),
  constraint screenings_verdict_check CHECK ((verdict = ANY (ARRAY['CLEAR'::text, 'REVIEW'::text, 'BLOCK'::text])))
);
CREATE INDEX screenings_subject ON public.screenings USING btree (subject, decided_at);

create table service_fees (
  platform_id uuid not null,
  variable_fee_bps integer not null,
  constraint service_fees_pkey PRIMARY KEY (platform_id),
  constraint service_fees_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint service_fees_variable_fee_bps_check CHECK (((variable_fee_bps >= 0) AND (variable_fee_bps <= 10000)))
);

create table service_fixed_fees (
  platform_id uuid not null,
  currency text not null,
  conversion_fee bigint not null,
  withdrawal_fee bigint not null,
  constraint service_fixed_fees_pkey PRIMARY KEY (platform_id, currency),
  constraint service_fixed_fees_conversion_fee_check CHECK ((conversion_fee >= 0)),
  constraint service_fixed_fees_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint service_fixed_fees_withdrawal_fee_check CHECK ((withdrawal_fee >= 0))
);

create table settlement_references (
  platform_id uuid not null,
  transaction_id uuid not null,
  id uuid not null,
  leg text not null,
  outcome text not null,
  reference text not null,
  recorded_at timestamp with time zone not null,
  constraint settlement_references_pkey PRIMARY KEY (platform_id, transaction_id, id),
  constraint settlement_references_leg_check CHECK ((leg = ANY (ARRAY['COLLECTION'::text, 'PULL'::text, 'PAYOUT'::text, 'REFUND'::text, 'RETURN'::text]))),
  constraint settlement_references_outcome_check CHECK ((outcome = ANY (ARRAY['CONFIRMED'::text, 'FAILED'::text]))),
  constraint settlement_references_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 140)))
);
CREATE INDEX settlement_references_by_reference ON public.settlement_references USING btree (platform_id, reference);

create table stablecoin_operations (
  platform_id uuid not null,
  id uuid not null,
  stablecoin_id uuid not null,
  link_id uuid not null,
  provider text not null,
  operation_type text not null,
  status text not null,
  amount bigint not null,
  source_type text not null,
  source_account_id uuid,
  destination_account_id uuid not null,
  destination_rail text,
  description text,
  estimated_delivery jsonb,
  funding_instructions jsonb,
  expires_at timestamp with time zone,
  provider_status text,
  provider_reference text,
  failure_reason text,
  request_key text,
  request_fingerprint bytea not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint stablecoin_operations_pkey PRIMARY KEY (platform_id, id),
  constraint stablecoin_operations_amount_check CHECK ((amount > 0)),
  constraint stablecoin_operations_check CHECK (((failure_reason IS NOT NULL) = (status = 'FAILED'::text))),
  constraint stablecoin_operations_check1 CHECK (((provider_reference IS NOT NULL) = (status <> 'CREATED'::text))),
  constraint stablecoin_operations_check2 CHECK (((operation_type = 'BURN'::text) = ((destination_rail IS NOT NULL) AND (estimated_delivery IS NOT NULL)))),
  constraint stablecoin_operations_operation_type_check CHECK ((operation_type = ANY (ARRAY['MINT'::text, 'BURN'::text]))),
  constraint stablecoin_operations_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint stablecoin_operations_platform_id_stablecoin_id_fkey FOREIGN KEY (platform_id, stablecoin_id) REFERENCES stablecoins(platform_id, id),
  constraint stablecoin_operations_status_check CHECK ((status = ANY (ARRAY['CREATED'::text, 'PENDING_FUNDING'::text, 'PENDING_PROVIDER'::text, 'PROCESSING'::text, 'COMPLETED'::text, 'FAILED'::text, 'EXPIRED'::text])))
);
CREATE INDEX stablecoin_operations_of_coin ON public.stablecoin_operations USING btree (platform_id, stablecoin_id, created_at DESC, id DESC) WHERE (status <> 'CREATED'::text);
CREATE INDEX stablecoin_operations_of_coin_by_type ON public.stablecoin_operations USING btree (platform_id, stablecoin_id, operation_type, created_at DESC, id DESC) WHERE (status <> 'CREATED'::text);
CREATE UNIQUE INDEX stablecoin_operations_of_request ON public.stablecoin_operations USING btree (platform_id, request_key) WHERE (request_key IS NOT NULL);
CREATE INDEX stablecoin_operations_open ON public.stablecoin_operations USING btree (platform_id, created_at, id) WHERE (status <> ALL (ARRAY['COMPLETED'::text, 'FAILED'::text, 'EXPIRED'::text]));

create table stablecoin_provider_accounts (
  platform_id uuid not null,
  id uuid not null,
  provider text not null,
  provider_account_id text not null,
  status text not null,
  credentials bytea not null,
  last_verified_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  served_by uuid,
  constraint stablecoin_provider_accounts_pkey PRIMARY KEY (platform_id, id),
  constraint stablecoin_provider_accounts_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint stablecoin_provider_accounts_served_by_fkey FOREIGN KEY (served_by) REFERENCES providers(id),
  constraint stablecoin_provider_accounts_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'INVALID'::text, 'REVOKED'::text])))
);
CREATE UNIQUE INDEX stablecoin_provider_accounts_by_id ON public.stablecoin_provider_accounts USING btree (id);
CREATE INDEX stablecoin_provider_accounts_by_status ON public.stablecoin_provider_accounts USING btree (platform_id, status, created_at DESC, id DESC);
CREATE INDEX stablecoin_provider_accounts_newest ON public.stablecoin_provider_accounts USING btree (platform_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX stablecoin_provider_accounts_one_active ON public.stablecoin_provider_accounts USING btree (platform_id, provider, provider_account_id) WHERE (status = 'ACTIVE'::text);

create table stablecoins (
  platform_id uuid not null,
  id uuid not null,
  link_id uuid not null,
  provider text not null,
  provider_token_identifier text not null,
  network text not null,
  network_token_identifier text not null,
  name text not null,
  symbol text not null,
  base_currency text not null,
  decimals smallint not null,
  issuance_status text not null,
  service_operations_status text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint stablecoins_pkey PRIMARY KEY (platform_id, id),
  constraint stablecoins_decimals_check CHECK ((decimals >= 0)),
  constraint stablecoins_issuance_status_check CHECK ((issuance_status = ANY (ARRAY['PENDING_REVIEW'::text, 'PROVISIONING'::text, 'PROVISIONED'::text, 'REJECTED'::text, 'FAILED'::text]))),
  constraint stablecoins_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint stablecoins_platform_id_link_id_fkey FOREIGN KEY (platform_id, link_id) REFERENCES stablecoin_provider_accounts(platform_id, id),
  constraint stablecoins_service_operations_status_check CHECK ((service_operations_status = ANY (ARRAY['NOT_ENABLED'::text, 'PENDING_APPROVAL'::text, 'ENABLING'::text, 'ENABLED'::text, 'DISABLED'::text])))
);
CREATE UNIQUE INDEX stablecoins_by_id ON public.stablecoins USING btree (id);
CREATE INDEX stablecoins_by_issuance ON public.stablecoins USING btree (platform_id, issuance_status, created_at DESC, id DESC);
CREATE INDEX stablecoins_by_service_operations ON public.stablecoins USING btree (platform_id, service_operations_status, created_at DESC, id DESC);
CREATE INDEX stablecoins_newest ON public.stablecoins USING btree (platform_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX stablecoins_one_of_network ON public.stablecoins USING btree (platform_id, network_token_identifier);
CREATE UNIQUE INDEX stablecoins_one_of_provider ON public.stablecoins USING btree (platform_id, link_id, provider_token_identifier);

create table stored_files (
  platform_id uuid not null,
  id uuid not null,
  bytes bigint not null,
  digest bytea not null,
  created_at timestamp with time zone not null,
  constraint stored_files_pkey PRIMARY KEY (platform_id, id),
  constraint stored_files_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);
CREATE UNIQUE INDEX stored_files_by_id ON public.stored_files USING btree (id);

create table transactions (
  platform_id uuid not null,
  id uuid not null,
  type text not null,
  status text not null,
  pending_reason text,
  customer_id uuid,
  platform_customer_id text,
  source jsonb,
  source_identifier text,
  destination jsonb,
  destination_identifier text,
  sent_amount bigint,
  sent_currency text,
  received_amount bigint,
  received_currency text,
  fees bigint,
  platform_fees bigint,
  exchange_rate double precision,
  rate_details jsonb,
  quote_id uuid,
  agent_id uuid,
  card_id uuid,
  card_details jsonb,
  description text,
  payment_reference text,
  reconciliation_reference text,
  payment_instructions jsonb,
  counterparty_information jsonb,
  payment_rail text,
  rail_selection_mode text,
  settlement_timeline_seconds integer,
  expected_settlement_at timestamp with time zone,
  failure_reason text,
  refund_reference text,
  refund_status text,
  refund_reason text,
  refund_initiated_at timestamp with time zone,
  refund_settled_at timestamp with time zone,
  receipt_delivery_confirmed_at timestamp with time zone,
  counted_on date,
  settled_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  direction text,
  approval_action_id uuid,
  constraint transactions_pkey PRIMARY KEY (platform_id, id),
  constraint transactions_card CHECK (((type = 'CARD'::text) = (num_nonnulls(card_id, card_details) = 2))),
  constraint transactions_direction_check CHECK ((direction = ANY (ARRAY['CREDIT'::text, 'DEBIT'::text]))) NOT VALID,
  constraint transactions_failure_reason CHECK (((failure_reason IS NOT NULL) = (status = 'FAILED'::text))),
  constraint transactions_fees_check CHECK ((fees >= 0)),
  constraint transactions_platform_fees_check CHECK ((platform_fees >= 0)),
  constraint transactions_rail_selection_mode_check CHECK ((rail_selection_mode = ANY (ARRAY['AUTO'::text, 'MANUAL'::text]))),
  constraint transactions_received_amount_check CHECK ((received_amount >= 0)),
  constraint transactions_refund CHECK (((num_nonnulls(refund_reference, refund_status, refund_reason, refund_initiated_at) = ANY (ARRAY[0, 4])) AND ((refund_settled_at IS NOT NULL) = (NOT (refund_status IS DISTINCT FROM 'COMPLETED'::text))))),
  constraint transactions_refund_status_check CHECK ((refund_status = ANY (ARRAY['PENDING'::text, 'COMPLETED'::text, 'FAILED'::text]))),
  constraint transactions_sent_amount_check CHECK ((sent_amount >= 0)),
  constraint transactions_sides CHECK (((type = 'CARD'::text) OR (num_nulls(source, destination) = 0))),
  constraint transactions_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'PENDING_AUTHORIZATION'::text, 'PROCESSING'::text, 'COMPLETED'::text, 'REJECTED'::text, 'FAILED'::text, 'EXPIRED'::text, 'AUTHORIZED'::text, 'PARTIALLY_SETTLED'::text, 'SETTLED'::text, 'REFUNDED'::text, 'EXCEPTION'::text, 'DECLINED'::text]))),
  constraint transactions_type_check CHECK ((type = ANY (ARRAY['INCOMING'::text, 'OUTGOING'::text, 'CARD'::text])))
);
CREATE INDEX transactions_awaiting_refund ON public.transactions USING btree (platform_id, created_at, id) WHERE (refund_status = 'PENDING'::text);
CREATE INDEX transactions_by_destination ON public.transactions USING btree (platform_id, destination_identifier, created_at, id) WHERE (destination_identifier IS NOT NULL);
CREATE INDEX transactions_by_payment_reference ON public.transactions USING btree (platform_id, payment_reference) WHERE (payment_reference IS NOT NULL);
CREATE INDEX transactions_by_reconciliation_reference ON public.transactions USING btree (platform_id, reconciliation_reference) WHERE (reconciliation_reference IS NOT NULL);
CREATE UNIQUE INDEX transactions_by_refund_reference ON public.transactions USING btree (platform_id, refund_reference) WHERE (refund_reference IS NOT NULL);
CREATE INDEX transactions_by_source ON public.transactions USING btree (platform_id, source_identifier, created_at, id) WHERE (source_identifier IS NOT NULL);
CREATE INDEX transactions_by_status ON public.transactions USING btree (platform_id, status, created_at, id);
CREATE INDEX transactions_by_type ON public.transactions USING btree (platform_id, type, created_at, id);
CREATE INDEX transactions_newest ON public.transactions USING btree (platform_id, created_at, id);
CREATE INDEX transactions_of_card ON public.transactions USING btree (platform_id, card_id, created_at, id) WHERE (card_id IS NOT NULL);
CREATE INDEX transactions_of_customer ON public.transactions USING btree (platform_id, customer_id, created_at, id);
CREATE INDEX transactions_of_platform_customer ON public.transactions USING btree (platform_id, platform_customer_id, created_at, id) WHERE (platform_customer_id IS NOT NULL);
CREATE INDEX transactions_refund_failed ON public.transactions USING btree (platform_id, created_at, id) WHERE (refund_status = 'FAILED'::text);

create table uma_addresses (
  platform_id uuid not null,
  address text not null,
  customer_id uuid not null,
  constraint uma_addresses_held_once PRIMARY KEY (platform_id, address),
  constraint uma_addresses_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);
CREATE INDEX uma_addresses_by_address ON public.uma_addresses USING btree (address);

create table uma_payer_data (
  platform_id uuid not null,
  transaction_id uuid not null,
  data bytea not null,
  constraint uma_payer_data_pkey PRIMARY KEY (platform_id, transaction_id)
);

create table uma_providers (
  environment text not null,
  domain text not null,
  name text not null,
  supported_regions text[] not null,
  supported_currencies text[] not null,
  logo_url text,
  lei text,
  allow_list_status boolean not null,
  constraint uma_providers_pkey PRIMARY KEY (environment, domain),
  constraint uma_providers_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
CREATE INDEX uma_providers_by_name ON public.uma_providers USING btree (environment, name, domain);

create table verification_snapshot_documents (
  platform_id uuid not null,
  snapshot_id uuid not null,
  document_id uuid not null,
  constraint verification_snapshot_documents_pkey PRIMARY KEY (platform_id, snapshot_id, document_id),
  constraint verification_snapshot_documents_platform_id_snapshot_id_fkey FOREIGN KEY (platform_id, snapshot_id) REFERENCES verification_snapshots(platform_id, id)
);

create table verification_snapshots (
  platform_id uuid not null,
  id uuid not null,
  verification_id uuid not null,
  taken_at timestamp with time zone not null,
  content bytea not null,
  constraint verification_snapshots_pkey PRIMARY KEY (platform_id, id),
  constraint verification_snapshots_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint verification_snapshots_platform_id_verification_id_fkey FOREIGN KEY (platform_id, verification_id) REFERENCES verifications(platform_id, id)
);

create table verifications (
  platform_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  status text not null,
  errors jsonb not null,
  reviewer_entries jsonb not null,
  snapshot_id uuid,
  submitted_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  is_owner_review boolean not null default false,
  constraint verifications_pkey PRIMARY KEY (platform_id, id),
  constraint verifications_platform_id_customer_id_fkey FOREIGN KEY (platform_id, customer_id) REFERENCES customers(platform_id, id),
  constraint verifications_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint verifications_status_check CHECK ((status = ANY (ARRAY['RESOLVE_ERRORS'::text, 'IN_PROGRESS'::text, 'PENDING_MANUAL_REVIEW'::text, 'APPROVED'::text, 'REJECTED'::text])))
);
CREATE INDEX verifications_by_creation ON public.verifications USING btree (platform_id, created_at, id);
CREATE INDEX verifications_by_status ON public.verifications USING btree (platform_id, status, created_at, id);
CREATE INDEX verifications_of_customer ON public.verifications USING btree (platform_id, customer_id, created_at, id);
CREATE UNIQUE INDEX verifications_one_open ON public.verifications USING btree (platform_id, customer_id) WHERE (status = ANY (ARRAY['RESOLVE_ERRORS'::text, 'IN_PROGRESS'::text, 'PENDING_MANUAL_REVIEW'::text]));
CREATE INDEX verifications_owner_reviews ON public.verifications USING btree (platform_id, customer_id) WHERE (is_owner_review AND (status = ANY (ARRAY['RESOLVE_ERRORS'::text, 'IN_PROGRESS'::text, 'PENDING_MANUAL_REVIEW'::text])));

create table wallet_credentials (
  platform_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  customer_id uuid not null,
  type text not null,
  nickname text not null,
  webauthn_id text,
  public_key bytea,
  algorithm integer,
  counter bigint,
  rp_id text,
  transports text[],
  issuer text,
  audience text,
  subject text,
  issued_at timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  challenged_at timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  failed_at timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  sealed_nickname bytea,
  constraint wallet_credentials_pkey PRIMARY KEY (platform_id, id),
  constraint wallet_credentials_oauth CHECK (((type = 'OAUTH'::text) = (num_nonnulls(issuer, audience, subject) = 3))),
  constraint wallet_credentials_passkey CHECK (((type = 'PASSKEY'::text) = (num_nonnulls(webauthn_id, public_key, algorithm, counter, rp_id, transports) = 6))),
  constraint wallet_credentials_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint wallet_credentials_type_check CHECK ((type = ANY (ARRAY['OAUTH'::text, 'EMAIL_OTP'::text, 'SMS_OTP'::text, 'PASSKEY'::text])))
);
CREATE INDEX wallet_credentials_by_contact ON public.wallet_credentials USING btree (platform_id, type, lower(nickname)) WHERE (type = ANY (ARRAY['EMAIL_OTP'::text, 'SMS_OTP'::text]));
CREATE UNIQUE INDEX wallet_credentials_identities ON public.wallet_credentials USING btree (platform_id, account_id, issuer, audience, subject) WHERE (type = 'OAUTH'::text);
CREATE INDEX wallet_credentials_of_account ON public.wallet_credentials USING btree (platform_id, account_id, created_at, id);
CREATE UNIQUE INDEX wallet_credentials_one_otp ON public.wallet_credentials USING btree (platform_id, account_id, type) WHERE (type = ANY (ARRAY['EMAIL_OTP'::text, 'SMS_OTP'::text]));
CREATE UNIQUE INDEX wallet_credentials_passkeys ON public.wallet_credentials USING btree (platform_id, account_id, webauthn_id) WHERE (type = 'PASSKEY'::text);

create table wallet_otps (
  platform_id uuid not null,
  credential_id uuid not null,
  id uuid not null,
  code_digest bytea not null,
  target_scalar bytea not null,
  wrong_codes integer not null default 0,
  ready_at timestamp with time zone not null,
  shown boolean not null,
  expires_at timestamp with time zone not null,
  constraint wallet_otps_pkey PRIMARY KEY (platform_id, credential_id),
  constraint wallet_otps_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);

create table wallet_requests (
  platform_id uuid not null,
  id uuid not null,
  operation text not null,
  resource_id uuid not null,
  account_id uuid not null,
  credential_id uuid,
  body bytea not null,
  payload_to_sign text not null,
  context jsonb not null,
  failed_retries integer not null default 0,
  state text not null,
  stamp_digest bytea,
  reply bytea,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint wallet_requests_pkey PRIMARY KEY (platform_id, id),
  constraint wallet_requests_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id),
  constraint wallet_requests_state_check CHECK ((state = ANY (ARRAY['PENDING'::text, 'PROCESSING'::text, 'SETTLED'::text])))
);
CREATE INDEX wallet_requests_expired ON public.wallet_requests USING btree (platform_id, expires_at);
CREATE INDEX wallet_requests_of_account ON public.wallet_requests USING btree (platform_id, account_id);
CREATE INDEX wallet_requests_of_resource ON public.wallet_requests USING btree (platform_id, resource_id, operation);

create table wallet_sessions (
  platform_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  credential_id uuid not null,
  type text not null,
  nickname text not null,
  public_key text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  is_user_verified boolean,
  sealed_nickname bytea,
  constraint wallet_sessions_pkey PRIMARY KEY (platform_id, id),
  constraint wallet_sessions_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);
CREATE INDEX wallet_sessions_of_account ON public.wallet_sessions USING btree (platform_id, account_id, created_at DESC, id DESC) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX wallet_sessions_one_per_key ON public.wallet_sessions USING btree (platform_id, account_id, public_key) WHERE (ended_at IS NULL);

create table wallet_signers (
  environment text not null,
  scalar bytea not null,
  constraint wallet_signers_pkey PRIMARY KEY (environment),
  constraint wallet_signers_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);

create table wallet_used_challenges (
  platform_id uuid not null,
  account_id uuid not null,
  challenge bytea not null,
  constraint wallet_used_challenges_pkey PRIMARY KEY (platform_id, account_id, challenge),
  constraint wallet_used_challenges_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);

create table wallet_used_tokens (
  platform_id uuid not null,
  credential_id uuid not null,
  token_digest bytea not null,
  expires_at timestamp with time zone not null,
  constraint wallet_used_tokens_pkey PRIMARY KEY (platform_id, credential_id, token_digest),
  constraint wallet_used_tokens_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);
CREATE INDEX wallet_used_tokens_expired ON public.wallet_used_tokens USING btree (platform_id, expires_at);

create table wallets (
  platform_id uuid not null,
  account_id uuid not null,
  customer_id uuid not null,
  organization_id uuid not null,
  wallet_id uuid not null,
  user_id uuid not null,
  seed bytea not null,
  ended_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint wallets_pkey PRIMARY KEY (platform_id, account_id),
  constraint wallets_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES platforms(id)
);
CREATE UNIQUE INDEX wallets_of_customer ON public.wallets USING btree (platform_id, customer_id);

-- view events (platform_id uuid, id uuid, position bigint, type text, at timestamp with time zone, resource_id text, body text)
