-- A clearing without authorization has nothing authorized (CTXN-19). Rows that were made before had more than nothing, so
-- they need no look.
alter table card_transactions drop constraint card_transactions_authorized_check;
alter table card_transactions add constraint card_transactions_authorized_check check (authorized >= 0) not valid;

-- Cards that were made before they closed by themselves do so at their expiry, too (CARD-13). An older process does not
-- know the job and leaves it waiting.
insert into jobs (platform_id, id, name, payload, due_at, state, created_at)
select platform_id, gen_random_uuid(), 'cards.expire', jsonb_build_object('cardId', id),
  make_timestamptz(exp_year, exp_month, 1, 0, 0, 0, 'UTC') + interval '1 month', 'WAITING', created_at
from cards where state in ('ACTIVE', 'FROZEN');

-- The pages that may hold a platform's card numbers in a frame (CARD-37).
alter table platforms add column card_origins text[] not null default '{}';

-- Whether the login of a wallet's session verified the user (VRFY-18). Null: an older process made it.
alter table wallet_sessions add column is_user_verified boolean;
