/** Who accounts, cards, customers and payments of any platforms belong to: only the operator may ask. */
import type { Id } from '../../../kernel/ids.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { CUSTOMER_NAME, nameCustomers, type SealedName } from '../../../features/customers/lists.ts'

export const PARTY_KINDS = [
  'internalAccount',
  'externalAccount',
  'customer',
  'card',
  'transaction',
] as const

export type PartyKey = Readonly<{
  platformId: Id<'platform'>
  kind: (typeof PARTY_KINDS)[number]
  id: string
}>

const KEY: Columns<PartyKey> = {
  platform_id: ['uuid', ({ platformId }) => platformId],
  kind: ['text', ({ kind }) => kind],
  id: ['uuid', ({ id }) => id],
}

export type NamedParty = Readonly<{
  platformId: Id<'platform'>
  id: string
  /** The customer's name is that of the platform where the account or payment is its own. */
  isOwn: boolean
  platformName: string
  customerId: Id<'customer'> | null
  customerName: string | null
  externalId: Id<'externalAccount'> | null
  accountInfo: Buffer | null
  identifiedBy: string | null
  last4: string | null
}>

/** A payment that came in is named by whom it belongs to. */
export const listNamedParties = async (tx: Tx, keys: readonly PartyKey[]): Promise<NamedParty[]> =>
  nameCustomers(
    tx.keyring,
    await tx.many<NamedParty & SealedName>(
      sql`select k.platform_id, k.id, p.name as platform_name, c.id as customer_id, ${CUSTOMER_NAME},
            coalesce(a.id, t.id) is not null and coalesce(a.customer_id, t.customer_id) is null as is_own,
            e.id as external_id, e.account_info, e.identified_by, d.last4
          from ${given('k', KEY, keys)}
          join platforms p on p.id = k.platform_id
          left join internal_accounts a on k.kind = 'internalAccount' and a.platform_id = p.id and a.id = k.id
          left join external_accounts e on k.kind = 'externalAccount' and e.platform_id = p.id and e.id = k.id
          left join cards d on k.kind = 'card' and d.platform_id = p.id and d.id = k.id
          left join transactions t on k.kind = 'transaction' and t.platform_id = p.id and t.id = k.id
          left join customers c on c.platform_id = p.id and c.id = coalesce(a.customer_id, e.customer_id,
            d.customer_id, t.customer_id, case when k.kind = 'customer' then k.id end)`,
    ),
  )
