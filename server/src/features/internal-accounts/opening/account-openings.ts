/** Accounts that a provider outside opens (PROV-86). */
import { ApiError } from '../../../kernel/errors.ts'
import { formatId, mustParseId } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { isRemote } from '../../../kernel/ports.ts'
import { requestValidator } from '../../../infra/http/schema/validate.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  openDecisionConflict,
  digestOf,
  openException,
  placeOrder,
  type Order,
  type OrderKind,
  type Statement,
} from '../../../orders/index.ts'
import { AccountOpeningDecision } from '../../../providers/http/messages/decisions.ts'
import { displayName, findCustomer, partyOfCustomer } from '../../customers/index.ts'
import { accountHolderName } from '../funding/instructions.ts'
import type { InternalAccount } from '../record/internal-account.ts'
import { lockAccount, type AccountWithBalances } from '../record/store.ts'
import {
  activateAccount,
  checkInstructions,
  markProvisioningFailed,
  toInstructions,
  type CheckedInstructions,
  type GivenInstruction,
} from './provision-account.ts'

/** Asks the provider of the currency to open a new account, with the commit; the operator opens those of no provider. */
export function orderOpening(work: Work, { id, currency }: InternalAccount): void {
  const provider = work.ports.providerOf({ port: 'deposits', currency })
  if (!provider || !isRemote(provider)) return
  const subject = formatId('internalAccount', id)
  placeOrder(work, { type: 'ACCOUNT_OPENING', provider, subject, request: { currency } })
}

async function accountOf({ tx, platform }: Work, { subject }: Order): Promise<AccountWithBalances> {
  const account = await lockAccount(tx, platform.id, mustParseId('internalAccount', subject ?? ''))
  invariant(account, 'An internal account is never gone.')
  return account
}

type Opening = Readonly<
  | { decision: 'OPENED'; instructions: readonly GivenInstruction[] }
  | { decision: 'REFUSED'; reason: string }
>

const findProblems = requestValidator(AccountOpeningDecision)

export const accountOpenings: OrderKind = {
  types: ['ACCOUNT_OPENING'],
  port: 'deposits',
  lock: async (work, order) => void (await accountOf(work, order)),
  async body(work, order) {
    const { platform, settings } = work
    const { id, currency, customerId } = await accountOf(work, order)
    const customer = customerId ? await findCustomer(work, customerId) : undefined
    const name = customer ? displayName(customer) : platform.name
    return {
      accountId: formatId('internalAccount', id),
      currency,
      holder: customer ? partyOfCustomer(customer) : { type: 'BUSINESS', name },
      holderName: accountHolderName(settings.legalName, name),
      isPlatformAccount: customerId === null,
    }
  },
  onDecided: decide,
  async onDecidedAgain(work, order, decision) {
    const account = await accountOf(work, order)
    const { status, fundingInstructions: instructions } = account
    // Where no decision could be taken, a better one still is.
    if (status === 'PENDING' || findProblems(decision).length > 0) {
      return decide(work, order, decision)
    }
    const stated = decision as unknown as Opening
    const isEqual =
      stated.decision === 'REFUSED'
        ? status === 'FAILED'
        : digestOf(stated.instructions.map((one) => toInstructions(account, one))).equals(
            digestOf(instructions),
          )
    if (isEqual) return { isKnown: true }
    return openDecisionConflict(work, order, { known: { status, instructions }, stated: decision })
  },
  async onFailed(work, order) {
    const account = await accountOf(work, order)
    if (account.status === 'PENDING') await markProvisioningFailed(work, account.id)
  },
}

async function decide(work: Work, order: Order, decision: Statement): Promise<void> {
  const account = await accountOf(work, order)
  // An operator has opened it, or its customer is gone.
  if (account.status !== 'PENDING') return
  const errors = findProblems(decision)
  const opening = decision as unknown as Opening
  if (errors.length > 0) refuseInstructions(work, order, { decision, errors })
  else if (opening.decision === 'REFUSED') await markProvisioningFailed(work, account.id)
  else await open(work, order, { account, instructions: opening.instructions })
}

type ToOpen = Readonly<{
  account: AccountWithBalances
  instructions: readonly GivenInstruction[]
}>

async function open(work: Work, order: Order, { account, instructions }: ToOpen): Promise<void> {
  let checked: CheckedInstructions
  try {
    checked = await checkInstructions(work, account, instructions)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, details } = error
    return refuseInstructions(work, order, { instructions, code, details })
  }
  await activateAccount(work, account, checked)
}

/** The account stays PENDING until an operator has cleared it up. */
function refuseInstructions(
  work: Work,
  { id: orderId, providerId, subject }: Order,
  details: Readonly<Record<string, unknown>>,
): void {
  openException(work, { type: 'INSTRUCTION_INVALID', providerId, orderId, subject, details })
}
