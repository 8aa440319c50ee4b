import type { FieldError } from '../../kernel/errors.ts'
import type { Work } from '../../infra/work/work.ts'
import type { DecisionOutcome } from '../order-kind.ts'
import type { Order, Statement } from '../order.ts'
import { openException, type NewException } from './store.ts'

/** Opens an exception that shows an operator both decisions; the later one has no other effect. */
export const openDecisionConflict = (
  work: Work,
  order: Order,
  details: Readonly<{ known: object; stated: Statement }>,
): DecisionOutcome => open(work, order, { type: 'DECIDED_OTHERWISE', details })

/** Opens an exception for a decision that cannot be applied. */
export const openInvalidDecision = (
  work: Work,
  order: Order,
  details: Readonly<{ stated: unknown; breaches?: readonly FieldError[] }>,
): DecisionOutcome => open(work, order, { type: 'DECISION_INVALID', details })

const open = (
  work: Work,
  { id: orderId, providerId, subject }: Order,
  exception: Pick<NewException, 'type' | 'details'>,
): DecisionOutcome => ({
  exceptionId: openException(work, { ...exception, orderId, providerId, subject }),
})
