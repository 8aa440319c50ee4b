/** The packet: the data and documents that a submission is judged by, at one moment. */
import { formatId } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  isOutside,
  ownersOf,
  ownerToRecord,
  type BeneficialOwner,
} from '../../beneficial-owners/index.ts'
import { toRecord, type Customer, type CustomerRecord } from '../../customers/index.ts'
import { documentsOf, holderToWire, type Document, type HolderKind } from '../../documents/index.ts'
import { ERROR_TYPES, type VerificationErrorType } from './error-types.ts'
import type { ErrorEntry } from '../verification.ts'

/** The customer or one of its owners, in the shape of a request. */
export type Party = Readonly<{
  /** As on the wire. */
  id: string
  record: CustomerRecord
  /** Oldest first. */
  documents: readonly Document[]
}>

export type OwnerParty = Party & Readonly<{ owner: BeneficialOwner }>

export type Packet = Readonly<{
  customer: Customer
  applicant: Party
  owners: readonly OwnerParty[]
  now: Date
}>

export async function readPacket(
  work: Pick<Work, 'tx' | 'platform' | 'keyring' | 'now'>,
  customer: Customer,
): Promise<Packet> {
  const { keyring, now } = work
  const [owners, documents] = await Promise.all([
    customer.customerType === 'BUSINESS' ? ownersOf(work, customer.id) : [],
    documentsOf(work, customer.id),
  ])
  const whileHoldingConnection = (id: string): Document[] =>
    documents.filter(({ holder }) => holderToWire(holder) === id)
  const customerId = formatId('customer', customer.id)
  return {
    customer,
    applicant: {
      id: customerId,
      record: toRecord(keyring, customer),
      documents: whileHoldingConnection(customerId),
    },
    owners: owners.map((owner) => {
      const id = formatId('beneficialOwner', owner.id)
      return {
        id,
        owner,
        record: ownerToRecord(keyring, owner),
        documents: whileHoldingConnection(id),
      }
    }),
    now,
  }
}

/** Owners that no decision has covered (KYB-9). */
export const outsideOwners = ({ owners }: Packet): readonly OwnerParty[] =>
  owners.filter(({ owner }) => isOutside(owner))

/** The owner or customer with this id or with a document of this id. */
export function partyOf(packet: Packet, resourceId: string): Party {
  const isNamed = ({ id, documents }: Party): boolean =>
    id === resourceId ||
    documents.some((document) => formatId('document', document.id) === resourceId)
  return packet.owners.find(isNamed) ?? packet.applicant
}

export const kindOf = (packet: Packet, resourceId: string): HolderKind =>
  partyOf(packet, resourceId) === packet.applicant ? packet.customer.customerType : 'OWNER'

export const documentsIn = ({ applicant, owners }: Packet): readonly Document[] => [
  ...applicant.documents,
  ...owners.flatMap(({ documents }) => documents),
]

type Found = Omit<ErrorEntry, 'reason'> & Readonly<{ reason?: string }>

/** An entry with its own reason or the default of its type. */
export const entryOf = ({
  reason,
  ...found
}: Found & { type: VerificationErrorType }): ErrorEntry => ({
  ...found,
  reason: reason ?? ERROR_TYPES[found.type].reason,
})
