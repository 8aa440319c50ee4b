/** Name checks by the provider of an account's rail (PROV-53). */
import { formatId, mustParseId, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { isRemote } from '../../../kernel/ports.ts'
import { bodyValidator } from '../../../infra/http/schema/validate.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  openDecisionConflict,
  openInvalidDecision,
  placeOrder,
  type Order,
  type OrderKind,
} from '../../../orders/index.ts'
import { NameCheckDecision } from '../../../providers/http/messages/decisions.ts'
import { emit } from '../../../webhooks/emit.ts'
import type { ExternalAccount } from '../external-account.ts'
import { orderedAccount } from '../payment/party.ts'
import { railProviderOf } from '../payment/rail-provider.ts'
import { findAnyExternalAccount, lockExternalAccount } from '../records/find-external-account.ts'
import { saveNameCheck } from '../records/store.ts'
import { accountToEvent } from '../wire.ts'
import { nameOf, type BeneficiaryVerificationStatus } from './name-verification.ts'

/** Orders the check of a new account with its commit; the request that creates the account sends the order and waits. */
export function placeNameCheck(work: Work, account: ExternalAccount): Id<'order'> {
  const provider = railProviderOf(work, account)
  invariant(provider && isRemote(provider), 'A name is checked by a provider outside.')
  const subject = formatId('externalAccount', account.id)
  return placeOrder(work, { type: 'NAME_CHECK', provider, subject, isSentByRequest: true })
}

const idIn = ({ subject }: Order): Id<'externalAccount'> =>
  mustParseId('externalAccount', subject ?? '')

const findProblems = bodyValidator(NameCheckDecision)

type Decision = Readonly<{ status: BeneficiaryVerificationStatus; fullName?: string }>

export const nameChecks: OrderKind = {
  types: ['NAME_CHECK'],
  port: 'rails',
  lock: async (work, order) => void (await lockExternalAccount(work, idIn(order))),
  async body(work, order) {
    const account = await findAnyExternalAccount(work, idIn(order))
    invariant(account, 'A deleted account stays for history.')
    const { accountType, accountInfo } = orderedAccount(account)
    return { name: nameOf(account), accountType, accountInfo }
  },
  async onDecided(work, order, decision) {
    const problems = findProblems(decision)
    if (problems.length === 0) return saveResult(work, order, decision as unknown as Decision)
    await saveResult(work, order, { status: 'UNSUPPORTED' })
    return openInvalidDecision(work, order, { stated: decision, breaches: problems })
  },
  async onDecidedAgain(work, order, decision) {
    const account = await lockExternalAccount(work, idIn(order))
    const status = account?.beneficiaryVerificationStatus
    // A decision on a deleted account conflicts with nothing.
    if (!account || status === decision['status']) return { isKnown: true }
    return openDecisionConflict(work, order, { known: { status }, stated: decision })
  },
  onFailed: (work, order) => saveResult(work, order, { status: 'UNSUPPORTED' }),
}

/** Saves the result of a pending check and emits the event, whether or not the creation still waits for it (BVER-4). */
async function saveResult(work: Work, order: Order, { status, fullName }: Decision): Promise<void> {
  const account = await lockExternalAccount(work, idIn(order))
  if (account?.beneficiaryVerificationStatus !== 'PENDING') return
  const name = verifiedName(account, { status, ...(fullName !== undefined && { fullName }) })
  const { id } = account
  saveNameCheck(work.tx, work.platform.id, { id, status, name, at: work.now })
  const named = { beneficiaryVerificationStatus: status, beneficiaryVerifiedName: name }
  const checked = { ...account, ...named, updatedAt: work.now }
  emit(work, 'EXTERNAL_ACCOUNT.STATUS_UPDATED', accountToEvent(checked))
}

/** Only a match has a name (BVER-2). */
function verifiedName(account: ExternalAccount, { status, fullName }: Decision): string | null {
  if (status === 'MATCHED') return fullName ?? nameOf(account)
  return status === 'PARTIAL_MATCH' ? (fullName ?? null) : null
}
