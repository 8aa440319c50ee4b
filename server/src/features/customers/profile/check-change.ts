import type { FieldError } from '../../../kernel/errors.ts'
import type { Work } from '../../../infra/work/work.ts'
import { checkCustomer } from './check-customer.ts'
import type { Customer } from '../customer.ts'
import { isObject, valueAt, type CustomerRecord } from './record.ts'

/** A request names email or phoneNumber, not both, even unchanged (CUST-53). */
export function checkOneContact(request: unknown): FieldError[] {
  const fields = ['email', 'phoneNumber'].filter(
    (field) => isObject(request) && Object.hasOwn(request, field),
  )
  if (fields.length < 2) return []
  const message = 'email and phoneNumber cannot be changed in one request'
  return fields.map((field) => ({ field, message }))
}

/** Checks the record that a change leads to (CUST-50, CUST-59). Accepts unvalidated input; never throws. */
export function checkChange(
  { platform, now }: Pick<Work, 'platform' | 'now'>,
  {
    before,
    record,
    request,
  }: { before: Customer; record: CustomerRecord; request: CustomerRecord },
): FieldError[] {
  const { customerType } = before
  if (request['customerType'] !== customerType) {
    const constraint = { enum: [customerType] }
    return [{ field: 'customerType', constraint, message: `must be ${customerType}, as created` }]
  }
  const isNamed = (path: string): boolean => valueAt(request, path) !== undefined
  return checkCustomer({ record, isNamed, platform, now })
}
