-- The agent's action whose approval the payment of a quote waits for, or waited for.
alter table transactions add column approval_action_id uuid;

-- The agent that made the account; null where the platform did.
alter table external_accounts add column agent_id uuid;

-- When the access token ends. Without an end is only a token that was given out before tokens had one.
alter table agents add column token_expires_at timestamptz;

update agents a set token_expires_at = redeemed.at + interval '90 days'
from (select platform_id, agent_id, max(redeemed_at) as at from agent_device_codes
      where redeemed_at is not null group by platform_id, agent_id) redeemed
where a.platform_id = redeemed.platform_id and a.id = redeemed.agent_id and a.token_digest is not null;

-- Until when an action waits for approval, and the refusal that a failed one met.
alter table agent_actions add column expires_at timestamptz, add column failure_details jsonb;

-- What stands in the queue although its quote has ended otherwise.
update agent_actions a set status = 'FAILED', wallet_stamp = null, updated_at = t.updated_at,
  failure_reason = case t.status when 'EXPIRED' then 'QUOTE_EXPIRED' else 'QUOTE_NOT_EXECUTABLE' end
from transactions t
where t.platform_id = a.platform_id and t.id = a.transaction_id
  and a.status = 'PENDING_APPROVAL' and a.type = 'EXECUTE_QUOTE' and t.status <> 'PENDING';

update agent_actions a set expires_at = q.expires_at
from quotes q
where q.platform_id = a.platform_id and q.id = a.transaction_id
  and a.status = 'PENDING_APPROVAL' and a.type = 'EXECUTE_QUOTE';

update agent_actions set expires_at = created_at + interval '7 days'
where status = 'PENDING_APPROVAL' and type <> 'EXECUTE_QUOTE';

update transactions t set approval_action_id = a.id
from agent_actions a
where a.platform_id = t.platform_id and a.transaction_id = t.id
  and a.status = 'PENDING_APPROVAL' and a.type = 'EXECUTE_QUOTE';
