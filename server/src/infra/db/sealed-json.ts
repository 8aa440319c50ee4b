/**
 * JSON columns that SEAL_CONTACT_DATA seals. Plain JSON is an object or a list; sealed JSON, bound to its row, is a JSON
 * string of base64, so that the two can be told apart (OPER-78).
 */
import { seal, unseal, type Keyring } from '../../crypto/seal.ts'

const MARK = '"'

/** The columns by table, with the purpose of their key. */
export const SEALED_JSON = {
  eventBody: 'event-body',
  customerOwners: 'customer-owners',
  ownerInfo: 'beneficial-owner-info',
  fundingInstructions: 'funding-instructions',
  paymentInstructions: 'payment-instructions',
  counterparty: 'counterparty-information',
} as const

type Purpose = keyof typeof SEALED_JSON

const EMPTY: readonly string[] = ['[]', '{}']

/** The text to store for a JSON text, sealed where the setting demands it. */
export function sealJson(keyring: Keyring, purpose: Purpose, row: SealedFor<string>): string {
  const { id, value } = row
  if (!keyring.sealsContactData || EMPTY.includes(value)) return value
  return `${MARK}${seal(keyring, SEALED_JSON[purpose], value, id).toString('base64')}${MARK}`
}

/** A value and the id of its row. */
type SealedFor<T> = Readonly<{ id: string; value: T }>

/** Opens the value of a `jsonb` column. */
export const openJson = <T extends object | null>(
  keyring: Keyring,
  purpose: Purpose,
  { id, value }: SealedFor<T | string>,
): T =>
  typeof value === 'string' ? (JSON.parse(open(keyring, purpose, { id, value })) as T) : value

/** Opens the JSON of a `text` column. */
export const openJsonText = (
  keyring: Keyring,
  purpose: Purpose,
  { id, value }: SealedFor<string>,
): string =>
  value.startsWith(MARK) ? open(keyring, purpose, { id, value: value.slice(1, -1) }) : value

const open = (keyring: Keyring, purpose: Purpose, { id, value }: SealedFor<string>): string =>
  unseal(keyring, SEALED_JSON[purpose], Buffer.from(value, 'base64'), id).toString('utf8')
