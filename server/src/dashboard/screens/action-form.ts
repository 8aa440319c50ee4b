/** The form of an action: its fields, filled in again where it was refused. */
import { newUuid } from '../../kernel/ids.ts'
import { html, type Html } from '../../pages/html.ts'
import type { Values } from '../../operator/command-line/command-line.ts'
import type { Row } from '../ask.ts'
import { formToken } from '../layout.ts'
import type { Action, Field, Visit } from '../section.ts'

export type Attempt = Readonly<{ action: string; typed: URLSearchParams }>

const NOTHING_TYPED = new URLSearchParams()

export type FormOf = Readonly<{
  action: Action
  row: Row
  /** Where it is sent. */
  address: string
  /** The state that the page shows, where that matters. */
  seen?: string | undefined
  /** What was typed, where it was refused. */
  typed?: URLSearchParams | undefined
}>

export const FORM_KEY = 'formKey'

/** Of each form that is shown; what was sent under it is not done twice. Browsers would fill in the last one again. */
const formKey = (): Html =>
  html`<input type="hidden" name="${FORM_KEY}" value="${newUuid()}" autocomplete="off" />`

export function actionForm(visit: Visit, { action, row, address, seen, typed }: FormOf): Html {
  const { about, fields = [], part, label, tone = 'plain', name } = action
  const given = typed ?? NOTHING_TYPED
  return html`<form method="post" action="${address}" class="action">
    ${formToken(visit)} ${formKey()}
    ${seen === undefined ? '' : html`<input type="hidden" name="seen" value="${seen}" />`}
    ${about === undefined ? '' : html`<p class="small">${about}</p>`}
    ${part?.render(row, given) ?? ''}
    ${fields.map((field) => fieldView(field, { row, visit, id: `${name}-${field.name}`, typed }))}
    <button class="${tone}">${label}</button>
  </form>`
}

type FieldPlace = Readonly<{
  row: Row
  visit: Visit
  id: string
  typed: URLSearchParams | undefined
}>

function fieldView(field: Field, place: FieldPlace): Html {
  const { row, visit, id, typed } = place
  const { label, hint, kind = 'line', isRequired = false } = field
  const value = typed?.get(field.name) ?? ''
  const hintId = `${id}-hint`
  const described = hint === undefined ? html`` : html`aria-describedby="${hintId}"`
  const hinted = hint === undefined ? html`` : html`<p class="hint" id="${hintId}">${hint}</p>`
  if (kind === 'boxes') return boxesView(field, place)
  if (kind === 'switch') {
    const checked = value === 'on' ? html`checked` : html``
    return html`<div class="switch">
      <input type="checkbox" id="${id}" name="${field.name}" ${checked} ${described} />
      <label for="${id}">${label}</label>${hinted}
    </div>`
  }
  const required = isRequired ? html`required` : html``
  const optional = isRequired ? html`` : html` <span class="optional">optional</span>`
  return html`<div class="field">
    <label for="${id}">${label}${optional}</label>${hinted}
    ${controlOf(field, { row, visit, id, value, attributes: html`${described} ${required}` })}
  </div>`
}

/** Labels that are sentences stand one below the other. */
const SHORT_LABEL = 20

function boxesView(field: Field, { row, visit, id, typed }: FieldPlace): Html {
  const { name, label, hint, choices, ticked } = field
  const boxes = choices?.(row, visit) ?? []
  const values = typed ? typed.getAll(name) : (ticked?.(row) ?? [])
  const isLong = boxes.some((one) => one.label.length > SHORT_LABEL)
  return html`<fieldset class="boxes ${isLong ? 'long' : ''}">
    <legend>${label}</legend>
    ${hint === undefined ? '' : html`<p class="hint">${hint}</p>`}
    ${boxes.map(
      (one) =>
        html`<div class="switch">
          <input
            type="checkbox"
            id="${id}-${one.value}"
            name="${name}"
            value="${one.value}"
            ${values.includes(one.value) ? html`checked` : ''}
          />
          <label for="${id}-${one.value}">${one.label}</label>
        </div>`,
    )}
  </fieldset>`
}

type Control = Readonly<{ row: Row; visit: Visit; id: string; value: string; attributes: Html }>

function controlOf(field: Field, { row, visit, id, value, attributes }: Control): Html {
  const { name, kind = 'line', choices } = field
  if (kind === 'text' || kind === 'lines') {
    return html`<textarea id="${id}" name="${name}" rows="3" ${attributes}>${value}</textarea>`
  }
  if (kind === 'choice')
    return select({ id, name, value, attributes, choices: choices?.(row, visit) ?? [] })
  return html`<input id="${id}" name="${name}" value="${value}" autocomplete="off" ${attributes} />`
}

export type Select = Readonly<{
  id: string
  name: string
  value: string
  attributes?: Html
  choices: readonly Readonly<{ value: string; label: string }>[]
}>

export const select = ({ id, name, value, attributes = html``, choices }: Select): Html =>
  html`<select id="${id}" name="${name}" ${attributes}>
    ${choices.map(
      (one) =>
        html`<option value="${one.value}" ${one.value === value ? html`selected` : ''}>
          ${one.label}
        </option>`,
    )}
  </select>`

/** The ticked values as the option of the command has them: repeated, or separated by commas. */
function tickedIn({ command }: Action, { name, ifNone }: Field, typed: URLSearchParams) {
  const values = typed.getAll(name)
  const ticked = values.length === 0 && ifNone !== undefined ? [ifNone] : values
  return command.options?.[name]?.repeatable === true ? ticked : ticked.join(',')
}

const typedAs = (kind: Field['kind'], value: string): Values[string] => {
  if (kind === 'switch') return true
  return kind === 'lines' ? value.split('\n').flatMap((line) => line.trim() || []) : value
}

/** The values of the fields that are arguments of the command. */
export const argumentsIn = ({ fields = [] }: Action, typed: URLSearchParams): string[] =>
  fields.filter(({ isArgument }) => isArgument).map(({ name }) => typed.get(name)?.trim() ?? '')

/** The options of the command: one for each field that was filled in, and those of the action. */
export function optionsOf(action: Action, row: Row, typed: URLSearchParams): Values {
  const { fields = [], part, options } = action
  const filledIn = fields.flatMap((field) => {
    const { name, kind, isArgument } = field
    if (kind === 'boxes') {
      const values = tickedIn(action, field, typed)
      return values.length === 0 ? [] : [[name, values] as const]
    }
    const value = typed.get(name)?.trim() ?? ''
    return isArgument || value === '' ? [] : [[name, typedAs(kind, value)] as const]
  })
  return { ...Object.fromEntries(filledIn), ...part?.read(typed), ...options?.(row) }
}
