import { ACCOUNT_FIELDS } from './account-fields.ts'
import { CARD_FIELDS } from './card-fields.ts'
import { COMMON_FIELDS } from './common-fields.ts'
import { CUSTOMER_FIELDS } from './customer-fields.ts'
import { PAYMENT_FIELDS } from './payment-fields.ts'
import { WALLET_FIELDS } from './wallet-fields.ts'
import type { FieldDoc, FieldDocs } from './field-doc.ts'

/** The tables by subject; no two of them have a row of the same name. */
export const FIELD_DOC_TABLES: readonly FieldDocs[] = [
  COMMON_FIELDS,
  CUSTOMER_FIELDS,
  ACCOUNT_FIELDS,
  PAYMENT_FIELDS,
  WALLET_FIELDS,
  CARD_FIELDS,
]

const rows = new Map(FIELD_DOC_TABLES.flatMap((table) => Object.entries(table)))

/** The documentation of a field in one of these places, and that of every field of its name. */
export const findFieldDocs = (
  name: string,
  places: readonly string[],
): Readonly<{ here: FieldDoc | undefined; anywhere: FieldDoc | undefined }> => ({
  here: places.map((place) => rows.get(`${place}.${name}`)).find((doc) => doc !== undefined),
  anywhere: rows.get(name),
})
