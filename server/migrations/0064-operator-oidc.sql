-- Sign-ins at the operators' issuer that are under way. State, nonce and verifier follow from a secret in the browser's
-- cookie; only its digest is kept.
create table oidc_sign_ins (
  digest bytea primary key,
  -- The issuer was asked to let the operator prove again who they are.
  is_again boolean not null,
  started_at timestamptz not null
);
create index oidc_sign_ins_started on oidc_sign_ins (started_at);

-- Whether its roles once came from groups at the issuer: without one it is not let in any more.
alter table operators add column had_groups boolean not null default false;
