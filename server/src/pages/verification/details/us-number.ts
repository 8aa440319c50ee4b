/** Whether the form asks for a US taxpayer number: only known US persons are asked (KYC-28). Pure. */
import { textAt, type CustomerRecord } from '../../../features/customers/index.ts'
import { isForeignPerson } from '../../../features/verifications/index.ts'
import { US_NUMBER_GROUP } from './fields.ts'

export const US_NUMBER_FIELDS: readonly string[] = US_NUMBER_GROUP.fields.map(({ name }) => name)

const isKnownUsPerson = (record: CustomerRecord): boolean =>
  ['nationality', 'address.country'].every((path) => textAt(record, path) !== undefined) &&
  !isForeignPerson(record)

type Known = Readonly<{
  /** Values of the form: typed, else stored. */
  entered: CustomerRecord
  stored: CustomerRecord
  /** Required fields that are not stored. */
  asked: readonly string[]
}>

/** A reviewer may request it of any applicant. */
export const needsUsNumber = ({ entered, stored, asked }: Known): boolean =>
  isKnownUsPerson(entered) ||
  (isForeignPerson(stored) && asked.some((path) => US_NUMBER_FIELDS.includes(path)))
