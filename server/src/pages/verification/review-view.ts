/** The last step: all data, what is still missing, and the button to submit. */
import type { Keyring } from '../../crypto/seal.ts'
import type { ErrorEntry } from '../../features/verifications/index.ts'
import type { HostedPage } from '../hosted-page.ts'
import { html, type Html } from '../html.ts'
import { translated } from '../language/api-words.ts'
import { countryName, dateText } from '../language/format.ts'
import type { Locale } from '../language/locale.ts'
import { detailsForm } from './details/details-form.ts'
import { paperName, paperQuery } from './documents/documents-view.ts'
import { errorSummary } from './details/field-view.ts'
import { labelAt, valueText } from './details/field-words.ts'
import type { Field } from './details/fields.ts'
import { flowPage, linkTo, type Frame } from './flow-page.ts'
import { fieldsOf, storedValues, type FormError } from './details/form-state.ts'
import { ownerName, ownerPart } from './details/owners-form.ts'
import { fullTitle, paperTasks } from './documents/paper-tasks.ts'
import { stepFor, stepsOf, type StepName } from './steps.ts'

type Shown = Readonly<{ keyring: Keyring; errors?: readonly FormError[] }>

export function reviewView(frame: Frame, { keyring, errors = [] }: Shown): HostedPage {
  const { applicant, brand, locale } = frame
  const { requirements } = applicant
  const isReady = requirements.length === 0
  const parts = stepsOf(applicant).flatMap(({ name }) => partView(frame, { keyring, name }))
  return flowPage(frame, {
    step: 'review',
    title: locale.say(isReady ? 'review.title' : 'review.open'),
    status: errors.length > 0 ? 409 : 200,
    body: html`${errorSummary(locale, errors)}${isReady ? '' : lackingView(frame, keyring)}${parts}
    ${
      isReady
        ? html`<form class="flow-form" method="post" action="${linkTo(frame, '/finish')}">
            <p>${locale.say('review.confirm', { platform: brand.name })}</p>
            <button class="main" data-busy="${locale.say('review.sending')}">
              ${locale.say('review.send')}
            </button>
          </form>`
        : ''
    }`,
  })
}

function lackingView(frame: Frame, keyring: Keyring): Html {
  const { applicant, locale } = frame
  const { groups, later } = detailsForm(keyring, applicant)
  const [fields, hidden] = [fieldsOf(groups), later?.fields ?? []]
  const others = applicant.requirements.filter(
    (one) => stepFor(one) !== 'documents' && !hidden.some(({ name }) => name === one.field),
  )
  const items = [
    ...others.map((one) =>
      lackingItem(linkTo(frame, `?step=${stepFor(one)}`), sayLacking(locale, fields, one)),
    ),
    ...paperTasks(applicant, locale).map((task) =>
      lackingItem(linkTo(frame, paperQuery(task.key)), fullTitle(task)),
    ),
  ]
  return html`<div class="notice">
    <p>${locale.say('review.needed')}</p>
    <ul>
      ${items}
    </ul>
  </div>`
}

const lackingItem = (to: string, says: string): Html => html`<li><a href="${to}">${says}</a></li>`

function sayLacking(
  locale: Locale,
  fields: readonly Field[],
  { type, field, reason }: ErrorEntry,
): string {
  if (field === undefined) return translated(locale, reason)
  const label = labelAt(locale, fields, field)
  return type === 'MISSING_FIELD' ? label : `${label}: ${translated(locale, reason)}`
}

type Part = Readonly<{ keyring: Keyring; name: StepName }>

function partView(frame: Frame, { keyring, name }: Part): Html[] {
  const { say } = frame.locale
  switch (name) {
    case 'details':
      return [
        section(frame, { name, title: say('step.details'), body: detailsList(frame, keyring) }),
      ]
    case 'owners':
      return [section(frame, { name, title: say('owners.title'), body: peopleList(frame) })]
    case 'documents':
      return [section(frame, { name, title: say('step.documents'), body: paperList(frame) })]
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
        >${frame.locale.say('change')}<span class="visually-hidden"> ${title}</span></a
      >
    </div>
    ${body}
  </section>`

function detailsList({ applicant, locale }: Frame, keyring: Keyring): Html {
  const form = detailsForm(keyring, applicant)
  const rows = fieldsOf(form.groups).flatMap((field) => {
    const values = storedValues(form.stored)(field).map((value) => shownValue(locale, field, value))
    const shown = form.isHeld(field) ? locale.say('review.held') : values.join(', ')
    return shown === ''
      ? []
      : [
          html`<dt>${locale.say(field.label)}</dt>
            <dd>${shown}</dd>`,
        ]
  })
  return html`<dl>${rows}</dl>`
}

function shownValue(locale: Locale, field: Field, value: string): string {
  const { control, options } = field
  const { language } = locale
  if (control === 'country' || control === 'countries') return countryName(language, value)
  if (control === 'date') return dateText(language, new Date(`${value}T00:00:00Z`))
  return options?.includes(value) ? valueText(locale, field, value) : value
}

const nothing = ({ say }: Locale): Html => html`<p class="hint">${say('review.nothing')}</p>`

const peopleList = ({ applicant: { owners }, locale }: Frame): Html =>
  owners.length === 0
    ? nothing(locale)
    : html`<dl>
        ${owners.map(
          (owner) =>
            html`<dt>${ownerPart(locale, owner)}</dt>
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
  return rows.length === 0 ? nothing(frame.locale) : html`<dl>${rows}</dl>`
}
