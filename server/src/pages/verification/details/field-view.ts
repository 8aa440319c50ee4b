/** Fields of a form as HTML, each with label, hint and error. */
import { COUNTRY_CODES } from '../../../kernel/text/country-codes.ts'
import { html, type Html } from '../../html.ts'
import type { Field, FieldGroup } from './fields.ts'
import type { FormError, FormState } from './form-state.ts'
import type { Option } from '../wording.ts'

let named: readonly Option[] | undefined

/** Made for the first page that needs it: names and their order take longer than most of a start. */
const countries = (): readonly Option[] => (named ??= nameCountries())

function nameCountries(): readonly Option[] {
  const names = new Intl.DisplayNames(['en'], { type: 'region' })
  const byName = new Intl.Collator('en')
  return [...COUNTRY_CODES]
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((one, other) => byName.compare(one.label, other.label))
}

export const countryName = (code: string): string =>
  countries().find(({ value }) => value === code)?.label ?? code

/** Up to this many choices are buttons; more are a list. */
const RADIOS_MAX = 4

export const idOf = (name: string): string => `field-${name.replaceAll('.', '-')}`

export const groupView = ({ legend, hint, fields }: FieldGroup, state: FormState): Html =>
  html`<fieldset class="group">
    <legend>${legend}</legend>
    ${hint === undefined ? '' : html`<p class="hint">${hint}</p>`}
    ${fields.map((field) => fieldView(field, state))}
  </fieldset>`

type Shown = Readonly<{
  id: string
  field: Field
  values: readonly string[]
  hint: string | undefined
  error: string | undefined
  /** Attributes of the control: its description, and whether it is invalid. */
  described: Html
  wrong: Html
}>

export function fieldView(field: Field, state: FormState): Html {
  const id = idOf(field.name)
  const error = state.errorOf(field)
  const isHeld = state.isHeld(field)
  const hint = hintOf(field, state)
  const label = state.isRequired(field) ? field.label : `${field.label} (optional)`
  const shown: Shown = {
    ...{ id, hint, error, values: isHeld ? [] : state.valuesOf(field), field: { ...field, label } },
    described: descriptionOf({ id, hint, error }),
    wrong: wrongOf(error),
  }
  switch (field.control) {
    case 'choice':
      return (field.options ?? []).length <= RADIOS_MAX
        ? boxesView(shown, 'radio')
        : listView(shown)
    case 'choices':
      return boxesView(shown, 'checkbox')
    case 'country':
      return listView({ ...shown, field: { ...shown.field, options: countries() } })
    case 'countries':
      return countriesView(shown)
    default:
      return labelled(shown, inputView(shown))
  }
}

function hintOf(field: Field, state: FormState): string | undefined {
  if (state.isHeld(field)) return 'We already hold this number. Leave it empty to keep it.'
  return state.isWithheld(field) ? 'Enter it again: a number is not sent back.' : field.hint
}

export function descriptionOf({
  id,
  hint,
  error,
}: Readonly<{ id: string; hint: string | undefined; error: string | undefined }>): Html {
  const ids = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(error === undefined ? [] : [`${id}-error`]),
  ]
  return ids.length === 0 ? html`` : html` aria-describedby="${ids.join(' ')}"`
}

export const wrongOf = (error: string | undefined): Html =>
  error === undefined ? html`` : html` aria-invalid="true"`

