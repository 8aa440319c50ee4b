/** Actions of an applicant in the hosted flow: the API's checks and use-cases, limited to this customer. */
import { fail, mustHaveNoErrors, oncePerField, type FieldError } from '../../kernel/errors.ts'
import { formatId, mustParseId, parseId, type Id } from '../../kernel/ids.ts'
import { platformTime } from '../../kernel/platform.ts'
import { audit } from '../../infra/work/audit.ts'
import { requestValidator } from '../../infra/http/schema/validate.ts'
import type { RequestIds } from '../../infra/work/request-ids.ts'
import type { Work } from '../../infra/work/work.ts'
import {
  BeneficialOwnerCreateSchema,
  BeneficialOwnerUpdateSchema,
  checkOwner,
  checkOwnerChange,
  checkOwnerCreation,
  createBeneficialOwner,
  findBeneficialOwner,
  mustFindOwner,
  ownersOf,
  updateBeneficialOwner,
  type BeneficialOwner,
} from '../../features/beneficial-owners/index.ts'
import {
  checkStoredChange,
  CustomerUpdateSchema,
  isObject,
  updateCustomer,
  type CustomerRecord,
  type CustomerUpdateBody,
} from '../../features/customers/index.ts'
import { submitByLink, type HostedSubmission } from '../../features/verifications/index.ts'
import type { PageHost } from '../page-host.ts'
import { inVisit, mustBeApplying, type Visit } from './applicant.ts'

export type Act = RequestIds & Readonly<{ host: PageHost; visit: Visit }>

const validators = {
  customer: requestValidator(CustomerUpdateSchema),
  newOwner: requestValidator(BeneficialOwnerCreateSchema),
  owner: requestValidator(BeneficialOwnerUpdateSchema),
}

/** Fields of the platform, ignored when the applicant sends them. */
const NOT_HERE = ['email', 'phoneNumber', 'currencies', 'umaAddress', 'endUserTermsConsent']

const inAct = <T>(act: Act, body: (work: Work) => Promise<T>): Promise<T> =>
  inVisit(act.host, act, body)

function readingOf({ host, visit }: Act) {
  const { db, keyring, clock } = host.deps
  const now = platformTime(visit.platform, clock.now())
  return { tx: db.read, platform: visit.platform, keyring, now }
}

/** The findings on a change of the customer; none where it is valid. */
export const checkCustomerChange = (act: Act, body: unknown): Promise<FieldError[]> =>
  checkIdentity(act, identityOnly(body))

/** The check normalises the request in place (CUST-5), so the checked object itself has to be saved. */
async function checkIdentity(act: Act, request: unknown): Promise<FieldError[]> {
  const id = formatId('customer', act.visit.link.customerId)
  return oncePerField([
    ...validators.customer(request),
    ...(await checkStoredChange(readingOf(act), id, request)),
  ])
}

function identityOnly(body: unknown): unknown {
  if (!isObject(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !NOT_HERE.includes(name)))
}

/** Changes the customer. Fails: INVALID_INPUT, KYC_LINK_USED, KYC_LINK_EXPIRED, CONFLICT. */
export async function changeCustomer(act: Act, body: unknown): Promise<void> {
  const request = identityOnly(body)
  mustHaveNoErrors(await checkIdentity(act, request))
  await inAct(act, async (work) => {
    const { id } = await mustBeApplying(work, act.visit)
    await updateCustomer(work, id, request as CustomerUpdateBody)
    audit(work, { action: 'verification details', resource: formatId('customer', id) })
  })
}

/**
 * Adds an owner. A form with the id of the new owner may be sent twice: the second changes that owner.
 * Fails: INVALID_INPUT, KYC_LINK_USED, KYC_LINK_EXPIRED, CONFLICT, REFERENCE_NOT_FOUND for the id of another customer's
 * owner.
 */
