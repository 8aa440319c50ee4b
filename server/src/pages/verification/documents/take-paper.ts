/** Takes a document from the form: uploads it, or shows what is wrong at its field. */
import { ApiError, type FieldError } from '../../../kernel/errors.ts'
import { formatId } from '../../../kernel/ids.ts'
import type { Form } from '../../../infra/http/input/read-form.ts'
import type { Upload } from '../../../infra/http/input/upload.ts'
import { DOCUMENT_TYPES } from '../../../features/documents/index.ts'
import type { Act } from '../applicant-actions.ts'
import { inOrder, missingErrors, type FormError } from '../details/form-state.ts'
import { handInDocument } from './hand-in-document.ts'
import { FILE, MEGABYTES_MAX, paperFields } from './paper-fields.ts'
import { isIdentity, settledParts, type PaperTask } from './paper-tasks.ts'

type Parts = Readonly<Record<string, unknown>>

export async function takePaper(
  act: Act,
  { task, form }: Readonly<{ task: PaperTask; form: Pick<Form, 'parts' | 'errors'> }>,
): Promise<readonly FormError[]> {
  const parts = partsOf(task, form.parts)
  const replaces = task.replaces && formatId('document', task.replaces.id)
  try {
    await handInDocument(act, { parts, errors: form.errors, replaces })
    return []
  } catch (error) {
    const found = error instanceof ApiError ? refusalErrors(task, error, parts) : undefined
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

export const tooLarge: readonly FormError[] = [
  { field: FILE, message: `The file is larger than ${MEGABYTES_MAX} MB; choose a smaller one` },
]

/** Undefined for errors that do not concern the document. */
function refusalErrors(
  task: PaperTask,
  { code, details }: ApiError,
  parts: Parts,
): readonly FormError[] | undefined {
  if (code === 'INVALID_INPUT') {
    return fieldErrors(task, (details?.['errors'] ?? []) as readonly FieldError[], parts)
  }
  // The inspector's message says what to do (DOC-10, DOC-16).
  const advice = details?.['advice']
  if (Array.isArray(advice)) return [{ field: FILE, message: advice.join(' ') }]
  return code === 'UNSUITABLE_DOCUMENT'
    ? [{ field: 'documentType', message: 'This document does not serve here; choose another' }]
    : undefined
}

function fieldErrors(
  task: PaperTask,
  errors: readonly FieldError[],
  parts: Parts,
): readonly FormError[] {
  const fields = paperFields(task)
  const type = DOCUMENT_TYPES.find((one) => one === parts['documentType'])
  // Until the type of document is chosen, its number counts as required.
  const isNeeded = (): boolean => type === undefined || isIdentity(type)
  const said = errors.map(({ field: name, message }) => {
    if (name === FILE) {
      return { field: FILE, message: parts[FILE] ? `The file ${message}` : 'Choose a file' }
    }
    const field = fields.find((one) => one.name === name)
    if (!field) return { field: undefined, message: `${name} ${message}` }
    const isMissing = parts[name] === undefined
    return { field: name, message: isMissing ? field.missing : `${field.label} ${message}` }
  })
  const file = said.filter(({ field }) => field === FILE)
  return [...inOrder(fields, [...missingErrors(fields, parts, isNeeded), ...said]), ...file]
}
