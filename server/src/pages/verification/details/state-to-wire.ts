import type { Keyring } from '../../../crypto/seal.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { ownerInCustomer } from '../../../features/beneficial-owners/index.ts'
import { customerToWire } from '../../../features/customers/index.ts'
import { documentToWire } from '../../../features/documents/index.ts'
import type { Applicant } from '../applicant.ts'

/** The state of the flow. It shows only whether the customer's number is known (KYC-27), and the end of the owners'. */
export function stateToWire(keyring: Keyring, applicant: Applicant) {
  const { customer, link, requirements, owners, documents } = applicant
  const { redirectUri, expiresAt } = link
  return {
    customerType: customer.customerType,
    status: customer.status,
    expiresAt: toWireTime(expiresAt),
    ...(redirectUri !== null && { redirectUri }),
    prefill: customerToWire(keyring, customer),
    hasIdentifier: customer.identifier !== undefined,
    requirements,
    owners: owners.map((owner) => ownerInCustomer(keyring, owner)),
    documents: documents.map(documentToWire),
  }
}
