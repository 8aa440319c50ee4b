import type { Id } from '../../../kernel/ids.ts'
import { given } from '../../../infra/db/statement/given.ts'
import { RESOURCE_KEY } from '../../../infra/db/statement/resource-key.ts'
import { sql, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { CURRENCIES_WITH_REQUIREMENTS } from '../../platform/lists.ts'
import { payerOf, type Payer, type PayerColumns } from './payer.ts'
import { nameIn } from '../records/contact-store.ts'
import { REQUIRED_PATHS } from './provider-data.ts'
import { openPayer } from './sealed-payer.ts'

export type CustomerKey = Readonly<{ platformId: Id<'platform'>; id: Id<'customer'> }>

type Named = Readonly<{
  platformId: Id<'platform'>
  /** The full or legal name, as in displayName. */
  name: string
}>

export type NamedPayer = Payer & Named

/** The lock of a foreign key: until the transaction ends the customer cannot be deleted, and all else may change. */
const KEY_SHARE = sql`order by c.platform_id, c.id for key share of c`
/** The required paths that are empty in the customer `c`, whose data is put together once for all of them. */
const MISSING = sql`array(
  select p.path
  from (select c.profile || jsonb_build_object('email', c.email, 'phoneNumber', c.phone_number) as data offset 0) as known
    cross join unnest(
      case when c.customer_type = 'INDIVIDUAL' then ${REQUIRED_PATHS.INDIVIDUAL}::text[] else ${REQUIRED_PATHS.BUSINESS}::text[] end
    ) as p (path)
  where known.data #>> string_to_array(p.path, '.') is null)`

const payerColumns = (missing: Sql): Sql =>
  sql`c.platform_customer_id, c.status as customer_status, c.consent as customer_consent,
    c.is_deleted as is_customer_deleted, c.customer_type, ${missing} as missing_fields, c.sealed_contact`

/** PayerColumns of a statement that joins the customer `c`. */
const PAYER_COLUMNS = payerColumns(MISSING)

/** PayerColumns beside the customer's account `a`, whose currency mostly requires nothing. */
export const ACCOUNT_PAYER_COLUMNS = payerColumns(
  sql`case when a.currency = any(${CURRENCIES_WITH_REQUIREMENTS}::text[]) then ${MISSING} end`,
)

/** Customers of any platforms, deleted ones too. */
export async function listPayers(
  tx: Tx,
  keys: readonly CustomerKey[],
  { isLocked }: Readonly<{ isLocked: boolean }>,
): Promise<NamedPayer[]> {
  const rows = await tx.many<PayerColumns & Named>(
    sql`select c.platform_id, c.id as customer_id, ${PAYER_COLUMNS},
          coalesce(c.profile ->> 'fullName', c.profile -> 'businessInfo' ->> 'legalName', c.platform_customer_id) as name
        from customers c join ${given('k', RESOURCE_KEY, keys)} using (platform_id, id)
        ${isLocked ? KEY_SHARE : sql.empty}`,
  )
  return rows.flatMap(({ platformId, name, ...columns }) => {
    const opened = openPayer(tx.keyring, columns)
    const payer = payerOf({ ...columns, ...opened?.columns })
    if (!payer) return []
    const known = opened ? (nameIn(opened.contact) ?? payer.platformCustomerId) : name
    return [{ ...payer, platformId, name: known }]
  })
}
