/** Judges a packet: its errors, and the verdict on a complete one (chapter 11, section 4). */
import type { Keyring } from '../../../crypto/seal.ts'
import { formatId } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import type { Ports } from '../../../kernel/ports.ts'
import { identityProviderFor } from '../../../providers/identity/identity-provider-for.ts'
import type { Applicant, Verdict } from '../../../providers/identity/identity-provider.ts'
import { textAt, verificationMode } from '../../customers/index.ts'
import { isOf, typesOf } from '../../documents/index.ts'
import { checkOwner, checkPacket } from './check-packet.ts'
import { entryOf, outsideOwners, type Packet } from './packet.ts'
import { outstandingEntries } from '../review/reviewer-entries.ts'
import type { ErrorEntry, ReviewerEntry } from '../verification.ts'

type JudgingContext = Readonly<{ platform: Platform; ports: Ports; keyring: Keyring }>
type ProviderContext = Pick<JudgingContext, 'platform' | 'ports'>

function applicantOf(platform: Platform, { customer, applicant }: Packet): Applicant {
  const { customerType } = customer
  const field = customerType === 'INDIVIDUAL' ? 'fullName' : 'businessInfo.registrationNumber'
  return { customerType, name: textAt(applicant.record, field), mode: verificationMode(platform) }
}

/** A customer on hold always goes to manual review (chapter 11, 4.5). */
export function verdictOn(context: ProviderContext, packet: Packet): Verdict {
  if (packet.customer.status === 'HOLD') return 'ESCALATE'
  return identityProviderFor(context).judge(applicantOf(context.platform, packet))
}

/** Whether the packet is validated before the decision, which then covers its owners (KYB-9). */
export function needsPacket(context: ProviderContext, packet: Packet): boolean {
  if (packet.customer.status === 'HOLD') return true
  return identityProviderFor(context).needsPacket(applicantOf(context.platform, packet))
}

export type Findings = Readonly<{
  errors: readonly ErrorEntry[]
  /** The reviewer's entries that are not resolved. */
  outstanding: readonly ReviewerEntry[]
}>

export const isSameEntry = (one: ErrorEntry, other: ErrorEntry): boolean =>
  one.type === other.type && one.resourceId === other.resourceId && one.field === other.field

/** All errors of a packet, each once (VER-5); empty if it is complete. */
export function findMissing(
  context: JudgingContext,
  packet: Packet,
  reviewerEntries: readonly ReviewerEntry[],
): Findings {
  const outstanding = outstandingEntries(context.keyring, packet, reviewerEntries)
  const found = needsPacket(context, packet) ? checkPacket(packet) : []
  return { errors: mergeFindings(outstanding, found), outstanding }
}

/** The reviewer's entries come first; findings that are resolved together with one of them are left out. */
function mergeFindings(
  outstanding: readonly ReviewerEntry[],
  found: readonly ErrorEntry[],
): ErrorEntry[] {
  const requested = outstanding.map(({ entry }) => entry)
  return [
    ...requested,
    ...found.filter((one) => !requested.some((other) => isResolvedWith(one, other))),
  ]
}

/** A holder may lack two documents of one type, which differ in the accepted document types (chapter 11, 5.3). */
const isResolvedWith = (found: ErrorEntry, requested: ErrorEntry): boolean =>
  isSameEntry(found, requested) &&
  (found.resourceId.startsWith('Document:') ||
    (requested.acceptedDocumentTypes ?? []).every((type) =>
      found.acceptedDocumentTypes?.includes(type),
    ))

/** All errors of an owner review: chapter 11, 5.3 for the owners that it decides (KYB-11). */
export function findOwnerErrors(
  { keyring }: Pick<JudgingContext, 'keyring'>,
  packet: Packet,
  reviewerEntries: readonly ReviewerEntry[],
): Findings {
  const outstanding = outstandingEntries(keyring, packet, reviewerEntries)
  const found = outsideOwners(packet).flatMap((party) => checkOwner(party, packet.now))
  return { errors: mergeFindings(outstanding, found), outstanding }
}

/** All errors of a submission; the identity provider may ask for a better copy of a complete packet. */
export function findErrors(
  context: JudgingContext,
  packet: Packet,
  reviewerEntries: readonly ReviewerEntry[],
): Findings {
  const findings = findMissing(context, packet, reviewerEntries)
  if (findings.errors.length > 0 || verdictOn(context, packet) !== 'ASK_AGAIN') return findings
  return { ...findings, errors: [poorDocument(packet)] }
}

/** The entry of sandbox suffix `003`, on the newest identity document (KYC-7). */
function poorDocument({ applicant }: Packet): ErrorEntry {
  const newest = applicant.documents.findLast(({ documentType }) => isOf('identity', documentType))
  return entryOf({
    resourceId: newest ? formatId('document', newest.id) : applicant.id,
    type: 'POOR_QUALITY_DOCUMENT',
    acceptedDocumentTypes: [...typesOf('identity')],
  })
}
