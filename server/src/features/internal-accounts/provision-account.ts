import { failNotFound, type Id } from '../../kernel/ids.ts'
import { advance } from '../../kernel/machine.ts'
import type { Work } from '../../infra/work.ts'
import { emit } from '../../webhooks/emit.ts'
import type { FundingAddress, PaymentInstructions } from './funding-instructions.ts'
import { internalAccount } from './machine.ts'
import { insertAddresses, lockAccount, saveProvisioned } from './store.ts'
import { toWire, type WireInternalAccount } from './wire.ts'

/** What a bank reports of an account it was asked to open: how to pay into it, and what it is recognised by. */
export type ProvisionedAccount = Readonly<{
  instructions: readonly PaymentInstructions[]
  addresses: readonly Pick<FundingAddress, 'field' | 'value'>[]
}>

/**
 * Records that the outside bank has opened a PENDING account, which from now on sends and receives.
 * Fails: REFERENCE_NOT_FOUND, INVALID_STATE_TRANSITION.
 */
export async function provisionAccount(
  work: Work,
  id: Id<'internalAccount'>,
  { instructions, addresses }: ProvisionedAccount,
): Promise<WireInternalAccount> {
  const { tx, platform, now } = work
  const account = (await lockAccount(tx, platform.id, id)) ?? failNotFound('internalAccount')
  const status = advance(internalAccount, account.status, 'provision')
  await saveProvisioned(tx, platform.id, { id, status, at: now, instructions })
  const owner = { kind: 'internalAccount', id } as const
  insertAddresses(
    tx,
    platform.id,
    addresses.map((address) => ({ ...address, owner })),
  )
  const provisioned = { ...account, status, fundingInstructions: instructions, updatedAt: now }
  const wire = toWire(provisioned, provisioned)
  emit(work, 'INTERNAL_ACCOUNT.STATUS_UPDATED', wire)
  emit(work, 'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED', wire)
  return wire
}
