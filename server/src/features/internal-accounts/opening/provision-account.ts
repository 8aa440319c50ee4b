import { fail, mustHaveNoErrors } from '../../../kernel/errors.ts'
import { failNotFound, type Id } from '../../../kernel/ids.ts'
import { advance } from '../../../kernel/machine.ts'
import { bodyValidator } from '../../../infra/http/schema/validate.ts'
import type { Work } from '../../../infra/work/work.ts'
import { emit } from '../../../webhooks/emit.ts'
import { changeAccountStatus } from '../record/change-account-status.ts'
import {
  methodsOf,
  REFERENCES,
  uniqueAddresses,
  type FundingAddress,
  type PaymentInstructions,
} from '../funding/instructions.ts'
import type { InternalAccount } from '../record/internal-account.ts'
import { internalAccount } from '../record/machine.ts'
import { referenceOf } from '../funding/sandbox-values/bank-identifiers.ts'
import { seedOf } from '../funding/sandbox-values/seed.ts'
import { PaymentInstructionsSchema } from '../schema.ts'
import { findTakenAddresses, insertAddresses } from '../funding/store.ts'
import { lockAccount, saveProvisioned, type AccountWithBalances } from '../record/store.ts'
import { toWire, type WireInternalAccount } from '../record/wire.ts'

/** How an account is paid into, as the bank that opened it says. */
export type ProvisionedInfo = PaymentInstructions['accountOrWalletInfo']
export type GivenInstruction = Pick<
  PaymentInstructions,
  'accountOrWalletInfo' | 'instructionsNotes'
>

/**
 * Activates a PENDING account that the outside bank has opened. Deposits are recognised by the numbers that the bank
 * reports, or by a reference of our own where the bank has none (IACC-9, IACC-10).
 * Fails: REFERENCE_NOT_FOUND, INVALID_STATE_TRANSITION, INVALID_INPUT, CONFLICT where a number belongs to another owner.
 */
export async function provisionAccount(
  work: Work,
  id: Id<'internalAccount'>,
  infos: readonly ProvisionedInfo[],
): Promise<WireInternalAccount> {
  const { tx, platform } = work
  const account = (await lockAccount(tx, platform.id, id)) ?? failNotFound('internalAccount')
  advance(internalAccount, account.status, 'provision')
  const given = infos.map((accountOrWalletInfo) => ({ accountOrWalletInfo }))
  return activateAccount(work, account, await checkInstructions(work, account, given))
}

export type CheckedInstructions = Readonly<{
  instructions: readonly PaymentInstructions[]
  addresses: readonly FundingAddress[]
}>

const findProblems = bodyValidator(PaymentInstructionsSchema)

/** Fails: INVALID_INPUT, CONFLICT where a number belongs to another owner. Nothing is written. */
export async function checkInstructions(
  { tx }: Work,
  account: InternalAccount,
  given: readonly GivenInstruction[],
): Promise<CheckedInstructions> {
  const instructions = given.map((one) => toInstructions(account, one))
  const errors = instructions.flatMap(findProblems)
  mustHaveNoErrors(errors)
  const addresses = uniqueAddresses(
    { kind: 'internalAccount', id: account.id },
    instructions.map(({ accountOrWalletInfo }) => accountOrWalletInfo),
  )
  const [taken] = await findTakenAddresses(tx, addresses)
  if (taken) fail('CONFLICT', taken)
  return { instructions, addresses }
}

/** The caller holds the lock of the account, which is PENDING. */
export async function activateAccount(
  work: Work,
  account: AccountWithBalances,
  { instructions, addresses }: CheckedInstructions,
): Promise<WireInternalAccount> {
  const { tx, platform, now } = work
  const { id } = account
  const status = advance(internalAccount, account.status, 'provision')
  await saveProvisioned(tx, platform.id, { id, status, at: now, instructions })
  insertAddresses(tx, platform.id, addresses)
  const provisioned = { ...account, status, fundingInstructions: instructions, updatedAt: now }
  const wire = toWire(provisioned, provisioned)
  emit(work, 'INTERNAL_ACCOUNT.STATUS_UPDATED', wire)
  emit(work, 'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED', wire)
  return wire
}

/** Records that the bank refused to open the account, which stays unusable. Fails: REFERENCE_NOT_FOUND, INVALID_STATE_TRANSITION. */
export async function markProvisioningFailed(
  work: Work,
  id: Id<'internalAccount'>,
): Promise<WireInternalAccount> {
  const account = await changeAccountStatus(work, id, 'markProvisioningFailed')
  return toWire(account, account)
}

export function toInstructions(
  { id, currency, customerId }: InternalAccount,
  { accountOrWalletInfo: info, instructionsNotes }: GivenInstruction,
): PaymentInstructions {
  const method = methodsOf(currency).find(({ accountType }) => accountType === info.accountType)
  const seed = seedOf({ ownerId: id, attempt: 0 })
  const reference = referenceOf(seed('reference'), REFERENCES.internalAccount)
  return {
    ...(instructionsNotes !== undefined && { instructionsNotes }),
    isPlatformAccount: customerId === null,
    accountOrWalletInfo: { ...(method?.hasReference && { reference }), ...info },
  }
}
