/**
 * Changes a customer. A change that would re-key a wallet's OTP credential has to be signed (SIGN-14 to SIGN-17); any
 * other is the change of the customers feature, with its refusals. Fails besides: INVALID_INPUT (clearing a tied field),
 * EMAIL_OTP_EMAIL_ALREADY_EXISTS or CONFLICT (another customer's contact), EMAIL_OTP_CREDENTIAL_SET_CHANGED or CONFLICT
 * (the tied credentials changed).
 */
import { fail, failFields, refuse, type Refusal } from '../../../kernel/errors.ts'
import { asId, failNotFound, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { setEmailPayload, setPhoneNumberPayload } from '../../../crypto/wallet/activities.ts'
import { reply, type Reply } from '../../../infra/http/reply.ts'
import { rehearse } from '../../../infra/work/attempt.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  customerToWire,
  lockCustomer,
  updateCustomer,
  type Customer,
  type CustomerUpdateBody,
} from '../../customers/index.ts'
import type { Credential, OtpType } from '../credentials/auth-method.ts'
import { isContactTaken, listCredentials, lockContact, saveContact } from '../credentials/store.ts'
import { moveSignatureRequest, type WireChallenge } from '../signing/signature-request.ts'
import type { SignatureRequest } from '../signing/store.ts'
import { runSigned, type Processing } from '../signing/run-signed.ts'
import type { DraftedOperation, Headers } from '../signing/signed-operation.ts'
import type { Wallet } from '../wallets/wallet.ts'
import { lockWalletOfCustomer } from '../wallets/store.ts'

type CustomerReply = Reply<200, ReturnType<typeof customerToWire>>

/** A contact that the body changes, and the ids of the credentials that log in with it. */
type Rekeying = Readonly<{ type: OtpType; value: string | null; tied: readonly Id<'authMethod'>[] }>

type Subject = Readonly<{
  wallet: Wallet
  customer: Customer
  body: CustomerUpdateBody
  rekeying: Rekeying | undefined
}>

const CODES = {
  EMAIL_OTP: {
    taken: 'EMAIL_OTP_EMAIL_ALREADY_EXISTS',
    changed: 'EMAIL_OTP_CREDENTIAL_SET_CHANGED',
  },
  SMS_OTP: { taken: 'CONFLICT', changed: 'CONFLICT' },
} as const

const isTied = ({ rekeying }: Subject): boolean =>
  rekeying !== undefined && rekeying.tied.length > 0

export const changeCustomer: DraftedOperation<Subject, CustomerReply> = {
  id: 'updateCustomerById',
  async find(work, { resourceId, body }) {
    const { tx, platform } = work
    const change = body as CustomerUpdateBody
    const customer = await lockCustomer(work, asId('customer', resourceId))
    const wallet =
      (await lockWalletOfCustomer(tx, platform.id, customer.id)) ?? failNotFound('internalAccount')
    const credentials = await listCredentials(tx, platform.id, wallet.accountId)
    return { wallet, customer, body: change, rekeying: rekeyingOf(customer, change, credentials) }
  },
  needsSignature: isTied,
  needsUserVerification: () => true,
  check: (work, { subject, call, request }) =>
    call === 'FIRST' ? checkFirst(work, subject) : checkRetry(work, subject, request),
  draft: ({ wallet: { userId }, rekeying }) => {
    const value = rekeying?.value ?? ''
    const { type = 'EMAIL_OTP', tied = [] } = rekeying ?? {}
    const activity =
      type === 'EMAIL_OTP'
        ? setEmailPayload({ userId, email: value })
        : setPhoneNumberPayload({ userId, phoneNumber: value })
    return { activity, context: { type, tied } }
  },
  async perform(work, { subject, request }) {
    const { customer, body } = subject
    const changed = await changeUnsigned(work, { id: customer.id, body })
    if (request) rekey(work, subject, request)
    return changed
  },
}

/** The re-keying that a signature request was opened for. */
const contextOf = ({ context }: SignatureRequest): Pick<Rekeying, 'type' | 'tied'> =>
  context as Pick<Rekeying, 'type' | 'tied'>

const contactIn = ({ email, phoneNumber }: CustomerUpdateBody, type: OtpType) =>
  (type === 'EMAIL_OTP' ? email : phoneNumber) ?? null

