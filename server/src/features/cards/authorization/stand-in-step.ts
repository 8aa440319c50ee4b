import { clear, type ClearingFunds } from '../clearing/steps.ts'
import type { Step } from '../transaction/steps.ts'
import { AUTHORIZATION_KINDS } from './decision.ts'
import { approvedTransaction, newCardTransaction, type AuthorizationRequest } from './first-step.ts'

/**
 * An authorization that the provider approved by itself: it stands, whatever the account can pay. A pull that fails is
 * counted, and tried again at clearing; a single message is cleared at once (PROV-116, CTXN-6).
 */
export function standInTransaction(request: AuthorizationRequest, funds: ClearingFunds): Step {
  const { direction, isSingleMessage } = AUTHORIZATION_KINDS[request.kind]
  const { amount } = request
  if (direction === 'CREDIT' || amount <= funds.available)
    return approvedTransaction(request, undefined)
  const unpaid = newCardTransaction(request)
  if (!isSingleMessage) return { transaction: { ...unpaid, pullCount: 1 }, journals: [] }
  const { transaction, journals } = clear(unpaid, { amount }, funds)
  return { transaction: { ...transaction, lastEventAt: null }, journals }
}
