/** The provider-data gate (CUST-66): what it looks at travels with the rows that a payment reads anyway. */
import { formatId } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import { sql, type Sql } from '../../infra/db/sql.ts'
import { CURRENCIES_WITH_REQUIREMENTS, providerRequirementsOf } from '../platform/index.ts'
import {
  failIfMissing,
  isGovernmentNumber,
  missingFieldsFor,
  requiredPathsOf,
} from './mandatory-fields.ts'
import type { Payer } from './payer.ts'
import type { CustomerType } from './status.ts'

invariant(
  CURRENCIES_WITH_REQUIREMENTS.every(
    (currency) => !providerRequirementsOf(currency).customer.some(isGovernmentNumber),
  ),
  'A number that is sealed cannot be looked for with a payment.',
)

const pathsOf = (customerType: CustomerType): readonly string[] => [
  ...new Set(
    CURRENCIES_WITH_REQUIREMENTS.flatMap((currency) => requiredPathsOf(customerType, currency)),
  ),
]
const PATHS = { INDIVIDUAL: pathsOf('INDIVIDUAL'), BUSINESS: pathsOf('BUSINESS') } as const

/** Of all that currencies ask for, the paths at which the customer `c` has nothing. */
const MISSING = sql`array(
  select p.path from unnest(
    case when c.customer_type = 'INDIVIDUAL' then ${PATHS.INDIVIDUAL}::text[] else ${PATHS.BUSINESS}::text[] end
  ) as p (path)
  where (c.profile || jsonb_build_object('email', c.email, 'phoneNumber', c.phone_number))
    #>> string_to_array(p.path, '.') is null)`

const payerColumns = (missing: Sql): Sql =>
  sql`c.platform_customer_id, c.status as customer_status, c.consent as customer_consent,
    c.is_deleted as is_customer_deleted, c.customer_type, ${missing} as missing_fields`

/** What a statement that joins the customer `c` selects for PayerColumns. */
export const PAYER_COLUMNS = payerColumns(MISSING)

/** The same beside the customer's account `a`, whose currency most often asks for nothing. */
export const ACCOUNT_PAYER_COLUMNS = payerColumns(
  sql`case when a.currency = any(${CURRENCIES_WITH_REQUIREMENTS}::text[]) then ${MISSING} end`,
)

/** A customer that uses a currency: as payer, or as owner of the account that is paid. */
export type CurrencyUse = Readonly<{ payer: Payer; currency: string }>

const missingIn = ({ payer: { customerType, missingFields }, currency }: CurrencyUse) =>
  missingFieldsFor(customerType, [currency], (path) => !missingFields.includes(path))

export const lacksProviderData = (use: CurrencyUse): boolean => missingIn(use).size > 0

/** CUST-66: whoever uses a currency has told what its providers ask for. Fails: MISSING_MANDATORY_USER_INFO. */
export function mustHaveProviderData(uses: readonly CurrencyUse[]): void {
  const [first, ...others] = uses.filter(lacksProviderData)
  if (!first) return
  const { id } = first.payer
  const own = [first, ...others.filter(({ payer }) => payer.id === id)]
  const missing = missingFieldsFor(
    first.payer.customerType,
    [...new Set(own.map(({ currency }) => currency))],
    (path) => !own.some(({ payer }) => payer.missingFields.includes(path)),
  )
  failIfMissing(missing, { customerId: formatId('customer', id) })
}
