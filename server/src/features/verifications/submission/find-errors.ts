/** How a packet is judged: what it lacks, and what becomes of a complete one (chapter 11, section 4). */
import type { Keyring } from '../../../crypto/seal.ts'
import { formatId } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { identityProviderFor } from '../../../providers/identity/identity-provider-for.ts'
import type { Applicant, Verdict } from '../../../providers/identity/identity-provider.ts'
import { textAt, verificationMode } from '../../customers/index.ts'
import { isOf, typesOf } from '../../documents/index.ts'
import { checkOwner, checkPacket } from './check-packet.ts'
import { entryOf, outsideOwners, type Packet } from './packet.ts'
import { outstandingEntries } from '../review/reviewer-entries.ts'
import type { ErrorEntry, ReviewerEntry } from '../verification.ts'

type Bench = Readonly<{ platform: Platform; keyring: Keyring }>

function applicantOf(platform: Platform, { customer, applicant }: Packet): Applicant {
  const { customerType } = customer
  const field = customerType === 'INDIVIDUAL' ? 'fullName' : 'businessInfo.registrationNumber'
  return { customerType, name: textAt(applicant.record, field), mode: verificationMode(platform) }
}

/** Whoever is on hold is looked at by a person, whatever the provider would say (4.5). */
export function verdictOn({ platform }: Pick<Bench, 'platform'>, packet: Packet): Verdict {
  if (packet.customer.status === 'HOLD') return 'ESCALATE'
  return identityProviderFor(platform).judge(applicantOf(platform, packet))
}

/** Whether this submission is validated before it is decided, and so covers the owners in it (KYB-9). */
export function needsPacket({ platform }: Pick<Bench, 'platform'>, packet: Packet): boolean {
  if (packet.customer.status === 'HOLD') return true
  return identityProviderFor(platform).needsPacket(applicantOf(platform, packet))
}

export type Findings = Readonly<{
  errors: readonly ErrorEntry[]
  /** What of the reviewer's entries is still to be done. */
  outstanding: readonly ReviewerEntry[]
}>

export const isSameEntry = (one: ErrorEntry, other: ErrorEntry): boolean =>
  one.type === other.type && one.resourceId === other.resourceId && one.field === other.field

/** Everything at once, each thing once (VER-5). Nothing where the submission is complete. */
export function findLacking(
  bench: Bench,
  packet: Packet,
  reviewerEntries: readonly ReviewerEntry[],
): Findings {
  const outstanding = outstandingEntries(bench.keyring, packet, reviewerEntries)
  const found = needsPacket(bench, packet) ? checkPacket(packet) : []
  return { errors: withFound(outstanding, found), outstanding }
}

/** What a reviewer asked for comes first; the same found again is not said twice. */
function withFound(
  outstanding: readonly ReviewerEntry[],
  found: readonly ErrorEntry[],
): ErrorEntry[] {
  const asked = outstanding.map(({ entry }) => entry)
  return [...asked, ...found.filter((one) => !asked.some((other) => isSameEntry(one, other)))]
}

/** The same of an owner review: 5.3 for the owners whom it decides (KYB-11). */
export function findOwnerErrors(
  { keyring }: Pick<Bench, 'keyring'>,
  packet: Packet,
  reviewerEntries: readonly ReviewerEntry[],
): Findings {
  const outstanding = outstandingEntries(keyring, packet, reviewerEntries)
  const found = outsideOwners(packet).flatMap((party) => checkOwner(party, packet.now))
  return { errors: withFound(outstanding, found), outstanding }
}

/** The same of what is submitted: a complete packet may be asked for again. */
export function findErrors(
  bench: Bench,
  packet: Packet,
  reviewerEntries: readonly ReviewerEntry[],
): Findings {
  const findings = findLacking(bench, packet, reviewerEntries)
  if (findings.errors.length > 0 || verdictOn(bench, packet) !== 'ASK_AGAIN') return findings
  return { ...findings, errors: [poorDocument(packet)] }
}

/** The entry that sandbox suffix `003` raises, on the newest identity document (KYC-7). */
function poorDocument({ applicant }: Packet): ErrorEntry {
  const newest = applicant.documents.findLast(({ documentType }) => isOf('identity', documentType))
  return entryOf({
    resourceId: newest ? formatId('document', newest.id) : applicant.id,
    type: 'POOR_QUALITY_DOCUMENT',
    acceptedDocumentTypes: [...typesOf('identity')],
  })
}
