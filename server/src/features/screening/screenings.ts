import { invariant } from '../../kernel/invariant.ts'
import { bodyValidator } from '../../infra/http/schema/validate.ts'
import type { Work } from '../../infra/work/work.ts'
import { openException, type Order, type OrderKind } from '../../orders/index.ts'
import { DECISIONS } from '../../providers/http/messages/decisions.ts'
import {
  findLatestVerdict,
  insertScreening,
  VERDICTS,
  type Screening,
  type Verdict,
} from './store.ts'
import { subjectOf, type Subject } from './subjects.ts'

const findProblems = bodyValidator(DECISIONS.SCREENING)

const subjectIn = ({ subject }: Order): Subject => {
  invariant(subject, 'A screening has a subject.')
  return subjectOf(subject)
}

/** Questions to a screening provider outside. Without a verdict nothing is ever taken for clear (PROV-109). */
export const screenings: OrderKind = {
  types: ['SCREENING'],
  port: 'screening',
  lock: async (work, order) => void (await subjectIn(order).lock(work)),
  body: (work, order) => subjectIn(order).describe(work),
  async decided(work, order, decision) {
    const problems = findProblems(decision)
    if (problems.length > 0) {
      await subjectIn(order).act(work, 'REVIEW')
      const { id: orderId, providerId, subject } = order
      const details = { stated: decision, breaches: problems }
      const type = 'DECISION_INVALID'
      return { exceptionId: openException(work, { type, orderId, providerId, subject, details }) }
    }
    await take(work, order, decision as unknown as Screening)
    return undefined
  },
  undecided: (work, order) => subjectIn(order).act(work, 'REVIEW'),
  failed: (work, order) => subjectIn(order).act(work, 'REVIEW'),
}

/** A verdict that is worse than the one before acts; a better one lifts nothing by itself (PROV-106). */
async function take(work: Work, order: Order, screening: Screening): Promise<void> {
  const { verdict } = screening
  const before = await findLatestVerdict(work, order.subject ?? '')
  insertScreening(work, order, screening)
  if (before === undefined || rankOf(verdict) > rankOf(before)) {
    await subjectIn(order).act(work, verdict)
  }
}

const rankOf = (verdict: Verdict): number => VERDICTS.indexOf(verdict)
