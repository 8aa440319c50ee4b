/** Fields of a form as HTML, each with label, hint and error. */
import { html, type Html } from '../../html.ts'
import { countries } from '../../language/format.ts'
import type { Locale } from '../../language/locale.ts'
import { valueText } from './field-words.ts'
import type { Field, FieldGroup } from './fields.ts'
import type { FormError, FormState } from './form-state.ts'

type Option = Readonly<{ value: string; label: string }>

/** Up to this many choices are buttons; more are a list. */
const RADIOS_MAX = 4

export const idOf = (name: string): string => `field-${name.replaceAll('.', '-')}`

export const groupView = (
  locale: Locale,
  { legend, hint, fields }: FieldGroup,
  state: FormState,
): Html =>
  html`<fieldset class="group">
    <legend>${locale.say(legend)}</legend>
    ${hint === undefined ? '' : html`<p class="hint">${locale.say(hint)}</p>`}
    ${fields.map((field) => fieldView(locale, field, state))}
  </fieldset>`

type Shown = Readonly<{
  id: string
  locale: Locale
  field: Field
  label: string
  options: readonly Option[]
  values: readonly string[]
  hint: string | undefined
  error: string | undefined
  /** Attributes of the control: its description, and whether it is invalid. */
  described: Html
  wrong: Html
}>

export function fieldView(locale: Locale, field: Field, state: FormState): Html {
  const id = idOf(field.name)
  const error = state.errorOf(field)
  const isHeld = state.isHeld(field)
  const hint = hintOf(locale, field, state)
  const name = locale.say(field.label)
  const label = state.isRequired(field) ? name : locale.say('optional', { label: name })
  const shown: Shown = {
    ...{ id, locale, field, label, hint, error },
    values: isHeld ? [] : state.valuesOf(field),
    options: optionsOf(locale, field),
    described: descriptionOf({ id, hint, error }),
    wrong: wrongOf(error),
  }
  switch (field.control) {
    case 'choice':
      return shown.options.length <= RADIOS_MAX ? boxesView(shown, 'radio') : listView(shown)
    case 'choices':
      return boxesView(shown, 'checkbox')
    case 'country':
      return listView(shown)
    case 'countries':
      return countriesView(shown)
    default:
      return labelled(shown, inputView(shown))
  }
}

const optionsOf = (locale: Locale, field: Field): readonly Option[] =>
  field.control === 'country' || field.control === 'countries'
    ? countries(locale.language)
    : (field.options ?? []).map((value) => ({ value, label: valueText(locale, field, value) }))

function hintOf({ say }: Locale, field: Field, state: FormState): string | undefined {
  if (state.isHeld(field)) return say('hint.held')
  if (state.isWithheld(field)) return say('hint.again')
  return field.hint && say(field.hint)
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
export const remarksView = ({
  id,
  hint,
  error,
  locale: { say },
}: Pick<Shown, 'id' | 'hint' | 'error' | 'locale'>): Html =>
  html`${hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${hint}</p>`}${
    error === undefined
      ? ''
      : html`<p class="error" id="${id}-error"><strong>${say('flow.error')}</strong> ${error}</p>`
  }`

export const classOf = ({ error }: Pick<Shown, 'error'>): string =>
  error === undefined ? 'field' : 'field wrong'

const labelled = (shown: Shown, control: Html): Html =>
  html`<div class="${classOf(shown)}">
    <label for="${shown.id}">${shown.label}</label>
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
  const { id, locale, field, options, values, described, wrong } = shown
  return labelled(
    shown,
    html`<select
      id="${id}"
      name="${field.name}"
      autocomplete="${field.autocomplete ?? 'off'}"
      ${described}${wrong}
    >
      <option value="">${locale.say('choose')}</option>
      ${options.map(optionView(values))}
    </select>`,
  )
}

/**
 * The first box has the id of the field, so that the error summary links to it. Radio buttons are marked invalid as a
 * group, checkboxes one by one.
 */
function boxesView(shown: Shown, type: 'radio' | 'checkbox'): Html {
  const { id, field, options, values } = shown
  const isGroup = type === 'radio'
  const wrong = isGroup ? '' : shown.wrong
  const boxes = options.map(({ value, label }, index) => {
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
    <legend>${shown.label}</legend>
    ${remarksView(shown)}${controls}
  </fieldset>`

/** One list for each country, and an empty one for the next. */
function countriesView(shown: Shown): Html {
  const { id, locale, field, options, values, wrong } = shown
  const rows = values.includes('') || values.length === 0 ? [...values, ''] : values
  const lists = [...new Set(rows)].map((chosen, index) => {
    const listId = index === 0 ? id : `${id}-${index}`
    return html`<div class="row">
      <label for="${listId}" class="visually-hidden"
        >${locale.say('country', { number: String(index + 1) })}</label
      >
      <select id="${listId}" name="${field.name}" ${wrong}>
        <option value="">${locale.say(index === 0 ? 'choose' : 'none')}</option>
        ${options.map(optionView([chosen]))}
      </select>
    </div>`
  })
  const more = html`<button class="other small-button" name="more" value="${field.name}">
    ${locale.say('country.add')}
  </button>`
  return fieldsetView(shown, { role: html``, controls: [...lists, more] })
}

/** The error summary at the top, focused, with a link to each field. */
export const errorSummary = ({ say }: Locale, errors: readonly FormError[]): Html =>
  errors.length === 0
    ? html``
    : html`<div
        class="summary"
        role="alert"
        tabindex="-1"
        autofocus
        aria-labelledby="summary-title"
      >
        <h2 id="summary-title">${say('summary.title')}</h2>
        <ul>
          ${errors.map(({ field, message }) =>
            field === undefined
              ? html`<li>${message}</li>`
              : html`<li><a href="#${idOf(field)}">${message}</a></li>`,
          )}
        </ul>
      </div>`