/** Runs only for a signed change: a number that is set in another way does not become a login (SCA-35). */
function rekey(work: Work, { body }: Subject, request: SignatureRequest): void {
  const { tx, platform, now } = work
  const { type, tied } = contextOf(request)
  const contact = contactIn(body, type)
  invariant(contact !== null, 'No signature request is opened for clearing a contact.')
  saveContact(tx, platform.id, { ids: tied, contact, at: now })
}

async function changeUnsigned(
  work: Work,
  { id, body }: { id: Id<'customer'>; body: CustomerUpdateBody },
): Promise<CustomerReply> {
  return reply(200, customerToWire(work.keyring, await updateCustomer(work, id, body)))
}

/** A customer without a wallet has no key to sign with. */
export async function changeCustomerById(
  work: Work,
  { id, body, headers }: { id: Id<'customer'>; body: CustomerUpdateBody; headers: Headers },
): Promise<CustomerReply | Reply<202, WireChallenge> | Processing | Refusal> {
  if (body.phoneNumber !== undefined) await work.react('sca.proofsVoiding', { customerId: id })
  if (body.currencies) await work.react('customers.currenciesChanging', { customerId: id })
  const isContactNamed = body.email !== undefined || body.phoneNumber !== undefined
  if (!isContactNamed) return changeUnsigned(work, { id, body })
  await lockCustomer(work, id)
  const wallet = await lockWalletOfCustomer(work.tx, work.platform.id, id)
  if (wallet === undefined) return changeUnsigned(work, { id, body })
  return runSigned(work, changeCustomer, { resourceId: id, body, headers })
}

/** An equal value is no change, nor is an address that differs in case only (SIGN-14). */
function rekeyingOf(
  customer: Customer,
  body: CustomerUpdateBody,
  credentials: readonly Credential[],
): Rekeying | undefined {
  const { email, phoneNumber } = body
  const isEmailNew = email !== undefined && email?.toLowerCase() !== customer.email?.toLowerCase()
  const isPhoneNew = phoneNumber !== undefined && phoneNumber !== (customer.phoneNumber ?? null)
  if (!isEmailNew && !isPhoneNew) return undefined
  const type = isEmailNew ? 'EMAIL_OTP' : 'SMS_OTP'
  return { type, value: contactIn(body, type), tied: tiedIds(credentials, type) }
}

const tiedIds = (credentials: readonly Credential[], type: OtpType): Id<'authMethod'>[] =>
  credentials.filter((one) => one.type === type).map(({ id }) => id)

async function checkFirst(work: Work, subject: Subject): Promise<undefined> {
  const { rekeying, customer, body } = subject
  if (!isTied(subject) || rekeying === undefined) return
  const { type, value } = rekeying
  if (value === null) {
    const field = type === 'EMAIL_OTP' ? 'email' : 'phoneNumber'
    return failFields([
      { field, message: 'cannot be cleared while a wallet credential depends on it' },
    ])
  }
  await mustBeFreeContact(work, customer, { type, contact: value })
  await rehearse(work, (inside) => updateCustomer(inside, customer.id, body))
}

/** Voids the signature request when the tied credentials have changed since it was opened (SIGN-16). */
async function checkRetry(
  work: Work,
  subject: Subject,
  request: SignatureRequest | undefined,
): Promise<Refusal | undefined> {
  const { tx, platform } = work
  const { wallet, customer, body } = subject
  invariant(request, 'A retry names a signature request.')
  const { type, tied } = contextOf(request)
  const credentials = await listCredentials(tx, platform.id, wallet.accountId)
  if (tiedIds(credentials, type).join() !== tied.join()) {
    moveSignatureRequest(work, request, { event: 'void' })
    return refuse(CODES[type].changed)
  }
  const contact = contactIn(body, type)
  if (contact !== null) {
    await lockContact(tx, platform.id, { type, contact })
    await mustBeFreeContact(work, customer, { type, contact })
  }
  return undefined
}

async function mustBeFreeContact(
  { tx, platform }: Work,
  { id: customerId }: Customer,
  { type, contact }: { type: OtpType; contact: string },
): Promise<void> {
  if (await isContactTaken(tx, platform.id, { type, contact, customerId })) fail(CODES[type].taken)
}
