import {
  ApiError,
  errorOf,
  failFields,
  mustHaveNoErrors,
  oncePerField,
  type FieldError,
} from '../../../kernel/errors.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { requestValidator } from '../../../infra/http/schema/validate.ts'
import type { Work } from '../../../infra/work/work.ts'
import { readConfig, type PlatformConfig } from '../../platform/index.ts'
import { addCustomers, type Addition } from './add-customers.ts'
import { checkCustomer } from '../profile/check-customer.ts'
import { checkOffer } from '../profile/check-offer.ts'
import { valueAt, type CustomerRecord } from '../profile/record.ts'
import { mustHaveMandatoryFields } from '../currencies/mandatory-fields.ts'
import { newCustomer } from './new-customer.ts'
import { CustomerCreateSchema, type CustomerCreateBody } from '../schema.ts'
import { lockCurrencyListForShare } from './store.ts'
import { claimUmaAddresses } from '../uma/store.ts'

/** A creation that was read from a file, with the findings of reading it. */
export type CustomerDraft = Readonly<{ record: CustomerRecord; findings: readonly FieldError[] }>

/** Undefined where the customer was created. */
export type DraftOutcome = ApiError | undefined

/** Fields that an import may leave for verification (BULK-5). */
const LEFT_FOR_VERIFICATION: readonly string[] = [
  'businessInfo.taxId',
  'businessInfo.incorporatedOn',
]

/**
 * Creates many customers in one transaction, each as createCustomer would; a refused draft does not affect others.
 * Every draft names its UMA address, so that it may share its platformCustomerId (CUST-18).
 * Answers, in order: INVALID_INPUT, INVALID_UMA_ADDRESS, MISSING_MANDATORY_USER_INFO, UMA_ADDRESS_EXISTS.
 */
export async function createCustomers(
  work: Work,
  drafts: readonly CustomerDraft[],
): Promise<readonly DraftOutcome[]> {
  const { tx, platform } = work
  const [, config] = await Promise.all([
    lockCurrencyListForShare(tx, platform.id),
    readConfig(work),
  ])
  const outcomes: DraftOutcome[] = drafts.map((draft) =>
    errorOf(() => mustBeSound(work, draft, config)),
  )
  const addressed = new Set<string>()
  const additions = new Map<number, Addition>()
  drafts.forEach(({ record }, index) => {
    if (outcomes[index]) return
    const customer = newCustomer(work, record as CustomerCreateBody, config)
    if (addressed.has(customer.umaAddress)) outcomes[index] = new ApiError('UMA_ADDRESS_EXISTS')
    else additions.set(index, { customer, record })
    addressed.add(customer.umaAddress)
  })
  const customers = [...additions.values()].map(({ customer }) => customer)
  const claimed = await claimUmaAddresses(tx, platform, customers)
  for (const [index, { customer }] of additions) {
    if (claimed.has(customer.umaAddress)) continue
    outcomes[index] = new ApiError('UMA_ADDRESS_EXISTS')
    additions.delete(index)
  }
  if (additions.size > 0) await addCustomers(work, [...additions.values()])
  return outcomes
}

/** The checks of POST /customers, in that order. */
function mustBeSound(
  { platform, now }: Work,
  { record, findings }: CustomerDraft,
  config: PlatformConfig,
): void {
  const validate = requestValidator(CustomerCreateSchema)
  const ofFields = [
    ...findings,
    ...validate(record).filter(({ field }) => !isLeftForLater(record, field)),
    ...checkCustomer({ record, isNamed: () => true, platform, now }),
  ]
  const ofOffer = checkOffer(record, config)
  if (ofFields.length > 0) failFields(oncePerField([...ofFields, ...ofOffer]))
  mustHaveNoErrors(ofOffer)
  const { customerType, currencies, umaAddress } = record as CustomerCreateBody
  invariant(umaAddress !== undefined, 'a draft names its UMA address')
  mustHaveMandatoryFields(customerType, record, currencies ?? [])
}

const isLeftForLater = (record: CustomerRecord, field: string): boolean =>
  LEFT_FOR_VERIFICATION.includes(field) && valueAt(record, field) === undefined
