/** The step of the documents, one after the other. */
import { formatId } from '../../../kernel/ids.ts'
import { FILE_BYTES_MAX, holderToWire, type Document } from '../../../features/documents/index.ts'
import type { HostedPage } from '../../hosted-page.ts'
import { html, type Html } from '../../html.ts'
import type { Locale } from '../../language/locale.ts'
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
import { phoneView } from '../../phone/phone-view.ts'
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

type Typed = Readonly<Record<string, unknown>>
type Shown = Readonly<{ key?: string | undefined; typed?: Typed; errors?: readonly FormError[] }>

export function documentsView(frame: Frame, { key, typed, errors = [] }: Shown): HostedPage {
  const { applicant, locale } = frame
  const tasks = paperTasks(applicant, locale)
  const task = findTask(applicant, key ?? '', locale) ?? tasks[0]
  return flowPage(frame, {
    step: 'documents',
    title: task ? fullTitle(task) : locale.say('step.documents'),
    status: errors.length > 0 ? 400 : 200,
    body: task
      ? html`${errorSummary(locale, errors)}${handOver(frame)}${listView(frame, tasks, task)}${formView(frame, { task, typed: typed ?? storedOf(frame, task), errors })}`
      : html`<p>${locale.say('paper.all')}</p>
          ${listView(frame, tasks, undefined)}
          <p class="actions">
            <a class="button main" href="${linkTo(frame, '?step=review')}"
              >${locale.say('continue')}</a
            >
          </p>`,
  })
}

/** A phone has the better camera. */
function handOver(frame: Frame): Html {
  const { applicant, locale, publicUrl } = frame
  const link = locale.keep(`${publicUrl}/verify/${encodeURIComponent(applicant.token)}`)
  const [reload, state] = [linkTo(frame, '?step=documents'), linkTo(frame, '/state')]
  return phoneView(locale, { link, reload, state })
}

export const paperQuery = (key: string): string => `?step=documents&for=${encodeURIComponent(key)}`

/** Uploaded and required documents; any required one can be chosen first. */
function listView(frame: Frame, tasks: readonly PaperTask[], current: PaperTask | undefined): Html {
  const { say } = frame.locale
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
          ><span class="state">${say('paper.current')}</span>
        </li>`
      : html`<li>
          <span class="mark" aria-hidden="true"></span>
          <a href="${linkTo(frame, paperQuery(task.key))}">${fullTitle(task)}</a
          ><span class="state">${say('paper.needed')}</span>
        </li>`,
  )
  return html`<ul class="papers" aria-label="${say('step.documents')}">
    ${[...here, ...wanted]}
  </ul>`
}

function hereView(frame: Frame, document: Document, isCurrent: boolean): Html {
  const { say } = frame.locale
  const name = paperName(frame, document)
  const to = linkTo(frame, paperQuery(replacingKey(document)))
  const state = isCurrent
    ? html`<span class="state">${say('paper.current')}</span>`
    : html`<a class="state" href="${to}"
        >${say('paper.replace')}<span class="visually-hidden"> ${name}</span></a
      >`
  return html`<li class="${isCurrent ? 'done current' : 'done'}">
    <span class="mark" aria-hidden="true">✓</span> ${name}${state}
  </li>`
}

const SIDES = { FRONT: 'paper.sideFront', BACK: 'paper.sideBack' } as const

export function paperName({ applicant, locale: { say } }: Frame, document: Document): string {
  const label = say(`document.${document.documentType}`)
  const named = document.side ? say(SIDES[document.side], { document: label }) : label
  const whose = whoseOf(applicant, holderToWire(document.holder))
  return whose === undefined ? named : `${named}, ${whose}`
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
  const { locale } = frame
  const { say } = locale
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
  return html`<p>${isAboutPaper ? task.reason : introductionOf(locale, task)}</p>
    <form
      class="flow-form"
      method="post"
      enctype="multipart/form-data"
      action="${linkTo(frame, `/papers?for=${encodeURIComponent(task.key)}`)}"
      data-check="${linkTo(frame, '/check')}"
      data-bytes-max="${String(FILE_BYTES_MAX)}"
      ${scriptTexts(locale)}
      novalidate
    >
      ${paperFields(task).map((field) => fieldView(locale, field, state))}
      ${fileView(locale, task, errorAt(FILE))}
      <button class="main" data-busy="${say('paper.sending')}">${say('paper.send')}</button>
    </form>`
}

/** What the script says about a file; its own text is the same in every language, as the policy wants it. */
const scriptTexts = ({ say }: Locale): Html =>
  html`data-too-large="${say('file.size')}" data-looking="${say('file.looking')}"
  data-later="${say('file.later')}" data-good="${say('file.good')}"
  data-better="${say('file.better')}"`

function introductionOf({ say }: Locale, { type, reason, accepted }: PaperTask): string {
  if (accepted.some(isIdentity)) return say('paper.intro.identity')
  return type === 'MISSING_PROOF_OF_ADDRESS_DOCUMENT' ? say('paper.intro.address') : reason
}

function fileView(
  locale: Locale,
  { completes, accepted }: PaperTask,
  error: string | undefined,
): Html {
  const id = idOf(FILE)
  const hint = locale.say('file.hint', { size: MEGABYTES_MAX })
  const isCard = completes !== undefined || accepted.some(isIdentity)
  const label = completes
    ? locale.say(completes.side === 'FRONT' ? 'file.back' : 'file.front')
    : locale.say(isCard ? 'file.photo' : 'file.scan')
  return html`<div class="${classOf({ error })}">
    <label for="${id}">${label}</label>
    ${remarksView({ id, locale, hint, error })}${guidanceView(locale, isCard)}
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
