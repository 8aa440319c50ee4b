/** The step of the applicant's details: its form, and saving it. */
import type { Keyring } from '../../../crypto/seal.ts'
import { customerToWire, valueAt, type CustomerRecord } from '../../../features/customers/index.ts'
import { isForeignPerson } from '../../../features/verifications/index.ts'
import type { HostedPage } from '../../hosted-page.ts'
import { html, type Html } from '../../html.ts'
import { translated } from '../../language/api-words.ts'
import type { Locale } from '../../language/locale.ts'
import type { Applicant } from '../applicant.ts'
import { changeCustomer, checkCustomerChange, type Act } from '../applicant-actions.ts'
import { errorSummary, groupView, idOf } from './field-view.ts'
import { labelAt } from './field-words.ts'
import {
  BUSINESS_GROUPS,
  INDIVIDUAL_GROUPS,
  US_NUMBER_GROUP,
  type Field,
  type FieldGroup,
} from './fields.ts'
import { flowPage, linkTo, type Frame } from '../flow-page.ts'
import {
  fieldsOf,
  formErrors,
  inOrder,
  missingErrors,
  requestOf,
  shownValues,
  type FormError,
} from './form-state.ts'
import { furtherField } from './further-fields.ts'
import { lackingIn } from '../steps.ts'
import { needsUsNumber, US_NUMBER_FIELDS } from './us-number.ts'

export type DetailsForm = Readonly<{
  groups: readonly FieldGroup[]
  /** Fields of US persons, while it is unknown whether the applicant is one. */
  later: FieldGroup | undefined
  stored: CustomerRecord
  isHeld(field: Field): boolean
  isRequired(field: Field): boolean
}>

/** The stored values, or those typed and refused. */
export function detailsForm(
  keyring: Keyring,
  applicant: Applicant,
  typed?: URLSearchParams,
): DetailsForm {
  const { customer } = applicant
  const stored: CustomerRecord = customerToWire(keyring, customer)
  const asked = lackingIn(applicant, 'details').flatMap(({ field }) => field ?? [])
  const entered = typed ? requestOf(fieldsOf(INDIVIDUAL_GROUPS), typed) : stored
  const hasLater =
    customer.customerType === 'INDIVIDUAL' && !needsUsNumber({ entered, stored, asked })
  const later = hasLater ? US_NUMBER_GROUP : undefined
  const isAsked = ({ name }: Field): boolean =>
    asked.some((path) => name === path || name.startsWith(`${path}.`))
  const isHeld = ({ control }: Field): boolean =>
    control === 'secret' && customer.identifier !== undefined
  return {
    groups: groupsOf(applicant, { asked, later }),
    later,
    stored,
    isHeld,
    // Fields that are neither required nor known are left out (KYC-28).
    isRequired: (field) =>
      field.isOptional !== true &&
      (US_NUMBER_FIELDS.includes(field.name) ||
        isAsked(field) ||
        isHeld(field) ||
        valueAt(stored, field.name) !== undefined),
  }
}

type Asked = Readonly<{ asked: readonly string[]; later: FieldGroup | undefined }>

function groupsOf({ customer }: Applicant, { asked, later }: Asked): readonly FieldGroup[] {
  const { customerType } = customer
  const all =
    customerType === 'INDIVIDUAL' ? [...INDIVIDUAL_GROUPS, US_NUMBER_GROUP] : BUSINESS_GROUPS
  const groups = all.filter((group) => group !== later)
  const isKnown = (path: string): boolean =>
    fieldsOf(all).some(({ name }) => name === path || name.startsWith(`${path}.`))
  const further = asked
    .filter((path) => !isKnown(path))
    .flatMap((path) => furtherField(customerType, path) ?? [])
  return further.length === 0 ? groups : [...groups, { legend: 'details.further', fields: further }]
}

/** Errors of a reviewer or the rules on stored fields; missing fields are no errors before the form is sent. */
function findingsOf({ applicant, locale }: Frame, { groups, later }: DetailsForm): FormError[] {
  const [fields, hidden] = [fieldsOf(groups), later?.fields ?? []]
  return lackingIn(applicant, 'details')
    .filter(({ field }) => !isIn(hidden, field))
    .filter(({ type, field }) => type === 'INVALID_FIELD' || !isIn(fields, field))
    .map(({ field: path = '', reason: given }) => {
      const field = fields.find(({ name }) => name === path || name.startsWith(`${path}.`))
      const reason = translated(locale, given)
      if (field) return { field: field.name, message: reason }
      const named = labelAt(locale, fields, path)
      return {
        field: undefined,
        message: locale.say('details.elsewhere', { field: named, reason }),
      }
    })
}

const isIn = (fields: readonly Field[], path: string | undefined): boolean =>
  fields.some(({ name }) => name === path || name.startsWith(`${path}.`))

