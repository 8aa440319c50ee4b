/**
 * The sandbox's inspector measures files as in production, except for their size, and finds faults by the name of a file
 * (DOC-17), so that a platform can test each refusal with any picture.
 */
import { magicValues } from '../../kernel/text/magic-value.ts'
import { createBuiltInInspector } from './built-in-inspector.ts'
import type { Finding } from './inspect-bytes.ts'

const BY_NAME: Readonly<Record<string, Finding>> = {
  '-unreadable': 'UNREADABLE',
  '-low-quality': 'RESOLUTION_TOO_LOW',
  '-blurred': 'OUT_OF_FOCUS',
}

export const MAGIC_FILE_NAMES = magicValues(
  { object: 'document', field: 'file name', match: 'CONTAINS', operation: 'uploadDocument' },
  Object.entries(BY_NAME),
  (finding) => `refused with DOCUMENT_REJECTED, ${finding}`,
)

function findingsByName(fileName: string): Finding[] {
  const name = fileName.toLowerCase()
  return Object.entries(BY_NAME).flatMap(([part, finding]) => (name.includes(part) ? finding : []))
}

export const sandboxInspector = createBuiltInInspector({ isStrict: false, findingsByName })
