import type { DocumentInspector, Rejection } from './document-inspector.ts'
import type { Finding } from './inspect-bytes.ts'
import { inspectionPool, type InspectionPool } from './inspection-pool.ts'

const ADVICE: Readonly<Record<Finding, string>> = {
  UNREADABLE:
    'The file is damaged, encrypted, too large to open or holds scripts or other files; export or photograph the document again and upload the whole file.',
  RESOLUTION_TOO_LOW:
    'The photo is too small; take one of at least 400 by 250 pixels and do not shrink it.',
  NOT_IN_COLOR: 'The photo is in black and white; take it in color.',
  OUT_OF_FOCUS: 'The photo is blurred; hold the camera still in good light until it has focused.',
  CORNERS_NOT_VISIBLE:
    'Not all corners can be seen; lay the document on a plain surface of another color and leave a margin on every side.',
}

type Options = Readonly<{
  pool?: InspectionPool
  isStrict?: boolean
  /** Findings of the sandbox by file name, besides the measured ones (DOC-17). */
  findingsByName?: (fileName: string) => readonly Finding[]
}>

/**
 * The inspector that comes with the service (chapter 11, 7.7). It works in processes of its own, so that neither a large
 * photo nor a malicious one holds up the requests of others. What cannot be opened within their limits counts as
 * unreadable.
 */
export const createBuiltInInspector = ({
  pool = inspectionPool,
  isStrict = true,
  findingsByName = () => [],
}: Options = {}): DocumentInspector => ({
  async inspect(document) {
    const named = findingsByName(document.fileName)
    if (named.includes('UNREADABLE')) return rejectionOf(named)
    return rejectionOf([...(await pool.inspect(document, { isStrict })), ...named])
  },
})

export const builtInInspector = createBuiltInInspector()

/** The order in which findings are reported. */
const FINDINGS = Object.keys(ADVICE) as readonly Finding[]

/** An unreadable document has no other findings (7.7). */
function rejectionOf(found: readonly Finding[]): Rejection | undefined {
  if (found.length === 0) return undefined
  const findings = found.includes('UNREADABLE')
    ? (['UNREADABLE'] as const)
    : FINDINGS.filter((finding) => found.includes(finding))
  const advice = findings.map((finding) => ADVICE[finding])
  return { code: 'DOCUMENT_REJECTED', details: { reasons: findings, advice } }
}
