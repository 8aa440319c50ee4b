/** The submitted data, on which reviewers decide, whatever changes afterwards (VER-9). */
import { seal, unseal } from '../../../crypto/seal.ts'
import { maskGovernmentNumber } from '../../../kernel/text/government-number.ts'
import { formatId, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { CustomerRecord } from '../../customers/index.ts'
import { holderToWire } from '../../documents/index.ts'
import { documentsIn, type Packet } from './packet.ts'
import { findSnapshot, insertSnapshot } from '../store.ts'

const PURPOSE = 'verification-snapshot'

export type SnapshotContent = Readonly<{
  customer: CustomerRecord
  beneficialOwners: readonly CustomerRecord[]
  documents: readonly CustomerRecord[]
}>

function contentOf(packet: Packet): SnapshotContent {
  return {
    customer: packet.applicant.record,
    beneficialOwners: packet.owners.map(({ id, record }) => ({ id, ...record })),
    documents: documentsIn(packet).map((document) => ({
      id: formatId('document', document.id),
      documentHolder: holderToWire(document.holder),
      documentType: document.documentType,
      side: document.side,
      country: document.country,
      documentNumber: document.documentNumber,
      issuingAuthority: document.issuingAuthority,
      fileName: document.fileName,
      digest: document.digest,
    })),
  }
}

export function takeSnapshot(
  { tx, platform, keyring, now }: Work,
  packet: Packet,
  { id, verificationId }: { id: string; verificationId: Id<'verification'> },
): void {
  const content = seal(keyring, PURPOSE, JSON.stringify(contentOf(packet)), id)
  const documentIds = documentsIn(packet).map((document) => document.id)
  insertSnapshot(tx, platform.id, { id, verificationId, takenAt: now, content, documentIds })
}

export type OpenSnapshot = Readonly<{ id: string; takenAt: Date; content: SnapshotContent }>

export async function openSnapshot(
  { tx, platform, keyring }: Pick<Work, 'tx' | 'platform' | 'keyring'>,
  id: string,
): Promise<OpenSnapshot | undefined> {
  const found = await findSnapshot(tx, platform.id, id)
  if (!found) return undefined
  const content = unseal(keyring, PURPOSE, found.content, id).toString('utf8')
  return { id, takenAt: found.takenAt, content: JSON.parse(content) as SnapshotContent }
}

/** Numbers of persons, businesses and documents; in many countries a document has the person's number. */
const GOVERNMENT_NUMBERS: ReadonlySet<string> = new Set(['identifier', 'taxId', 'documentNumber'])

/** Masks government-issued numbers, for operators who need not see them. */
export const maskSnapshot = (content: SnapshotContent): SnapshotContent =>
  JSON.parse(
    JSON.stringify(content, (key, value: unknown) =>
      GOVERNMENT_NUMBERS.has(key) && typeof value === 'string'
        ? maskGovernmentNumber(value)
        : value,
    ),
  ) as SnapshotContent
