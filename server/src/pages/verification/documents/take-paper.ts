/** Takes a document from the form: uploads it, or shows what is wrong at its field. */
import { ApiError, type FieldError } from '../../../kernel/errors.ts'
import { formatId } from '../../../kernel/ids.ts'
import type { Form } from '../../../infra/http/input/read-form.ts'
import type { Upload } from '../../../infra/http/input/upload.ts'
import { DOCUMENT_TYPES } from '../../../features/documents/index.ts'
import { fileFinding, translated } from '../../language/api-words.ts'
import type { Locale } from '../../language/locale.ts'
import type { Act } from '../applicant-actions.ts'
import { missingText, wrongText } from '../details/field-words.ts'
import { inOrder, missingErrors, type FormError } from '../details/form-state.ts'
import { handInDocument } from './hand-in-document.ts'
import { FILE, MEGABYTES_MAX, paperFields } from './paper-fields.ts'
import { isIdentity, settledParts, type PaperTask } from './paper-tasks.ts'

type Parts = Readonly<Record<string, unknown>>

export async function takePaper(
  act: Act,
  {
    task,
    form,
    locale,
  }: Readonly<{ task: PaperTask; form: Pick<Form, 'parts' | 'errors'>; locale: Locale }>,
): Promise<readonly FormError[]> {
  const parts = partsOf(task, form.parts)
  const replaces = task.replaces && formatId('document', task.replaces.id)
  try {
    await handInDocument(act, { parts, errors: form.errors, replaces })
    return []
  } catch (error) {
    const found =
      error instanceof ApiError ? refusalErrors(locale, error, { task, parts }) : undefined
    if (!found) throw error
    return found
  }
}

/** The filled-in fields, and those that the task determines. */
function partsOf(task: PaperTask, given: Parts): Parts {
  const { documentType, ...rest } = given
  const type = documentType === '' ? undefined : documentType
  const all = { ...rest, ...settledParts(task, type) }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => !isNothing(value)))
}

/** Browsers send an empty file without name where none was chosen. */
const isNothing = (value: unknown): boolean =>
  value === undefined || value === '' || (value as Partial<Upload>).bytes === 0

export const tooLarge = ({ say }: Locale): readonly FormError[] => [
  { field: FILE, message: say('file.tooLarge', { size: MEGABYTES_MAX }) },
]

type HandedIn = Readonly<{ task: PaperTask; parts: Parts }>

/** Undefined for errors that do not concern the document. */
function refusalErrors(
  locale: Locale,
  { code, details }: ApiError,
  handedIn: HandedIn,
): readonly FormError[] | undefined {
  if (code === 'INVALID_INPUT') {
    return fieldErrors(locale, (details?.['errors'] ?? []) as readonly FieldError[], handedIn)
  }
  // The inspector's message says what to do (DOC-10, DOC-16).
  const advice = details?.['advice']
  if (Array.isArray(advice)) {
    const said = advice.map((one) => translated(locale, String(one)))
    return [{ field: FILE, message: said.join(' ') }]
  }
  return code === 'UNSUITABLE_DOCUMENT'
    ? [{ field: 'documentType', message: locale.say('file.unsuitable') }]
    : undefined
}

function fieldErrors(
  locale: Locale,
  errors: readonly FieldError[],
  { task, parts }: HandedIn,
): readonly FormError[] {
  const fields = paperFields(task)
  const type = DOCUMENT_TYPES.find((one) => one === parts['documentType'])
  // Until the type of document is chosen, its number counts as required.
  const isNeeded = (): boolean => type === undefined || isIdentity(type)
  const said = errors.map(({ field: name, message }) => {
    if (name === FILE) {
      const found = parts[FILE] ? fileFinding(locale, message) : locale.say('file.missing')
      return { field: FILE, message: found }
    }
    const field = fields.find((one) => one.name === name)
    if (!field) return { field: undefined, message: locale.say('finding.general') }
    const isMissing = parts[name] === undefined
    return {
      field: name,
      message: isMissing ? missingText(locale, field) : wrongText(locale, field, message),
    }
  })
  const file = said.filter(({ field }) => field === FILE)
  const missing = missingErrors(locale, { fields, request: parts }, isNeeded)
  return [...inOrder(fields, [...missing, ...said]), ...file]
}
