/** Uploads a document in the hosted flow, or replaces one that was not accepted. */
import { mustHaveNoErrors, oncePerField, type FieldError } from '../../../kernel/errors.ts'
import { formatId, mustParseId } from '../../../kernel/ids.ts'
import { audit } from '../../../infra/work/audit.ts'
import type { Form } from '../../../infra/http/input/read-form.ts'
import type { Upload } from '../../../infra/http/input/upload.ts'
import { requestValidator } from '../../../infra/http/schema/validate.ts'
import {
  checkDocument,
  DOCUMENT_TYPES,
  DocumentUploadSchema,
  holderToWire,
  inspectUpload,
  mustFindDocument,
  replaceDocument,
  uploadDocument,
  type Document,
} from '../../../features/documents/index.ts'
import { countLinkInspection } from '../../../features/verifications/index.ts'
import { fileFinding, translated } from '../../language/api-words.ts'
import type { Locale } from '../../language/locale.ts'
import { findAccepted, keepAccepted, type Inspected } from './accepted-files.ts'
import { inVisit, mustBeApplying } from '../applicant.ts'
import { mustBeOwnHolder, type Act } from '../applicant-actions.ts'

/** Fails: RATE_LIMITED. */
async function inspectFor(
  { host: { deps }, visit: { platform, link } }: Act,
  upload: Parameters<typeof inspectUpload>[1],
): Promise<Inspected> {
  const known = findAccepted(link.id, upload)
  if (known) return known
  const { db, clock, files } = deps
  await countLinkInspection({ tx: db.read, now: clock.now() }, link)
  const inspected = await inspectUpload({ files, platform, linkId: link.id }, upload)
  keepAccepted(link.id, upload, inspected)
  return inspected
}

const validate = requestValidator(DocumentUploadSchema)

type DocumentUpload = Parameters<typeof uploadDocument>[1]

export type HandIn = Readonly<{
  parts: Form['parts']
  errors: readonly FieldError[]
  /** The document to replace. */
  replaces?: string | undefined
}>

/**
 * Fails: INVALID_INPUT, UNSUITABLE_DOCUMENT, DOCUMENT_REJECTED, USER_NOT_FOUND and REFERENCE_NOT_FOUND for
 * resources of other customers, RATE_LIMITED, KYC_LINK_USED, KYC_LINK_EXPIRED, CONFLICT.
 */
export async function handInDocument(
  act: Act,
  { parts, errors, replaces }: HandIn,
): Promise<Document> {
  const documentHolder = formatId('customer', act.visit.link.customerId)
  const request: Readonly<Record<string, unknown>> = { documentHolder, ...parts }
  const found = oncePerField([...errors, ...validate(request), ...checkDocument(request)])
  mustHaveNoErrors(found)
  const upload = request as DocumentUpload
  const inspected = await inspectFor(act, upload)
  return inVisit(act.host, act, async (work) => {
    await mustBeApplying(work, act.visit)
    const before = replaces && (await mustFindDocument(work, mustParseId('document', replaces)))
    const holder = before ? holderToWire(before.holder) : upload.documentHolder
    await mustBeOwnHolder(work, act.visit, holder)
    const document = before
      ? await replaceDocument(work, { id: before.id, request: upload, inspected })
      : await uploadDocument(work, upload, inspected)
    audit(work, { action: 'verification document', resource: formatId('document', document.id) })
    return document
  })
}

/** Advice on a file before its upload; the file is not stored. Fails: RATE_LIMITED. */
export async function adviceOn(
  act: Act,
  { parts, errors }: HandIn,
  locale: Locale,
): Promise<string[]> {
  const documentType = DOCUMENT_TYPES.find((type) => type === parts['documentType']) ?? 'OTHER'
  const wrong = [...errors, ...checkDocument({ file: parts['file'] })]
  if (wrong.length > 0) return wrong.map(({ message }) => `${fileFinding(locale, message)}.`)
  const file = parts['file'] as Upload | undefined
  if (!file) return [`${locale.say('file.missing')}.`]
  const { rejection } = await inspectFor(act, { file, documentType })
  return rejection?.details.advice.map((one) => translated(locale, one)) ?? []
}
