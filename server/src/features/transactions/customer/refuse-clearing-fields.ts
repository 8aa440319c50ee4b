import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { mustHaveNoMissingFields } from '../../customers/index.ts'
import { listUsedCurrencies } from '../record/store.ts'

/**
 * A field cannot be cleared while a currency in use requires it: one in the customer's list, or one whose account ever
 * had a payment (CUST-67). Balances need no check, since all money came by a payment.
 * Fails: MISSING_MANDATORY_USER_INFO.
 */
export async function refuseClearingFields(
  { tx, platform }: Work,
  { customerId, cleared }: InternalEvents['customers.fieldsCleared'],
): Promise<void> {
  const currencies = cleared.filter(({ isListed }) => !isListed).map(({ currency }) => currency)
  const used = await listUsedCurrencies(tx, platform.id, { customerId, currencies })
  const missing = new Map<string, Set<string>>()
  for (const { currency, fields, isListed } of cleared) {
    if (!isListed && !used.includes(currency)) continue
    for (const field of fields) {
      missing.set(field, (missing.get(field) ?? new Set()).add(currency))
    }
  }
  mustHaveNoMissingFields(missing)
}
