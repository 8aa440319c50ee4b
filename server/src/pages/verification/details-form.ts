/** The step at which the applicant says who they are: what it shows, and what becomes of what is typed. */
import type { Keyring } from '../../crypto/seal.ts'
import { customerToWire, valueAt, type CustomerRecord } from '../../features/customers/index.ts'
import type { HostedPage } from '../hosted-page.ts'
import { html } from '../html.ts'
import type { Applicant } from './applicant.ts'
import { changeCustomer, checkCustomerChange, type Act } from './applicant-actions.ts'
import { errorSummary, groupView } from './field-view.ts'
import { BUSINESS_GROUPS, INDIVIDUAL_GROUPS, type Field, type FieldGroup } from './fields.ts'
import { flowPage, linkTo, type Frame } from './flow-page.ts'
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
import { lackingIn } from './steps.ts'

export type DetailsForm = Readonly<{
  groups: readonly FieldGroup[]
  stored: CustomerRecord
  isHeld(field: Field): boolean
  isRequired(field: Field): boolean
}>

export function detailsForm(keyring: Keyring, applicant: Applicant): DetailsForm {
  const { customer } = applicant
  const stored: CustomerRecord = customerToWire(keyring, customer)
  const asked = lackingIn(applicant, 'details').flatMap(({ field }) => field ?? [])
  const isAsked = ({ name }: Field): boolean =>
    asked.some((path) => name === path || name.startsWith(`${path}.`))
  const isHeld = ({ control }: Field): boolean =>
    control === 'secret' && customer.identifier !== undefined
  return {
    groups: groupsOf(applicant, asked),
    stored,
    isHeld,
    // KYC-28: what is neither asked for nor known may stay away.
    isRequired: (field) =>
      field.isOptional !== true &&
      (isAsked(field) || isHeld(field) || valueAt(stored, field.name) !== undefined),
  }
}

function groupsOf({ customer }: Applicant, asked: readonly string[]): readonly FieldGroup[] {
  const { customerType } = customer
  const groups = customerType === 'INDIVIDUAL' ? INDIVIDUAL_GROUPS : BUSINESS_GROUPS
  const isKnown = (path: string): boolean =>
    fieldsOf(groups).some(({ name }) => name === path || name.startsWith(`${path}.`))
  const further = asked
    .filter((path) => !isKnown(path))
    .flatMap((path) => furtherField(customerType, path) ?? [])
  return further.length === 0
    ? groups
    : [...groups, { legend: 'Further questions', fields: further }]
}

/** What a reviewer, or the rules, found wrong with what is stored; what is merely missing is not held against anybody. */
function findingsOf(applicant: Applicant, fields: readonly Field[]): FormError[] {
  return lackingIn(applicant, 'details')
    .filter(({ type, field }) => type === 'INVALID_FIELD' || !isIn(fields, field))
    .map(({ field: path, reason }) => {
      const field = fields.find(({ name }) => name === path || name.startsWith(`${path}.`))
      return field
        ? { field: field.name, message: reason }
        : {
            field: undefined,
            message: `${path ?? 'Something'}: ${reason} Ask whoever sent you here.`,
          }
    })
}

const isIn = (fields: readonly Field[], path: string | undefined): boolean =>
  fields.some(({ name }) => name === path || name.startsWith(`${path}.`))

type Shown = Readonly<{ form: DetailsForm; typed?: URLSearchParams; errors?: readonly FormError[] }>

export function detailsView(frame: Frame, { form, typed, errors }: Shown): HostedPage {
  const { applicant } = frame
  const { groups, stored, isHeld, isRequired } = form
  const fields = fieldsOf(groups)
  const isTelling = errors === undefined || errors.length > 0
  const shown = inOrder(fields, [
    ...(errors ?? []),
    ...(isTelling ? findingsOf(applicant, fields) : []),
  ])
  const state = {
    ...shownValues(typed, stored),
    errorOf: ({ name }: Field) => shown.find(({ field }) => field === name)?.message,
    ...{ isHeld, isRequired },
  }
  const isBusiness = applicant.customer.customerType === 'BUSINESS'
  return flowPage(frame, {
    step: 'details',
    title: isBusiness ? 'Details of the business' : 'Your details',
    status: errors && errors.length > 0 ? 400 : 200,
    body: html`${errorSummary(shown)}
      <p>
        ${applicant.platform.name} asks you to confirm
        ${isBusiness ? 'your business' : 'who you are'}. What is known already is filled in; correct
        it where it is wrong.
      </p>
      <form class="flow-form" method="post" action="${linkTo(frame, '/details')}" novalidate>
        <button class="default-button" tabindex="-1" aria-hidden="true">Save and continue</button>
        ${groups.map((group) => groupView(group, state))}
        <button class="main">Save and continue</button>
      </form>`,
  })
}

/** Asked to add a row, nothing is saved: the form comes back with one more. */
export function withRow(typed: URLSearchParams): URLSearchParams | undefined {
  const name = typed.get('more')
  if (name === null) return undefined
  const more = new URLSearchParams(typed)
  more.append(name, '')
  return more
}

/** Saves what is right, also beside something that is not, and says what is wrong. */
export async function saveDetails(
  act: Act,
  {
    form,
    typed,
    customerType,
  }: Readonly<{ form: DetailsForm; typed: URLSearchParams; customerType: string }>,
): Promise<readonly FormError[]> {
  const fields = fieldsOf(form.groups)
  const request = requestOf(fields, typed)
  const found = await checkCustomerChange(act, { customerType, ...request })
  const isNeeded = (field: Field): boolean => form.isRequired(field) && !form.isHeld(field)
  const errors = inOrder(fields, [
    ...missingErrors(fields, request, isNeeded),
    ...formErrors(fields, found, request),
  ])
  const right = { customerType, ...without(request, errors) }
  const isSound = errors.length === 0 || (await checkCustomerChange(act, right)).length === 0
  if (isSound) await changeCustomer(act, right)
  return errors
}

/** The two are one statement. */
const TOGETHER = ['idType', 'identifier']

/** An address is replaced as a whole, so it is right as a whole; the parts of `businessInfo` stand alone. */
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
  if (TOGETHER.includes(field)) return TOGETHER
  const [first = '', second = ''] = field.split('.')
  return [first === 'businessInfo' ? `${first}.${second}` : first]
}
