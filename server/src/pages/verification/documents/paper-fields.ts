import { FILE_BYTES_MAX } from '../../../features/documents/index.ts'
import type { Field } from '../details/fields.ts'
import { isIdentity, type PaperTask } from './paper-tasks.ts'

export const FILE = 'file'
export const MEGABYTES_MAX = String(FILE_BYTES_MAX / 1024 / 1024)

/** Fields of a document beside its file. */
export function paperFields({ accepted, completes }: PaperTask): readonly Field[] {
  if (completes) return []
  const type: Field = {
    name: 'documentType',
    label: accepted.length === 1 ? 'paper.type' : 'paper.which',
    control: 'choice',
    options: accepted,
    words: 'document',
    missing: 'paper.which.missing',
  }
  const country: Field = {
    name: 'country',
    label: 'paper.country',
    control: 'country',
    missing: 'paper.country.missing',
  }
  const identity: readonly Field[] = [
    {
      name: 'documentNumber',
      label: 'paper.number',
      control: 'text',
      isShort: true,
      missing: 'paper.number.missing',
    },
    {
      name: 'issuingAuthority',
      label: 'paper.authority',
      control: 'text',
      hint: 'paper.authority.hint',
      missing: 'paper.authority.missing',
    },
  ]
  return [type, country, ...(accepted.some(isIdentity) ? identity : [])]
}
