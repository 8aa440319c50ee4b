import { failFields } from '../../kernel/errors.ts'
import { failNotFound, mustParseId } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import {
  findCustomerByUma,
  infoFieldsOf,
  mustFindCustomer,
  toRecord,
  type Customer,
} from '../customers/index.ts'
import type { CustomerInfoFieldName } from '../platform/index.ts'
import { formatUmaAddress, mustParseUmaAddress } from '../uma/index.ts'

export type Reading = Pick<Work, 'tx' | 'platform' | 'keyring' | 'settings' | 'now' | 'ports'>

/** The sender that a look-up names; the platform itself where both are absent. */
export type NamedSender = Readonly<{
  customerId?: string | undefined
  senderUmaAddress?: string | undefined
}>

/** Fails: INVALID_UMA_ADDRESS, USER_NOT_FOUND, INVALID_INPUT where both are named and differ. */
export async function mustFindSender(
  reading: Reading,
  { customerId, senderUmaAddress }: NamedSender,
): Promise<Customer | undefined> {
  const id = customerId === undefined ? undefined : mustParseId('customer', customerId)
  if (senderUmaAddress === undefined) return id && mustFindCustomer(reading, id)
  const address = formatUmaAddress(mustParseUmaAddress(senderUmaAddress))
  const sender = await findCustomerByUma(reading, address)
  if (!sender) return failNotFound('customer')
  if (id !== undefined && sender.id !== id) failOnDifference()
  return sender
}

const failOnDifference = (): never =>
  failFields([{ field: 'customerId', message: 'must be the customer with senderUmaAddress' }])

/** The data of a sender, by the field names of receivers. */
export type SenderInfo = Partial<Record<CustomerInfoFieldName, unknown>>

export function senderInfoOf(
  { platform, keyring }: Reading,
  sender: Customer | undefined,
): SenderInfo {
  const institution = { FI_LEGAL_ENTITY_NAME: platform.name }
  if (!sender) return institution
  return {
    ...institution,
    ...infoFieldsOf(sender.customerType, toRecord(keyring, sender)),
    USER_TYPE: sender.customerType,
    ACCOUNT_IDENTIFIER: sender.umaAddress,
  }
}
