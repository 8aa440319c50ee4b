/** The government-issued number of a document is stored sealed and opened only here (CORE-90). */
import { seal, unseal, type Keyring } from '../../crypto/seal.ts'
import { asId } from '../../kernel/ids.ts'
import type { Document, Holder } from './document.ts'
import type { DocumentRow } from './store.ts'

const PURPOSE = 'document-number'

export const sealNumber = (
  keyring: Keyring,
  { id, documentNumber }: Pick<Document, 'id' | 'documentNumber'>,
): Buffer | null =>
  documentNumber === undefined ? null : seal(keyring, PURPOSE, documentNumber, id)

export function openDocument(keyring: Keyring, row: DocumentRow): Document {
  const { holderKind, holderId, ...rest } = row
  const number = row.documentNumber && unseal(keyring, PURPOSE, row.documentNumber, row.id)
  return {
    ...rest,
    holder: { kind: holderKind, id: asId(holderKind, holderId) } as Holder,
    side: row.side ?? undefined,
    documentNumber: number?.toString('utf8'),
    issuingAuthority: row.issuingAuthority ?? undefined,
    digest: row.digest.toString('hex'),
  }
}
