import type { Work } from '../../infra/work/work.ts'
import type { DecisionOutcome } from '../order-kind.ts'
import type { Order, Statement } from '../order.ts'
import { openException } from './store.ts'

/** Opens an exception that shows an operator both decisions; the later one has no other effect. */
export const openDecisionConflict = (
  work: Work,
  { id: orderId, providerId, subject }: Order,
  details: Readonly<{ known: object; stated: Statement }>,
): DecisionOutcome => ({
  exceptionId: openException(work, {
    type: 'DECIDED_OTHERWISE',
    orderId,
    providerId,
    subject,
    details,
  }),
})
