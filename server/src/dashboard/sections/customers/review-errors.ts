/** The part of a review's forms that says what is wrong: entries of a type, about somebody or something. */
import { ERROR_TYPES, VERIFICATION_ERROR_TYPES } from '../../../features/verifications/index.ts'
import { html, type Html } from '../../../pages/html.ts'
import { select } from '../../screens/action-form.ts'
import { inWords } from '../../cells/cells.ts'
import type { Choice, FormPart } from '../../section.ts'
import { nameOf, type Review } from './review-file.ts'

const ENTRIES = 4

type Options = Readonly<{
  /** Of the form, so that ids differ between the forms of a page. */
  name: string
  /** Only a rejection is for good (VER-21). */
  isRejection: boolean
}>

const typesFor = (isRejection: boolean): readonly Choice[] => [
  { value: '', label: 'Choose …' },
  ...VERIFICATION_ERROR_TYPES.filter(
    (type) => isRejection || ERROR_TYPES[type].nature.about !== 'outcome',
  ).map((value) => ({ value, label: inWords(value) })),
]

/** Whom or what an entry can be about: the customer, its owners, their papers. */
const resourcesOf = ({ customer, beneficialOwners, documents }: Review): readonly Choice[] => [
  { value: '', label: `${nameOf(customer)} (the customer)` },
  ...beneficialOwners.map((owner) => ({ value: owner.id, label: nameOf(owner) })),
  ...documents.map(({ id, documentType, fileName }) => ({
    value: id,
    label: `${inWords(documentType)} (${fileName})`,
  })),
]

/** Dot paths of what is known, to choose from; others may be typed, for what is missing. */
const pathsIn = (value: object | undefined, above = ''): readonly string[] =>
  Object.entries(value ?? {}).flatMap(([key, inner]) => {
    const path = `${above}${key}`
    const isGroup = typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    return isGroup ? pathsIn(inner, `${path}.`) : [path]
  })

export const errorEntries = (options: Options): FormPart<Review> => ({
  render: (row, typed) => entriesView(row, typed, options),
  read: (typed) => ({ error: entriesIn(typed) }),
})

function entriesView(row: Review, typed: URLSearchParams, { name, isRejection }: Options): Html {
  const fields = pathsIn(row.snapshot?.customer ?? row.customer)
  const [types, resources] = [typesFor(isRejection), resourcesOf(row)]
  const one = (index: number): Html => {
    const id = (part: string): string => `${name}-${part}-${index}`
    const was = (part: string): string => typed.getAll(part)[index] ?? ''
    return html`<fieldset>
      <legend>Error ${String(index + 1)}</legend>
      <div class="field">
        <label for="${id('type')}">What is wrong</label>
        ${select({ id: id('type'), name: 'errorType', value: was('errorType'), choices: types })}
      </div>
      <div class="field">
        <label for="${id('resource')}">With</label>
        ${select({
          id: id('resource'),
          name: 'errorResource',
          value: was('errorResource'),
          choices: resources,
        })}
      </div>
      <div class="field">
        <label for="${id('field')}">Field <span class="optional">if it is about one</span></label>
        <input
          id="${id('field')}"
          name="errorField"
          value="${was('errorField')}"
          list="${name}-fields"
          placeholder="address.postalCode"
          autocomplete="off"
        />
      </div>
      <div class="field">
        <label for="${id('reason')}">Reason <span class="optional">optional</span></label>
        <input
          id="${id('reason')}"
          name="errorReason"
          value="${was('errorReason')}"
          autocomplete="off"
        />
      </div>
    </fieldset>`
  }
  return html`<div data-more="Add another error">
      ${Array.from({ length: ENTRIES }, (_, index) => one(index))}
    </div>
    <datalist id="${name}-fields">
      ${fields.map((field) => html`<option value="${field}"></option>`)}
    </datalist>`
}

/** JSON for `--error`, one for each entry in which something was said. */
function entriesIn(typed: URLSearchParams): readonly string[] {
  const all = (part: string): readonly string[] => typed.getAll(part).map((text) => text.trim())
  const [resources, fields, reasons] = [all('errorResource'), all('errorField'), all('errorReason')]
  return all('errorType').flatMap((type, index) => {
    const [resourceId, field, reason] = [resources[index], fields[index], reasons[index]]
    if (type === '' && !field && !reason) return []
    const entry = {
      type,
      ...(resourceId && { resourceId }),
      ...(field && { field }),
      ...(reason && { reason }),
    }
    return [JSON.stringify(entry)]
  })
}
