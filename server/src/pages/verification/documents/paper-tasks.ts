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
import { translated } from '../../language/api-words.ts'
import type { PlainKey } from '../../language/text-keys.ts'
import { eitherText, inSentence } from '../../language/format.ts'
import type { Locale } from '../../language/locale.ts'
import type { Applicant } from '../applicant.ts'
import { lackingIn } from '../steps.ts'

export type PaperTask = Readonly<{
  /** Identifies the task in a form. */
  key: string
  type: string
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

/** The purpose of a missing document, by the type of the requirement. */
const PURPOSES: Readonly<Record<string, PlainKey>> = {
  MISSING_IDENTITY_DOCUMENT: 'paper.identity',
  MISSING_LEGAL_PRESENCE_DOCUMENT: 'paper.legalPresence',
  MISSING_CONTROL_STRUCTURE_DOCUMENT: 'paper.control',
  MISSING_OWNERSHIP_STRUCTURE_DOCUMENT: 'paper.ownership',
  MISSING_PROOF_OF_ADDRESS_DOCUMENT: 'paper.address',
  MISSING_GOOD_STANDING_DOCUMENT: 'paper.goodStanding',
}

const TWO_SIDED: readonly DocumentType[] = ['DRIVERS_LICENSE', 'NATIONAL_ID']

const isTwoSided = (type: string): boolean => TWO_SIDED.some((one) => one === type)

export const isIdentity = (type: DocumentType): boolean => type === 'PASSPORT' || isTwoSided(type)

export const paperTasks = (applicant: Applicant, locale: Locale): readonly PaperTask[] =>
  lackingIn(applicant, 'documents').map((requirement) => taskOf(applicant, requirement, locale))

function taskOf(applicant: Applicant, requirement: ErrorEntry, locale: Locale): PaperTask {
  const { type, resourceId, acceptedDocumentTypes = [] } = requirement
  const reason = translated(locale, requirement.reason)
  const accepted = DOCUMENT_TYPES.filter((one) => acceptedDocumentTypes.includes(one)).toSorted(
    (one, other) => acceptedDocumentTypes.indexOf(one) - acceptedDocumentTypes.indexOf(other),
  )
  const key = [type, resourceId, accepted[0] ?? ''].join(' ')
  const document = applicant.documents.find(({ id }) => formatId('document', id) === resourceId)
  const holder = document ? holderToWire(document.holder) : resourceId
  const common = { key, type, reason, accepted, holder, whose: whoseOf(applicant, holder) }
  if (!document) return { ...common, title: titleOfMissing(locale, type, accepted) }
  const named = { document: locale.say(`document.${document.documentType}`) }
  if (type === 'INCOMPLETE_DOCUMENT' && lacksOtherSide(applicant, document)) {
    const side = document.side === 'FRONT' ? 'paper.back' : 'paper.front'
    return { ...common, title: locale.say(side, named), completes: document }
  }
  return { ...common, title: locale.say('paper.new', named), replaces: document }
}

/** The title with the name of the owner. */
export const fullTitle = ({ title, whose }: PaperTask): string =>
  whose === undefined ? title : `${title}, ${whose}`

/** Distinguishes the tasks of a person who needs two identity documents. */
function titleOfMissing(
  { say, language }: Locale,
  type: string,
  accepted: readonly DocumentType[],
): string {
  const labels = accepted.map((one, index) =>
    index === 0 ? say(`document.${one}`) : inSentence(language, say(`document.${one}`)),
  )
  const isPart =
    type === 'MISSING_IDENTITY_DOCUMENT' && accepted.length < typesOf('identity').length
  return isPart ? eitherText(language, labels) : say(PURPOSES[type] ?? 'paper.other')
}

/** A required task, or the replacement of a document that the applicant chose. */
export function findTask(applicant: Applicant, key: string, locale: Locale): PaperTask | undefined {
  const wanted = paperTasks(applicant, locale).find((task) => task.key === key)
  if (wanted) return wanted
  const replaces = applicant.documents.find((document) => replacingKey(document) === key)
  if (!replaces) return undefined
  const holder = holderToWire(replaces.holder)
  return {
    ...{ key, type: '', holder, replaces, whose: whoseOf(applicant, holder) },
    title: locale.say('paper.new', { document: locale.say(`document.${replaces.documentType}`) }),
    reason: locale.say('paper.new.reason'),
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
