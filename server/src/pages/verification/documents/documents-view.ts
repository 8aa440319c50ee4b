/** The step of the documents, one after the other. */
import { formatId } from '../../../kernel/ids.ts'
import { FILE_BYTES_MAX, holderToWire, type Document } from '../../../features/documents/index.ts'
import type { HostedPage } from '../../hosted-page.ts'
import { html, type Html } from '../../html.ts'
import {
  classOf,
  descriptionOf,
  errorSummary,
  fieldView,
  idOf,
  remarksView,
  wrongOf,
} from '../details/field-view.ts'
import type { Field } from '../details/fields.ts'
import { flowPage, linkTo, type Frame } from '../flow-page.ts'
import type { FormError } from '../details/form-state.ts'
import { guidanceView } from '../guidance-view.ts'
import { FILE, MEGABYTES_MAX, paperFields } from './paper-fields.ts'
import {
  findTask,
  fullTitle,
  isIdentity,
  paperTasks,
  replacingKey,
  whoseOf,
  type PaperTask,
} from './paper-tasks.ts'
import { DOCUMENT_LABELS } from '../wording.ts'

type Typed = Readonly<Record<string, unknown>>
type Shown = Readonly<{ key?: string | undefined; typed?: Typed; errors?: readonly FormError[] }>

export function documentsView(frame: Frame, { key, typed, errors = [] }: Shown): HostedPage {
  const tasks = paperTasks(frame.applicant)
  const task = findTask(frame.applicant, key ?? '') ?? tasks[0]
  return flowPage(frame, {
    step: 'documents',
    title: task ? fullTitle(task) : 'Documents',
    status: errors.length > 0 ? 400 : 200,
    body: task
      ? html`${errorSummary(errors)}${listView(frame, tasks, task)}${formView(frame, { task, typed: typed ?? storedOf(frame, task), errors })}`
      : html`<p>Everything that is needed has been handed in.</p>
          ${listView(frame, tasks, undefined)}
          <p class="actions">
            <a class="button main" href="${linkTo(frame, '?step=review')}">Continue</a>
          </p>`,
  })
}

export const paperQuery = (key: string): string => `?step=documents&for=${encodeURIComponent(key)}`

/** Uploaded and required documents; any required one can be chosen first. */
function listView(frame: Frame, tasks: readonly PaperTask[], current: PaperTask | undefined): Html {
  const { documents } = frame.applicant
  if (documents.length === 0 && tasks.length < 2) return html``
  const isReplaced = (document: Document): boolean =>
    tasks.some(({ replaces }) => replaces?.id === document.id)
  const here = documents
    .filter((document) => !isReplaced(document))
    .map((document) => hereView(frame, document, current?.replaces?.id === document.id))
  const wanted = tasks.map((task) =>
    task.key === current?.key
      ? html`<li class="current">
          <span class="mark" aria-hidden="true">→</span> <strong>${fullTitle(task)}</strong
          ><span class="state">this one</span>
        </li>`
      : html`<li>
          <span class="mark" aria-hidden="true"></span>
          <a href="${linkTo(frame, paperQuery(task.key))}">${fullTitle(task)}</a
          ><span class="state">needed</span>
        </li>`,
  )
  return html`<ul class="papers" aria-label="Documents">
    ${[...here, ...wanted]}
  </ul>`
}

function hereView(frame: Frame, document: Document, isCurrent: boolean): Html {
  const name = paperName(frame, document)
  const to = linkTo(frame, paperQuery(replacingKey(document)))
  const state = isCurrent
    ? html`<span class="state">this one</span>`
    : html`<a class="state" href="${to}">Replace<span class="visually-hidden"> ${name}</span></a>`
  return html`<li class="${isCurrent ? 'done current' : 'done'}">
    <span class="mark" aria-hidden="true">✓</span> ${name}${state}
  </li>`
}

export function paperName({ applicant }: Frame, document: Document): string {
  const side = document.side ? ` (${document.side.toLowerCase()})` : ''
  const whose = whoseOf(applicant, holderToWire(document.holder))
  return `${DOCUMENT_LABELS[document.documentType]}${side}${whose === undefined ? '' : `, ${whose}`}`
}

/** Initial values: those of the document that is replaced, or the likely country. */
function storedOf({ applicant }: Frame, { replaces, accepted, holder }: PaperTask): Typed {
  if (replaces) return { ...replaces }
  const { customer, owners } = applicant
  const owner = owners.find(({ id }) => formatId('beneficialOwner', id) === holder)
  const own =
    customer.customerType === 'INDIVIDUAL'
      ? customer.profile.nationality
      : customer.profile.businessInfo.country
  const country = owner ? owner.personalInfo.nationality : own
  return { country, ...(accepted.length === 1 && { documentType: accepted[0] }) }
}

type FormShown = Readonly<{ task: PaperTask; typed: Typed; errors: readonly FormError[] }>

function formView(frame: Frame, { task, typed, errors }: FormShown): Html {
  const errorAt = (at: string) => errors.find(({ field }) => field === at)?.message
  const state = {
    valuesOf: ({ name }: Field) =>
      [typed[name]].flatMap((one) => (typeof one === 'string' ? one : [])),
    errorOf: ({ name }: Field) => errorAt(name),
    isHeld: () => false,
    isWithheld: () => false,
    isRequired: () => true,
  }
  const isAboutPaper = task.completes !== undefined || task.replaces !== undefined
  return html`<p>${isAboutPaper ? task.reason : introductionOf(task)}</p>
    <form
      class="flow-form"
      method="post"
      enctype="multipart/form-data"
      action="${linkTo(frame, `/papers?for=${encodeURIComponent(task.key)}`)}"
      data-check="${linkTo(frame, '/check')}"
      data-bytes-max="${String(FILE_BYTES_MAX)}"
      novalidate
    >
      ${paperFields(task).map((field) => fieldView(field, state))} ${fileView(task, errorAt(FILE))}
      <button class="main" data-busy="Sending the document">Send this document</button>
    </form>`
}

const INTRODUCTIONS: Readonly<Record<string, string>> = {
  'Proof of address': 'It shows the name and the address, and is not older than three months.',
}

const introductionOf = ({ title, reason, accepted }: PaperTask): string =>
  accepted.some(isIdentity)
    ? 'It has to be valid. Of a passport we need the page with the photo; of a card both sides, the front first.'
    : (INTRODUCTIONS[title] ?? reason)

function fileView({ completes, accepted }: PaperTask, error: string | undefined): Html {
  const id = idOf(FILE)
  const hint = `A JPEG or PNG photo, or a PDF, of at most ${MEGABYTES_MAX} MB`
  const isCard = completes !== undefined || accepted.some(isIdentity)
  const label = completes
    ? `Photo of the ${completes.side === 'FRONT' ? 'back' : 'front'}`
    : isCard
      ? 'Photo of the document'
      : 'Scan or photo of the document'
  return html`<div class="${classOf({ error })}">
    <label for="${id}">${label}</label>
    ${remarksView({ id, hint, error })}${guidanceView(isCard)}
    <input
      type="file"
      id="${id}"
      name="${FILE}"
      accept="image/jpeg,image/png,application/pdf"
      ${descriptionOf({ id, hint, error })}${wrongOf(error)}
    />
    <div class="quality" role="status"></div>
  </div>`
}
