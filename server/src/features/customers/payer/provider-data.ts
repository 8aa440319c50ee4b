/** The provider-data gate reads only columns that a payment selects anyway (CUST-66). */
import { formatId } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { CURRENCIES_WITH_REQUIREMENTS, providerRequirementsOf } from '../../platform/lists.ts'
import {
  mustHaveNoMissingFields,
  isGovernmentNumber,
  missingFieldsFor,
  requiredPathsOf,
} from '../currencies/mandatory-fields.ts'
import type { Payer } from './payer.ts'
import type { CustomerType } from '../status/machine.ts'

invariant(
  CURRENCIES_WITH_REQUIREMENTS.every(
    (currency) => !providerRequirementsOf(currency).customer.some(isGovernmentNumber),
  ),
  'A sealed number cannot be checked within a payment.',
)

const pathsOf = (customerType: CustomerType): readonly string[] => [
  ...new Set(
    CURRENCIES_WITH_REQUIREMENTS.flatMap((currency) => requiredPathsOf(customerType, currency)),
  ),
]

/** Every path that some currency requires, by type of customer. */
export const REQUIRED_PATHS = {
  INDIVIDUAL: pathsOf('INDIVIDUAL'),
  BUSINESS: pathsOf('BUSINESS'),
} as const

/** A customer and a currency that it uses, as payer or as owner of the account that is paid. */
type CurrencyUse = Readonly<{ payer: Payer; currency: string }>

export const lacksProviderData = ({ payer, currency }: CurrencyUse): boolean =>
  requiredPathsOf(payer.customerType, currency).some((path) => payer.missingFields.includes(path))

/**
 * Customers that use a currency have the fields that its providers require (CUST-66). The refusal names all fields that
 * the first incomplete customer lacks. Fails: MISSING_MANDATORY_USER_INFO.
 */
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
  mustHaveNoMissingFields(missing, { customerId: formatId('customer', id) })
}
