/** Completes a refusal for wrong fields with the findings that need stored data (CORE-30). */
import type { FieldError } from '../../../kernel/errors.ts'
import { parseId } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { readConfig } from '../../platform/index.ts'
import { checkChange } from './check-change.ts'
import { checkOffer } from './check-offer.ts'
import { isObject, mergeRecord, toRecord } from './record.ts'
import { findCustomer } from '../records/find-customer.ts'

type Reading = Pick<Work, 'tx' | 'platform' | 'now' | 'keyring'>

export const checkStoredCreation = async (
  reading: Pick<Work, 'tx' | 'platform'>,
  request: unknown,
): Promise<FieldError[]> => checkOffer(request, await readConfig(reading))

/** No findings for an unknown customer, which is refused once the fields are right. */
export async function checkStoredChange(
  reading: Reading,
  customerId: string,
  request: unknown,
): Promise<FieldError[]> {
  const id = parseId('customer', customerId)
  if (id === undefined || !isObject(request)) return []
  const [before, config] = await Promise.all([findCustomer(reading, id), readConfig(reading)])
  if (!before || before.isDeleted) return []
  const record = mergeRecord(toRecord(reading.keyring, before), request)
  return [
    ...checkChange(reading, { before, record, request }),
    ...checkOffer(request, config, before),
  ]
}
