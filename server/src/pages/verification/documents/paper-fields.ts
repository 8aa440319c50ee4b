import { FILE_BYTES_MAX } from '../../../features/documents/index.ts'
import type { Field } from '../details/fields.ts'
import { isIdentity, type PaperTask } from './paper-tasks.ts'
import { DOCUMENT_LABELS } from '../wording.ts'

export const FILE = 'file'
export const MEGABYTES_MAX = FILE_BYTES_MAX / 1024 / 1024

/** Fields of a document beside its file. */
export function paperFields({ accepted, completes }: PaperTask): readonly Field[] {
  if (completes) return []
  const type: Field = {
    name: 'documentType',
    label: accepted.length === 1 ? 'Document' : 'Which document do you have?',
    control: 'choice',
    options: accepted.map((value) => ({ value, label: DOCUMENT_LABELS[value] })),
    missing: 'Choose which document you have',
  }
  const country: Field = {
    name: 'country',
    label: 'Country that issued it',
    control: 'country',
    missing: 'Choose the country that issued the document',
  }
  const identity: readonly Field[] = [
    {
      name: 'documentNumber',
      label: 'Number of the document',
      control: 'text',
      isShort: true,
      missing: 'Enter the number of the document',
    },
    {
      name: 'issuingAuthority',
      label: 'Issued by',
      control: 'text',
      hint: 'The authority named on the document, for example Department of State',
      missing: 'Enter the authority that issued the document',
    },
  ]
  return [type, country, ...(accepted.some(isIdentity) ? identity : [])]
}
