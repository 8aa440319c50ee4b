import { fail, failFields, mustHaveNoErrors } from '../../../kernel/errors.ts'
import { formatId, newId, type Id } from '../../../kernel/ids.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import { isScaRegion, lockCustomer } from '../../customers/index.ts'
import type { AccountInfo } from '../account-types/info-schema.ts'
import type { CheckedCreateRequest } from '../validation/create-request.ts'
import type { NewAccountRequest } from '../validation/new-account.ts'
import { checkTravelRuleOf, readNewAccount } from '../validation/new-account.ts'
import { invoiceAmountSatoshi } from '../formats/wallet/lightning.ts'
import type { ExternalAccount } from '../external-account.ts'
import type { NameVerification } from '../status/name-verification.ts'
import { verifyName } from '../status/name-verification.ts'
import { placeNameCheck } from '../status/name-check.ts'
import { railProviderOf } from '../payment/rail-provider.ts'
import { initialStatus, isScreenable, travelRuleHolds } from '../ownership/rules.ts'
import { paymentSuffix } from '../formats/sandbox-suffix.ts'
import { screenAccountJob } from '../job-definitions.ts'
import { duplicateIndexes, indexDuplicateKey } from './duplicate-index.ts'
import { sealInfo } from './sealing.ts'
import { clearDefault, findDuplicate, insertExternalAccount } from './store.ts'

export type CreatedExternalAccount = Readonly<{
  account: ExternalAccount
  /** Dot paths of fields that a strict platform would refuse (EACC-5). */
  warnings: readonly string[]
  /** The order for an outside name check, which the caller sends after the commit and waits for. */
  nameCheck: Id<'order'> | undefined
}>

/**
 * Creates an external account of a customer or, without one, of the platform. Its name is checked at once or by an
 * outside provider; a bank account in PRODUCTION waits for screening.
 * Fails: INVALID_INPUT, USER_NOT_FOUND, INVALID_BANK_ACCOUNT, CONFLICT when the owner has the account already.
 */
export async function createExternalAccount(
  work: Work,
  request: NewAccountRequest,
): Promise<CreatedExternalAccount> {
  const read = readNewAccount(request, work)
  if (!read.ok) return failFields(read.errors)
  const { customerId, account: checked, defaultUmaDepositAccount } = read.request

  // Accounts are locked before their customer, as in payments and deletions.
  if (defaultUmaDepositAccount && customerId) {
    await clearDefault(work.tx, work.platform.id, { customerId, at: work.now })
  }
  const isEeaCustomer = await lockOwner(work, customerId)
  const { environment, travelRule } = work.platform
  if (travelRuleHolds({ travelRule, environment, isEeaCustomer })) {
    mustHaveNoErrors(checkTravelRuleOf(request.body))
  }
  const named = verifyName({ account: checked, provider: railProviderOf(work, checked) })
  if (!named.ok) return fail('INVALID_BANK_ACCOUNT')

  const account = newAccount(work, {
    request: read.request,
    isEeaCustomer,
    verification: named.verification,
  })
  await insertUnlessDuplicate(work, account, checked.duplicateKey)
  await startScreening(work, account)
  const nameCheck = needsNameCheck(work, account) ? placeNameCheck(work, account) : undefined
  return { account, warnings: read.warnings, nameCheck }
}

/** A check that the sandbox leaves pending goes to no provider. */
const needsNameCheck = (work: Work, account: ExternalAccount): boolean =>
  account.beneficiaryVerificationStatus === 'PENDING' &&
  railProviderOf(work, account)?.kind === 'http'

/** An outside provider gets an order by reaction; screening by hand is a job. */
async function startScreening(work: Work, account: ExternalAccount): Promise<void> {
  const { id, currency, accountType } = account
  if (screenerOf(work, account) === 'http') {
    if (!isScreenable(accountType)) return
    await work.react('externalAccounts.created', { externalAccountId: id, currency })
  } else if (account.status === 'PENDING') {
    enqueue(work, screenAccountJob, { externalAccountId: account.id }, { key: account.id })
  }
}

const screenerOf = ({ ports }: Work, { currency }: Pick<ExternalAccount, 'currency'>) =>
  ports.providerOf({ port: 'screening', currency })?.kind

/**
 * Locks the customer's row, so that no account is created while the customer is deleted (EACC-9). Returns whether it is
 * an EEA customer.
 */
async function lockOwner(work: Work, customerId: Id<'customer'> | undefined): Promise<boolean> {
  if (!customerId) return false
  const { region } = await lockCustomer(work, customerId)
  return isScaRegion(region)
}

type NewAccount = Readonly<{
  request: CheckedCreateRequest
  isEeaCustomer: boolean
  verification: NameVerification | undefined
}>

function newAccount(work: Work, { request, isEeaCustomer, verification }: NewAccount) {
  const { travelRule } = work.platform
  const { account: checked, ownershipType } = request
  const { accountType, identifiedBy, identifier } = checked
  const accountInfo = checked.accountInfo as AccountInfo
  const vaspName = accountInfo['vaspName'] as string | undefined
  const account: ExternalAccount = {
    id: newId('externalAccount'),
    customerId: request.customerId ?? null,
    accountType,
    currency: checked.currency,
    status: initialStatus({
      accountType,
      ownershipType,
      vaspName,
      screenedBy: screenerOf(work, checked),
      isEeaCustomer,
      travelRule,
    }),
    platformAccountId: request.platformAccountId ?? null,
    ownershipType: ownershipType ?? null,
    defaultUmaDepositAccount: request.defaultUmaDepositAccount,
    accountInfo,
    identifiedBy,
    paymentRails: checked.paymentRails,
    paymentSuffix: traitsOf(work.platform).hasMagicValues
      ? (paymentSuffix(identifier) ?? null)
      : null,
    invoiceAmount: identifiedBy === 'invoice' ? (invoiceAmountSatoshi(identifier) ?? null) : null,
    beneficiaryVerificationStatus: verification?.beneficiaryVerificationStatus ?? null,
    beneficiaryVerifiedName: verification?.beneficiaryVerifiedData?.fullName ?? null,
    isTrusted: false,
    createdAt: work.now,
    updatedAt: work.now,
    deletedAt: null,
    isOwnerDeleted: false,
  }
  return account
}

/** Waits for equal accounts that other transactions create or delete; each round follows one of them (EACC-10). */
async function insertUnlessDuplicate(
  { tx, platform, keyring, actor }: Work,
  account: ExternalAccount,
  duplicateKey: string,
): Promise<void> {
  const { customerId } = account
  const indexes = duplicateIndexes(keyring, duplicateKey)
  const row = {
    ...account,
    accountInfo: sealInfo(keyring, account),
    duplicateIndex: indexDuplicateKey(keyring, duplicateKey),
    agentId: actor.kind === 'agent' ? actor.agentId : null,
  }
  for (;;) {
    const existing = await findDuplicate(tx, platform.id, { customerId, indexes })
    if (existing) fail('CONFLICT', { externalAccountId: formatId('externalAccount', existing) })
    if (await insertExternalAccount(tx, platform.id, row)) return
  }
}
