/** The step of the people who own and control a business. */
import type { Keyring } from '../../../crypto/seal.ts'
import { ApiError, type FieldError } from '../../../kernel/errors.ts'
import { formatId, newId, parseId } from '../../../kernel/ids.ts'
import { ownerInCustomer, type BeneficialOwner } from '../../../features/beneficial-owners/index.ts'
import type { CustomerRecord } from '../../../features/customers/index.ts'
import type { HostedPage } from '../../hosted-page.ts'
import { html, type Html } from '../../html.ts'
import type { Applicant } from '../applicant.ts'
import { addOwner, changeOwner, type Act } from '../applicant-actions.ts'
import { errorSummary, groupView } from './field-view.ts'
import { OWNER_GROUPS, type Field } from './fields.ts'
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
import { lackingIn } from '../steps.ts'
import { ROLES } from '../wording.ts'

const FIELDS = fieldsOf(OWNER_GROUPS)

export const ownerName = ({ personalInfo }: BeneficialOwner): string =>
  `${personalInfo.firstName} ${personalInfo.lastName}`

export const ownerPart = ({ roles, ownershipPercentage }: BeneficialOwner): string => {
  const labels = ROLES.filter(({ value }) => roles.some((role) => role === value))
  return [...labels.map(({ label }) => label.split(':')[0]), `${ownershipPercentage} %`].join(', ')
}

const findOwner = ({ owners }: Applicant, ownerId: string): BeneficialOwner | undefined =>
  owners.find(({ id }) => formatId('beneficialOwner', id) === ownerId)

const INTRODUCTION = html`<p>
  Enter everybody who owns <strong>25 % or more</strong>, and the <strong>one person</strong> who
  controls the business: who runs it or directs it. It may be the same person.
</p>`

/** The list of owners; without any, the form for the first. */
export function ownersView(frame: Frame): HostedPage {
  const { applicant } = frame
  if (applicant.owners.length === 0) return ownerView(frame, { keyring: undefined, ownerId: 'new' })
  const lacking = lackingIn(applicant, 'owners')
  const isControlMissing = lacking.some(({ type }) => type === 'MISSING_CONTROL_PERSON')
  return flowPage(frame, {
    step: 'owners',
    title: 'People behind the business',
    body: html`${INTRODUCTION}
      <ul class="cards">
        ${applicant.owners.map((owner) => ownerCard(frame, owner))}
      </ul>
      ${
        isControlMissing
          ? html`<p class="notice">
              Nobody is entered yet who controls the business. Add that person, or change one above.
            </p>`
          : ''
      }
      <p class="actions">
        <a class="button other" href="${linkTo(frame, '?step=owners&person=new')}">Add a person</a>
        <a class="button main" href="${linkTo(frame, '?step=documents')}">Continue</a>
      </p>`,
  })
}

function ownerCard(frame: Frame, owner: BeneficialOwner): Html {
  const id = formatId('beneficialOwner', owner.id)
  const wrong = lackingIn(frame.applicant, 'owners').filter(({ resourceId }) => resourceId === id)
  const to = linkTo(frame, `?step=owners&person=${encodeURIComponent(id)}`)
  return html`<li>
    <div>
      <strong>${ownerName(owner)}</strong>
      <p class="hint">${ownerPart(owner)}</p>
      ${wrong.map(({ reason }) => html`<p class="error">${reason}</p>`)}
    </div>
    <a href="${to}">Change<span class="visually-hidden"> ${ownerName(owner)}</span></a>
  </li>`
}

/** Each form for a new owner has an id, so that it may be sent twice. */
const newPerson = (): string => formatId('beneficialOwner', newId('beneficialOwner'))

type Shown = Readonly<{
  keyring: Keyring | undefined
  ownerId: string
  typed?: URLSearchParams
  errors?: readonly FormError[]
}>

/** The form of a new or stored owner; undefined values are empty. */
export function ownerView(frame: Frame, { keyring, ownerId, typed, errors }: Shown): HostedPage {
  const { applicant } = frame
  const owner = findOwner(applicant, ownerId)
  const stored: CustomerRecord = owner && keyring ? ownerInCustomer(keyring, owner) : {}
  const shown = errors ?? findingsOf(applicant, ownerId)
  const state = {
    ...shownValues(typed, stored),
    errorOf: ({ name }: Field) => shown.find(({ field }) => field === name)?.message,
    isHeld: ({ control }: Field) => control === 'secret' && owner !== undefined,
    isRequired: ({ isOptional }: Field) => isOptional !== true,
  }
  return flowPage(frame, {
    step: 'owners',
    title: owner ? ownerName(owner) : 'Add a person',
    status: errors && errors.length > 0 ? 400 : 200,
    body: html`${errorSummary(shown)}${owner ? '' : INTRODUCTION}
      <form class="flow-form" method="post" action="${linkTo(frame, '/owners')}" novalidate>
        <input type="hidden" name="person" value="${owner || typed ? ownerId : newPerson()}" />
        ${OWNER_GROUPS.map((group) => groupView(group, state))}
        <button class="main" data-busy="Saving">Save this person</button>
      </form>
      ${
        applicant.owners.length === 0
          ? ''
          : html`<p>
              <a href="${linkTo(frame, '?step=owners')}">Back to the list without saving</a>
            </p>`
      }`,
  })
}

const findingsOf = (applicant: Applicant, ownerId: string): FormError[] =>
  lackingIn(applicant, 'owners')
    .filter(({ resourceId, field }) => resourceId === ownerId && field !== undefined)
    .map(({ field: path = '', reason }) => {
      const field = FIELDS.find(({ name }) => name === path || name.startsWith(`${path}.`))
      return { field: field?.name, message: reason }
    })

/** Saves the owner, or shows what is wrong. */
export async function saveOwner(
  act: Act,
  applicant: Applicant,
  typed: URLSearchParams,
): Promise<readonly FormError[]> {
  const ownerId = typed.get('person') ?? 'new'
  const owner = findOwner(applicant, ownerId)
  const request = requestOf(FIELDS, typed)
  const isNeeded = ({ control, isOptional }: Field): boolean =>
    isOptional !== true && !(control === 'secret' && owner)
  const missing = missingErrors(FIELDS, request, isNeeded)
  const found = await findingsOn(async () => {
    // The API refuses missing fields of a new owner; of a stored one it would leave an empty field unchanged.
    if (!owner) await addOwner(act, request, parseId('beneficialOwner', ownerId))
    else if (missing.length === 0)
      await changeOwner(act, { ownerId, body: cleared(owner, request) })
  })
  return inOrder(FIELDS, [...missing, ...formErrors(FIELDS, found, request)])
}

/** An emptied optional field is cleared. */
function cleared(owner: BeneficialOwner, request: CustomerRecord): CustomerRecord {
  const info = request['personalInfo'] as CustomerRecord
  const isEmptied = owner.personalInfo.middleName !== undefined && info['middleName'] === undefined
  return isEmptied ? { ...request, personalInfo: { ...info, middleName: null } } : request
}

async function findingsOn(save: () => Promise<void>): Promise<readonly FieldError[]> {
  try {
    await save()
    return []
  } catch (error) {
    const errors = error instanceof ApiError ? error.details?.['errors'] : undefined
    if (Array.isArray(errors)) return errors as FieldError[]
    throw error
  }
}
