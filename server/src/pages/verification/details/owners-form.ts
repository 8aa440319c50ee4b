/** The step of the people who own and control a business. */
import type { Keyring } from '../../../crypto/seal.ts'
import { ApiError, type FieldError } from '../../../kernel/errors.ts'
import { formatId, newId, parseId } from '../../../kernel/ids.ts'
import { ownerInCustomer, type BeneficialOwner } from '../../../features/beneficial-owners/index.ts'
import type { CustomerRecord } from '../../../features/customers/index.ts'
import type { HostedPage } from '../../hosted-page.ts'
import { html, type Html } from '../../html.ts'
import { translated } from '../../language/api-words.ts'
import type { Locale } from '../../language/locale.ts'
import type { Applicant } from '../applicant.ts'
import { addOwner, changeOwner, type Act } from '../applicant-actions.ts'
import { errorSummary, groupView } from './field-view.ts'
import { OWNER_GROUPS, ROLES, type Field } from './fields.ts'
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

const FIELDS = fieldsOf(OWNER_GROUPS)

export const ownerName = ({ personalInfo }: BeneficialOwner): string =>
  `${personalInfo.firstName} ${personalInfo.lastName}`

export const ownerPart = (
  { say }: Locale,
  { roles, ownershipPercentage }: BeneficialOwner,
): string => {
  const held = ROLES.filter((role) => roles.some((one) => one === role))
  return [...held.map((role) => say(`role.${role}`)), `${ownershipPercentage} %`].join(', ')
}

const findOwner = ({ owners }: Applicant, ownerId: string): BeneficialOwner | undefined =>
  owners.find(({ id }) => formatId('beneficialOwner', id) === ownerId)

const introduction = ({ say, sayHtml }: Locale): Html => {
  const share = html`<strong>${say('owners.intro.share')}</strong>`
  const one = html`<strong>${say('owners.intro.one')}</strong>`
  return html`<p>${sayHtml('owners.intro', { share, one })}</p>`
}

/** The list of owners; without any, the form for the first. */
export function ownersView(frame: Frame): HostedPage {
  const { applicant, locale } = frame
  if (applicant.owners.length === 0) return ownerView(frame, { keyring: undefined, ownerId: 'new' })
  const lacking = lackingIn(applicant, 'owners')
  const isControlMissing = lacking.some(({ type }) => type === 'MISSING_CONTROL_PERSON')
  return flowPage(frame, {
    step: 'owners',
    title: locale.say('owners.title'),
    body: html`${introduction(locale)}
      <ul class="cards">
        ${applicant.owners.map((owner) => ownerCard(frame, owner))}
      </ul>
      ${isControlMissing ? html`<p class="notice">${locale.say('owners.noControl')}</p>` : ''}
      <p class="actions">
        <a class="button other" href="${linkTo(frame, '?step=owners&person=new')}"
          >${locale.say('owners.add')}</a
        >
        <a class="button main" href="${linkTo(frame, '?step=documents')}"
          >${locale.say('continue')}</a
        >
      </p>`,
  })
}

function ownerCard(frame: Frame, owner: BeneficialOwner): Html {
  const { locale } = frame
  const id = formatId('beneficialOwner', owner.id)
  const wrong = lackingIn(frame.applicant, 'owners').filter(({ resourceId }) => resourceId === id)
  const to = linkTo(frame, `?step=owners&person=${encodeURIComponent(id)}`)
  return html`<li>
    <div>
      <strong>${ownerName(owner)}</strong>
      <p class="hint">${ownerPart(locale, owner)}</p>
      ${wrong.map(({ reason }) => html`<p class="error">${translated(locale, reason)}</p>`)}
    </div>
    <a href="${to}"
      >${locale.say('change')}<span class="visually-hidden"> ${ownerName(owner)}</span></a
    >
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
  const { applicant, locale } = frame
  const owner = findOwner(applicant, ownerId)
  const stored: CustomerRecord = owner && keyring ? ownerInCustomer(keyring, owner) : {}
  const shown = errors ?? findingsOf(frame, ownerId)
  const state = {
    ...shownValues(typed, stored),
    errorOf: ({ name }: Field) => shown.find(({ field }) => field === name)?.message,
    isHeld: ({ control }: Field) => control === 'secret' && owner !== undefined,
    isRequired: ({ isOptional }: Field) => isOptional !== true,
  }
  return flowPage(frame, {
    step: 'owners',
    title: owner ? ownerName(owner) : locale.say('owners.add'),
    status: errors && errors.length > 0 ? 400 : 200,
    body: html`${errorSummary(locale, shown)}${owner ? '' : introduction(locale)}
      <form class="flow-form" method="post" action="${linkTo(frame, '/owners')}" novalidate>
        <input type="hidden" name="person" value="${owner || typed ? ownerId : newPerson()}" />
        ${OWNER_GROUPS.map((group) => groupView(locale, group, state))}
        <button class="main" data-busy="${locale.say('owners.saving')}">
          ${locale.say('owners.save')}
        </button>
      </form>
      ${
        applicant.owners.length === 0
          ? ''
          : html`<p>
              <a href="${linkTo(frame, '?step=owners')}">${locale.say('owners.back')}</a>
            </p>`
      }`,
  })
}

const findingsOf = ({ applicant, locale }: Frame, ownerId: string): FormError[] =>
  lackingIn(applicant, 'owners')
    .filter(({ resourceId, field }) => resourceId === ownerId && field !== undefined)
    .map(({ field: path = '', reason }) => {
      const field = FIELDS.find(({ name }) => name === path || name.startsWith(`${path}.`))
      return { field: field?.name, message: translated(locale, reason) }
    })

/** Saves the owner, or shows what is wrong. */
export async function saveOwner(
  act: Act,
  { applicant, locale }: Frame,
  typed: URLSearchParams,
): Promise<readonly FormError[]> {
  const ownerId = typed.get('person') ?? 'new'
  const owner = findOwner(applicant, ownerId)
  const request = requestOf(FIELDS, typed)
  const isNeeded = ({ control, isOptional }: Field): boolean =>
    isOptional !== true && !(control === 'secret' && owner)
  const missing = missingErrors(locale, { fields: FIELDS, request }, isNeeded)
  const found = await findingsOn(async () => {
    // The API refuses missing fields of a new owner; of a stored one it would leave an empty field unchanged.
    if (!owner) await addOwner(act, request, parseId('beneficialOwner', ownerId))
    else if (missing.length === 0)
      await changeOwner(act, { ownerId, body: cleared(owner, request) })
  })
  return inOrder(FIELDS, [...missing, ...formErrors(locale, found, { fields: FIELDS, request })])
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