/** The hint and error between a label and its control. */
export const remarksView = ({ id, hint, error }: Pick<Shown, 'id' | 'hint' | 'error'>): Html =>
  html`${hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${hint}</p>`}${
    error === undefined
      ? ''
      : html`<p class="error" id="${id}-error"><strong>Error:</strong> ${error}</p>`
  }`

export const classOf = ({ error }: Pick<Shown, 'error'>): string =>
  error === undefined ? 'field' : 'field wrong'

const labelled = (shown: Shown, control: Html): Html =>
  html`<div class="${classOf(shown)}">
    <label for="${shown.id}">${shown.field.label}</label>
    ${remarksView(shown)}${control}
  </div>`

const TYPES: Readonly<Partial<Record<Field['control'], Html>>> = {
  date: html`type="date" min="1800-01-01"`,
  percentage: html`type="text" inputmode="numeric" maxlength="3"`,
  secret: html`type="text" maxlength="64" spellcheck="false"`,
}

function inputView({ id, field, values, described, wrong }: Shown): Html {
  const { name, control, autocomplete, isShort } = field
  const [value = ''] = values
  const type = TYPES[control] ?? html`type="text" maxlength="255"`
  return html`<input
    id="${id}"
    name="${name}"
    ${type}
    value="${value}"
    autocomplete="${autocomplete ?? 'off'}"
    class="${isShort ? 'short' : 'long'}"
    ${described}${wrong}
  />`
}

const optionView =
  (chosen: readonly string[]) =>
  ({ value, label }: Option): Html =>
    html`<option value="${value}" ${chosen.includes(value) ? html` selected` : ''}>
      ${label}
    </option>`

function listView(shown: Shown): Html {
  const { id, field, values, described, wrong } = shown
  return labelled(
    shown,
    html`<select
      id="${id}"
      name="${field.name}"
      autocomplete="${field.autocomplete ?? 'off'}"
      ${described}${wrong}
    >
      <option value="">Choose</option>
      ${(field.options ?? []).map(optionView(values))}
    </select>`,
  )
}

/**
 * The first box has the id of the field, so that the error summary links to it. Radio buttons are marked invalid as a
 * group, checkboxes one by one.
 */
function boxesView(shown: Shown, type: 'radio' | 'checkbox'): Html {
  const { id, field, values } = shown
  const isGroup = type === 'radio'
  const wrong = isGroup ? '' : shown.wrong
  const boxes = (field.options ?? []).map(({ value, label }, index) => {
    const boxId = index === 0 ? id : `${id}-${index}`
    const checked = values.includes(value) ? html` checked` : ''
    return html`<div class="box">
      <input
        type="${type}"
        id="${boxId}"
        name="${field.name}"
        value="${value}"
        ${checked}${wrong}
      />
      <label for="${boxId}">${label}</label>
    </div>`
  })
  const role = isGroup ? html` role="radiogroup"${shown.wrong}` : html``
  return fieldsetView(shown, { role, controls: boxes })
}

const fieldsetView = (
  shown: Shown,
  { role, controls }: Readonly<{ role: Html; controls: readonly Html[] }>,
): Html =>
  html`<fieldset class="${classOf(shown)}" ${role}${shown.described}>
    <legend>${shown.field.label}</legend>
    ${remarksView(shown)}${controls}
  </fieldset>`

/** One list for each country, and an empty one for the next. */
function countriesView(shown: Shown): Html {
  const { id, field, values, wrong } = shown
  const rows = values.includes('') || values.length === 0 ? [...values, ''] : values
  const lists = [...new Set(rows)].map((chosen, index) => {
    const listId = index === 0 ? id : `${id}-${index}`
    return html`<div class="row">
      <label for="${listId}" class="visually-hidden">Country ${String(index + 1)}</label>
      <select id="${listId}" name="${field.name}" ${wrong}>
        <option value="">${index === 0 ? 'Choose' : 'None'}</option>
        ${countries().map(optionView([chosen]))}
      </select>
    </div>`
  })
  const more = html`<button class="other small-button" name="more" value="${field.name}">
    Add another country
  </button>`
  return fieldsetView(shown, { role: html``, controls: [...lists, more] })
}

/** The error summary at the top, focused, with a link to each field. */
export const errorSummary = (errors: readonly FormError[]): Html =>
  errors.length === 0
    ? html``
    : html`<div
        class="summary"
        role="alert"
        tabindex="-1"
        autofocus
        aria-labelledby="summary-title"
      >
        <h2 id="summary-title">There is something to correct</h2>
        <ul>
          ${errors.map(({ field, message }) =>
            field === undefined
              ? html`<li>${message}</li>`
              : html`<li><a href="#${idOf(field)}">${message}</a></li>`,
          )}
        </ul>
      </div>`
