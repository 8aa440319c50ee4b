import { createHash } from 'node:crypto'
import type { AccountType, Values } from '../account-types/shape.ts'

/** Fields that route to the account beside its number (EACC-10). */
const ROUTING_COMPANIONS = [
  'routingNumber',
  'sortCode',
  'bankCode',
  'branchCode',
  'ifsc',
  'swiftCode',
  'bankName',
  'provider',
]

type DuplicateKeyInput = Readonly<{
  type: AccountType
  currency: string
  identifierField: string
  values: Values
}>

/** Equal for two bodies that identify the same account (EACC-10). A digest, because invoices exceed an index entry. */
export function duplicateKey(input: DuplicateKeyInput): string {
  const { type, currency, identifierField, values } = input
  const fold = (field: string): string => {
    const value = (values[field] ?? '').replace(/\s/g, '')
    return type.fields[field]?.caseMatters ? value : value.toLowerCase()
  }
  const companions = ROUTING_COMPANIONS.filter((field) => field in values)
  const parts = [identifierField, ...companions].map((field) => [field, fold(field)])
  return createHash('sha256')
    .update(JSON.stringify([type.accountType, currency, parts]))
    .digest('hex')
}
