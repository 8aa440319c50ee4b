import type { Work } from '../../infra/work/work.ts'
import type { DecisionOutcome } from '../order-kind.ts'
import type { Order, Statement } from '../order.ts'
import { openException } from './store.ts'

type Both = Readonly<{ known: object; stated: Statement }>

/** A decision that differs from the one that was taken moves nothing: an operator sees both. */
export const decidedOtherwise = (
  work: Work,
  { id: orderId, providerId, subject }: Order,
  details: Both,
): DecisionOutcome => ({
  exceptionId: openException(work, {
    type: 'DECIDED_OTHERWISE',
    orderId,
    providerId,
    subject,
    details,
  }),
})
