import type { Id } from '../../kernel/ids.ts'
import { given } from '../../infra/db/given.ts'
import { RESOURCE_KEY } from '../../infra/db/resource-key.ts'
import { sql } from '../../infra/db/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { payerOf, type Payer, type PayerColumns } from './payer.ts'
import { PAYER_COLUMNS } from './provider-data.ts'

export type CustomerKey = Readonly<{ platformId: Id<'platform'>; id: Id<'customer'> }>

type Named = Readonly<{
  platformId: Id<'platform'>
  /** The full or legal name, as in displayName. */
  name: string
}>

/** A payer with its name. */
export type NamedPayer = Payer & Named

/** The lock of a foreign key: the customer is not deleted until the transaction ends; all else may change. */
const HOLD = sql`order by c.platform_id, c.id for key share of c`

/** Customers of any platforms, deleted ones too. */
export async function listPayers(
  tx: Tx,
  keys: readonly CustomerKey[],
  { isHeld }: Readonly<{ isHeld: boolean }>,
): Promise<NamedPayer[]> {
  const rows = await tx.many<PayerColumns & Named>(
    sql`select c.platform_id, c.id as customer_id, ${PAYER_COLUMNS},
          coalesce(c.profile ->> 'fullName', c.profile -> 'businessInfo' ->> 'legalName', c.platform_customer_id) as name
        from customers c join ${given('k', RESOURCE_KEY, keys)} using (platform_id, id)
        ${isHeld ? HOLD : sql.empty}`,
  )
  return rows.flatMap(({ platformId, name, ...columns }) => {
    const payer = payerOf(columns)
    return payer ? [{ ...payer, platformId, name }] : []
  })
}
