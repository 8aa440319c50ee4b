-- The directory of UMA providers, kept by the operator; one for each environment, the same for all its platforms.
create table uma_providers (
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  -- A sandbox domain may hold {sandbox_uma_domain}, which stands for the setting SANDBOX_UMA_DOMAIN.
  domain text collate "C" not null,
  name text collate "C" not null,
  supported_regions text[] not null,
  supported_currencies text[] not null,
  logo_url text,
  lei text,
  allow_list_status boolean not null,
  primary key (environment, domain)
);

create index uma_providers_by_name on uma_providers (environment, name, domain);

insert into uma_providers (environment, domain, name, supported_regions, supported_currencies, allow_list_status)
values
  ('SANDBOX', '{sandbox_uma_domain}', 'Sandbox Provider', '{US,DE,FR,MX}', '{USD,EUR,MXN}', true),
  ('SANDBOX', 'latam.{sandbox_uma_domain}', 'Sandbox Latin Provider', '{MX,BR}', '{MXN,BRL}', true),
  ('SANDBOX', 'blocked.{sandbox_uma_domain}', 'Sandbox Blocked Provider', '{US}', '{USD}', false);
