/** The last step: all data, what is still missing, and the button to submit. */
import type { Keyring } from '../../crypto/seal.ts'
import type { ErrorEntry } from '../../features/verifications/index.ts'
import type { HostedPage } from '../hosted-page.ts'
import { html, type Html } from '../html.ts'
import { detailsForm } from './details/details-form.ts'
import { paperName, paperQuery } from './documents/documents-view.ts'
import { countryName, errorSummary } from './details/field-view.ts'
import type { Field } from './details/fields.ts'
import { flowPage, linkTo, type Frame } from './flow-page.ts'
import { fieldsOf, storedValues, type FormError } from './details/form-state.ts'
import { inWords } from './details/further-fields.ts'
import { ownerName, ownerPart } from './details/owners-form.ts'
import { fullTitle, paperTasks } from './documents/paper-tasks.ts'
import { stepFor, stepsOf, type StepName } from './steps.ts'

type Shown = Readonly<{ keyring: Keyring; errors?: readonly FormError[] }>

export function reviewView(frame: Frame, { keyring, errors = [] }: Shown): HostedPage {
  const { applicant } = frame
  const { platform, requirements } = applicant
  const isReady = requirements.length === 0
  const parts = stepsOf(applicant).flatMap(({ name }) => partView(frame, { keyring, name }))
  return flowPage(frame, {
    step: 'review',
    title: isReady ? 'Check and send' : 'Not complete yet',
    status: errors.length > 0 ? 409 : 200,
    body: html`${errorSummary(errors)}${isReady ? '' : lackingView(frame, keyring)}${parts}
    ${
      isReady
        ? html`<form class="flow-form" method="post" action="${linkTo(frame, '/finish')}">
            <p>
              By sending this you confirm that it is true and complete. ${platform.name} is told how
              the check comes out.
            </p>
            <button class="main" data-busy="Sending">Send</button>
          </form>`
        : ''
    }`,
  })
}

function lackingView(frame: Frame, keyring: Keyring): Html {
  const { applicant } = frame
  const hidden = detailsForm(keyring, applicant).later?.fields ?? []
  const others = applicant.requirements.filter(
    (one) => stepFor(one) !== 'documents' && !hidden.some(({ name }) => name === one.field),
  )
  const items = [
    ...others.map((one) => lackingItem(linkTo(frame, `?step=${stepFor(one)}`), sayLacking(one))),
    ...paperTasks(applicant).map((task) =>
      lackingItem(linkTo(frame, paperQuery(task.key)), fullTitle(task)),
    ),
  ]
  return html`<div class="notice">
    <p>This is still needed:</p>
    <ul>
      ${items}
    </ul>
  </div>`
}

const lackingItem = (to: string, says: string): Html => html`<li><a href="${to}">${says}</a></li>`

function sayLacking({ type, field, reason }: ErrorEntry): string {
  if (field === undefined) return reason
  return type === 'MISSING_FIELD' ? inWords(field) : `${inWords(field)}: ${reason}`
}

type Part = Readonly<{ keyring: Keyring; name: StepName }>

function partView(frame: Frame, { keyring, name }: Part): Html[] {
  switch (name) {
    case 'details':
      return [section(frame, { name, title: 'Details', body: detailsList(frame, keyring) })]
    case 'owners':
      return [
        section(frame, { name, title: 'People behind the business', body: peopleList(frame) }),
      ]
    case 'documents':
      return [section(frame, { name, title: 'Documents', body: paperList(frame) })]
    case 'review':
      return []
  }
}

const section = (
  frame: Frame,
  { name, title, body }: Readonly<{ name: StepName; title: string; body: Html }>,
): Html =>
  html`<section class="part" aria-labelledby="part-${name}">
    <div class="part-head">
      <h2 id="part-${name}">${title}</h2>
      <a href="${linkTo(frame, `?step=${name}`)}"
        >Change<span class="visually-hidden"> ${title.toLowerCase()}</span></a
      >
    </div>
    ${body}
  </section>`

function detailsList({ applicant }: Frame, keyring: Keyring): Html {
  const form = detailsForm(keyring, applicant)
  const rows = fieldsOf(form.groups).flatMap((field) => {
    const values = storedValues(form.stored)(field).map((value) => shownValue(field, value))
    const shown = form.isHeld(field) ? 'Held, not shown' : values.join(', ')
    return shown === ''
      ? []
      : [
          html`<dt>${field.label}</dt>
            <dd>${shown}</dd>`,
        ]
  })
  return html`<dl>${rows}</dl>`
}

function shownValue({ control, options }: Field, value: string): string {
  if (control === 'country' || control === 'countries') return countryName(value)
  if (control === 'date') return dateFormat.format(new Date(`${value}T00:00:00Z`))
  return options?.find((option) => option.value === value)?.label ?? value
}

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

const NOTHING = html`<p class="hint">Nothing yet</p>`

const peopleList = ({ applicant: { owners } }: Frame): Html =>
  owners.length === 0
    ? NOTHING
    : html`<dl>
        ${owners.map(
          (owner) =>
            html`<dt>${ownerPart(owner)}</dt>
              <dd>${ownerName(owner)}</dd>`,
        )}
      </dl>`

function paperList(frame: Frame): Html {
  const { documents } = frame.applicant
  const rows = documents.map(
    (document) =>
      html`<dt>${paperName(frame, document)}</dt>
        <dd>${document.fileName}</dd>`,
  )
  return rows.length === 0 ? NOTHING : html`<dl>${rows}</dl>`
}
