/** The missing documents as tasks, one after the other. Pure. */
import { formatId } from '../../../kernel/ids.ts'
import {
  alternativesTo,
  DOCUMENT_TYPES,
  holderToWire,
  typesOf,
  type Document,
  type DocumentType,
} from '../../../features/documents/index.ts'
import type { ErrorEntry } from '../../../features/verifications/index.ts'
import type { Applicant } from '../applicant.ts'
import { lackingIn } from '../steps.ts'
import { DOCUMENT_LABELS, PAPER_TITLES } from '../wording.ts'

export type PaperTask = Readonly<{
  /** Identifies the task in a form. */
  key: string
  title: string
  /** The owner it belongs to, where that is not the applicant. */
  whose: string | undefined
  reason: string
  accepted: readonly DocumentType[]
  holder: string
  /** The document that has the other side. */
  completes?: Document
  /** The document that was not accepted. */
  replaces?: Document
}>

const TWO_SIDED: readonly DocumentType[] = ['DRIVERS_LICENSE', 'NATIONAL_ID']

const isTwoSided = (type: string): boolean => TWO_SIDED.some((one) => one === type)

export const isIdentity = (type: DocumentType): boolean => type === 'PASSPORT' || isTwoSided(type)

export const paperTasks = (applicant: Applicant): readonly PaperTask[] =>
  lackingIn(applicant, 'documents').map((requirement) => taskOf(applicant, requirement))

function taskOf(applicant: Applicant, requirement: ErrorEntry): PaperTask {
  const { type, resourceId, reason, acceptedDocumentTypes = [] } = requirement
  const accepted = DOCUMENT_TYPES.filter((one) => acceptedDocumentTypes.includes(one)).toSorted(
    (one, other) => acceptedDocumentTypes.indexOf(one) - acceptedDocumentTypes.indexOf(other),
  )
  const key = [type, resourceId, accepted[0] ?? ''].join(' ')
  const document = applicant.documents.find(({ id }) => formatId('document', id) === resourceId)
  const holder = document ? holderToWire(document.holder) : resourceId
  const common = { key, reason, accepted, holder, whose: whoseOf(applicant, holder) }
  if (!document) return { ...common, title: titleOfMissing(type, accepted) }
  const label = DOCUMENT_LABELS[document.documentType]
  if (type === 'INCOMPLETE_DOCUMENT' && lacksOtherSide(applicant, document)) {
    const side = document.side === 'FRONT' ? 'back' : 'front'
    return { ...common, title: `${label}: the ${side}`, completes: document }
  }
  return { ...common, title: `${label}: a new one`, replaces: document }
}

/** The title with the name of the owner. */
export const fullTitle = ({ title, whose }: PaperTask): string =>
  whose === undefined ? title : `${title}, ${whose}`

/** Distinguishes the tasks of a person who needs two identity documents. */
function titleOfMissing(type: string, accepted: readonly DocumentType[]): string {
  const labels = accepted.map((one, index) =>
    index === 0 ? DOCUMENT_LABELS[one] : DOCUMENT_LABELS[one].toLowerCase(),
  )
  const isPart =
    type === 'MISSING_IDENTITY_DOCUMENT' && accepted.length < typesOf('identity').length
  return isPart ? labels.join(' or ') : (PAPER_TITLES[type] ?? 'Document')
}

/** A required task, or the replacement of a document that the applicant chose. */
export function findTask(applicant: Applicant, key: string): PaperTask | undefined {
  const wanted = paperTasks(applicant).find((task) => task.key === key)
  if (wanted) return wanted
  const replaces = applicant.documents.find((document) => replacingKey(document) === key)
  if (!replaces) return undefined
  const holder = holderToWire(replaces.holder)
  return {
    ...{ key, holder, replaces, whose: whoseOf(applicant, holder) },
    title: `${DOCUMENT_LABELS[replaces.documentType]}: a new one`,
    reason: 'The new one takes the place of the one that is here.',
    accepted: alternativesTo(replaces.documentType),
  }
}

export const replacingKey = ({ id }: Document): string => `REPLACE ${formatId('document', id)}`

export function whoseOf({ owners }: Applicant, holder: string): string | undefined {
  const owner = owners.find(({ id }) => formatId('beneficialOwner', id) === holder)
  return owner && `${owner.personalInfo.firstName} ${owner.personalInfo.lastName}`
}

const lacksOtherSide = ({ documents }: Applicant, half: Document): boolean =>
  isTwoSided(half.documentType) &&
  !documents.some(
    (other) =>
      other.documentType === half.documentType &&
      other.country === half.country &&
      other.documentNumber === half.documentNumber &&
      other.side !== half.side,
  )

/** The fields of an upload that the task determines. */
export function settledParts(
  task: PaperTask,
  documentType: unknown,
): Readonly<Record<string, string | undefined>> {
  const { holder, completes, replaces, accepted } = task
  if (completes) {
    const { country, documentNumber, issuingAuthority } = completes
    const side = completes.side === 'FRONT' ? 'BACK' : 'FRONT'
    const type = completes.documentType
    return {
      documentHolder: holder,
      documentType: type,
      side,
      country,
      documentNumber,
      issuingAuthority,
    }
  }
  const type = documentType ?? (accepted.length === 1 ? accepted[0] : undefined)
  const isSame = replaces !== undefined && replaces.documentType === type
  const side = isSame ? replaces.side : isTwoSided(String(type)) ? 'FRONT' : undefined
  return { documentHolder: holder, side, ...(type !== undefined && { documentType: String(type) }) }
}