export async function addOwner(
  act: Act,
  body: unknown,
  id?: Id<'beneficialOwner'>,
): Promise<BeneficialOwner> {
  const customerId = formatId('customer', act.visit.link.customerId)
  const request = isObject(body) ? { ...body, customerId } : body
  const reading = readingOf(act)
  // In this order: the first normalises what the second checks.
  const errors = [
    ...validators.newOwner(request),
    ...(isObject(request) ? checkOwner(request, reading.now) : []),
  ]
  if (errors.length > 0)
    mustHaveNoErrors(oncePerField([...errors, ...(await checkOwnerCreation(reading, request))]))
  return inAct(act, async (work) => {
    await mustBeApplying(work, act.visit)
    const added = request as Parameters<typeof createBeneficialOwner>[1]
    const isKnown = id && (await findBeneficialOwner(work, id)) !== undefined
    if (isKnown) await mustBeOwn(work, act.visit, id)
    const owner = isKnown
      ? await updateBeneficialOwner(work, id, added)
      : await createBeneficialOwner(work, added, id)
    auditOwner(work, owner)
    return owner
  })
}

/**
 * Fails: REFERENCE_NOT_FOUND also for another customer's owner, INVALID_INPUT, KYC_LINK_USED, KYC_LINK_EXPIRED,
 * CONFLICT.
 */
export async function changeOwner(
  act: Act,
  { ownerId, body }: Readonly<{ ownerId: string; body: unknown }>,
): Promise<BeneficialOwner> {
  const id = mustParseId('beneficialOwner', ownerId)
  const errors = validators.owner(body)
  if (errors.length > 0)
    mustHaveNoErrors(oncePerField([...errors, ...(await checkOwnOwner(act, { id, body }))]))
  return inAct(act, async (work) => {
    await mustBeApplying(work, act.visit)
    await mustBeOwn(work, act.visit, id)
    const owner = await updateBeneficialOwner(work, id, body as CustomerRecord)
    auditOwner(work, owner)
    return owner
  })
}

/** No findings for another customer's owner, since they would reveal data of its business. */
async function checkOwnOwner(
  act: Act,
  { id, body }: Readonly<{ id: Id<'beneficialOwner'>; body: unknown }>,
): Promise<FieldError[]> {
  const reading = readingOf(act)
  const own = await ownersOf(reading, act.visit.link.customerId)
  const isOwn = own.some((owner) => owner.id === id)
  return isOwn ? checkOwnerChange(reading, formatId('beneficialOwner', id), body) : []
}

function auditOwner(work: Work, { id }: BeneficialOwner): void {
  audit(work, { action: 'verification owner', resource: formatId('beneficialOwner', id) })
}

/** Fails: REFERENCE_NOT_FOUND. */
async function mustBeOwn(
  work: Pick<Work, 'tx' | 'platform'>,
  { link }: Visit,
  id: Id<'beneficialOwner'>,
): Promise<void> {
  const { customerId } = await mustFindOwner(work, id)
  if (customerId !== link.customerId) fail('REFERENCE_NOT_FOUND')
}

/** Fails: USER_NOT_FOUND, REFERENCE_NOT_FOUND for a holder other than the customer and its owners. */
export async function mustBeOwnHolder(work: Work, visit: Visit, holder: string): Promise<void> {
  const ownerId = parseId('beneficialOwner', holder)
  if (ownerId) await mustBeOwn(work, visit, ownerId)
  else if (parseId('customer', holder) !== visit.link.customerId) fail('USER_NOT_FOUND')
}

/** Fails: KYC_LINK_USED, KYC_LINK_EXPIRED, CONFLICT while a contact channel is not verified. */
export const submit = (act: Act): Promise<HostedSubmission> =>
  inAct(act, async (work) => {
    const submission = await submitByLink(work, act.visit.link)
    const resource = formatId('customer', act.visit.link.customerId)
    audit(work, { action: 'verification submit', resource, note: submission.verificationStatus })
    return submission
  })