type Shown = Readonly<{ form: DetailsForm; typed?: URLSearchParams; errors?: readonly FormError[] }>

export function detailsView(frame: Frame, { form, typed, errors }: Shown): HostedPage {
  const { applicant, brand, locale } = frame
  const { groups, later, stored, isHeld, isRequired } = form
  const fields = fieldsOf(groups)
  const isTelling = errors === undefined || errors.length > 0
  const shown = inOrder(fields, [...(errors ?? []), ...(isTelling ? findingsOf(frame, form) : [])])
  const state = {
    ...shownValues(typed, stored),
    errorOf: ({ name }: Field) => shown.find(({ field }) => field === name)?.message,
    ...{ isHeld, isRequired },
  }
  const isBusiness = applicant.customer.customerType === 'BUSINESS'
  return flowPage(frame, {
    step: 'details',
    title: locale.say(isBusiness ? 'details.business' : 'details.you'),
    status: errors && errors.length > 0 ? 400 : 200,
    body: html`${errorSummary(locale, shown)}
      <p>
        ${locale.say(isBusiness ? 'details.intro.business' : 'details.intro.you', { platform: brand.name })}
      </p>
      ${errors === undefined && isLackingUsNumber(applicant, form) ? usNumberNotice(locale) : ''}
      <form class="flow-form" method="post" action="${linkTo(frame, '/details')}" novalidate>
        <button class="default-button" tabindex="-1" aria-hidden="true">
          ${locale.say('details.save')}
        </button>
        ${groups.map((group) => groupView(locale, group, state))}
        ${later ? html`<template data-us-number>${groupView(locale, later, state)}</template>` : ''}
        <button class="main">${locale.say('details.save')}</button>
      </form>`,
  })
}

/** Whether only the number is missing, as after the rest was saved without script. */
const isLackingUsNumber = (applicant: Applicant, { later, stored }: DetailsForm): boolean => {
  const asked = lackingIn(applicant, 'details').map(({ field = '' }) => field)
  const isAll = asked.length > 0 && asked.every((path) => US_NUMBER_FIELDS.includes(path))
  return isAll && !later && !isForeignPerson(stored)
}

function usNumberNotice({ say, sayHtml }: Locale): Html {
  const link = html`<a href="#${idOf('idType')}">${say('group.usNumber')}</a>`
  return html`<p class="notice">${sayHtml('details.usNumber', { link })}</p>`
}

/** Adding a row saves nothing: the form is shown with one more row. */
export function withRow(typed: URLSearchParams): URLSearchParams | undefined {
  const name = typed.get('more')
  if (name === null) return undefined
  const more = new URLSearchParams(typed)
  more.append(name, '')
  return more
}

/** Saves the valid fields, and shows what is wrong with the others. */
export async function saveDetails(
  act: Act,
  {
    form,
    typed,
    customerType,
    locale,
  }: Readonly<{
    form: DetailsForm
    typed: URLSearchParams
    customerType: string
    locale: Locale
  }>,
): Promise<readonly FormError[]> {
  // A field that the form did not show, because the countries were unknown, was not left empty.
  const hadUsNumber = typed.has('identifier')
  const fields = fieldsOf(form.groups).filter(
    ({ name }) => hadUsNumber || !US_NUMBER_FIELDS.includes(name),
  )
  const request = requestOf(fields, typed)
  const found = await checkCustomerChange(act, { customerType, ...request })
  const isNeeded = (field: Field): boolean => form.isRequired(field) && !form.isHeld(field)
  const errors = inOrder(fields, [
    ...missingErrors(locale, { fields, request }, isNeeded),
    ...formErrors(locale, found, { fields, request }),
  ])
  const right = { customerType, ...without(request, errors) }
  const isSound = errors.length === 0 || (await checkCustomerChange(act, right)).length === 0
  if (isSound) await changeCustomer(act, right)
  return errors
}

/** An address is replaced and checked as a whole; fields of `businessInfo` one by one. */
function without(request: CustomerRecord, errors: readonly FormError[]): CustomerRecord {
  const wrong = new Set(errors.flatMap(({ field }) => (field === undefined ? [] : unitOf(field))))
  const keep = (record: CustomerRecord, prefix = ''): CustomerRecord =>
    Object.fromEntries(
      Object.entries(record)
        .filter(([name]) => !wrong.has(`${prefix}${name}`))
        .map(([name, value]) =>
          name === 'businessInfo'
            ? [name, keep(value as CustomerRecord, 'businessInfo.')]
            : [name, value],
        ),
    )
  return keep(request)
}

function unitOf(field: string): string[] {
  // The two fields belong together.
  if (US_NUMBER_FIELDS.includes(field)) return [...US_NUMBER_FIELDS]
  const [first = '', second = ''] = field.split('.')
  return [first === 'businessInfo' ? `${first}.${second}` : first]
}
