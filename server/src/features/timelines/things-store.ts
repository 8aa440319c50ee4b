/** Where the things of each kind are kept, and whose they are: everything that belongs to a platform and has an id. */
import type { IdKind } from '../../kernel/ids.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'

export type Thing = Readonly<{ table: Sql; customer: Sql; only?: Sql }>

const NOBODY = sql`null::uuid`
const OWNER = sql`customer_id`

export const THINGS: Partial<Record<IdKind, Thing>> = {
  token: { table: sql`api_tokens`, customer: NOBODY },
  customer: { table: sql`customers`, customer: sql`id` },
  beneficialOwner: { table: sql`beneficial_owners`, customer: OWNER },
  document: { table: sql`documents`, customer: OWNER },
  verification: { table: sql`verifications`, customer: OWNER },
  job: { table: sql`bulk_imports`, customer: NOBODY },
  internalAccount: { table: sql`internal_accounts`, customer: OWNER },
  externalAccount: { table: sql`external_accounts`, customer: OWNER },
  quote: { table: sql`quotes`, customer: NOBODY },
  transaction: { table: sql`transactions`, customer: OWNER, only: sql`and type <> 'CARD'` },
  authMethod: { table: sql`wallet_credentials`, customer: OWNER },
  session: { table: sql`wallet_sessions`, customer: NOBODY },
  request: { table: sql`wallet_requests`, customer: NOBODY },
  delegatedKey: { table: sql`delegated_keys`, customer: NOBODY },
  scaReset: { table: sql`sca_resets`, customer: OWNER },
  card: { table: sql`cards`, customer: OWNER },
  cardTransaction: { table: sql`card_transactions`, customer: OWNER },
  agent: { table: sql`agents`, customer: OWNER },
  agentAction: { table: sql`agent_actions`, customer: OWNER },
  stablecoinProviderAccount: { table: sql`stablecoin_provider_accounts`, customer: NOBODY },
  stablecoin: { table: sql`stablecoins`, customer: NOBODY },
  stablecoinOperation: { table: sql`stablecoin_operations`, customer: NOBODY },
  webhook: { table: sql`events`, customer: NOBODY },
}
