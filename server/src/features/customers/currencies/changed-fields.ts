/** What a change means for the fields that currencies ask for (CUST-66, CUST-67). */
import type { ClearedFields } from '../../../infra/internal-events.ts'
import { CURRENCIES_WITH_REQUIREMENTS } from '../../platform/index.ts'
import { valueAt, type CustomerRecord } from '../profile/record.ts'
import { requiredPathsOf } from './mandatory-fields.ts'
import type { CustomerType } from '../status/status.ts'

export type ChangedRecord = Readonly<{
  customerType: CustomerType
  before: CustomerRecord
  after: CustomerRecord
}>

const hasAt = (record: CustomerRecord, path: string): boolean => valueAt(record, path) !== undefined

/** What is there before and not after, by the currencies that ask for it. `listed` are those that the customer names. */
export function clearedFieldsOf(
  { customerType, before, after }: ChangedRecord,
  listed: readonly string[],
): ClearedFields[] {
  return CURRENCIES_WITH_REQUIREMENTS.flatMap((currency) => {
    const fields = requiredPathsOf(customerType, currency).filter(
      (path) => hasAt(before, path) && !hasAt(after, path),
    )
    return fields.length > 0 ? [{ currency, fields, isListed: listed.includes(currency) }] : []
  })
}

/** Whether something is there after that some currency asks for and was not there before. */
export const fillsFields = ({ customerType, before, after }: ChangedRecord): boolean =>
  clearedFieldsOf({ customerType, before: after, after: before }, []).length > 0
