import { invariant } from '../../kernel/invariant.ts'
import { bodyValidator } from '../../infra/http/schema/validate.ts'
import type { Work } from '../../infra/work/work.ts'
import {
  openDecisionConflict,
  openInvalidDecision,
  type DecisionOutcome,
  type Order,
  type OrderKind,
  type Statement,
} from '../../orders/index.ts'
import { DECISIONS } from '../../providers/http/messages/decisions.ts'
import {
  findLatestVerdict,
  findVerdictOf,
  saveScreening,
  VERDICTS,
  type Screening,
  type Verdict,
} from './store.ts'
import type { SubjectKind } from './subjects/subject.ts'

const findProblems = bodyValidator(DECISIONS.SCREENING)

const UNDECIDED = { verdict: 'REVIEW', matches: [] } as const

/** Questions to a screening provider outside. Without a verdict nothing is ever taken for clear (PROV-109). */
export function screeningsOf(subjects: readonly SubjectKind[]): OrderKind {
  const kindOf = (order: Order): SubjectKind => {
    const kind = subjects.find(({ covers }) => covers(order))
    invariant(kind, 'An order of this kind is about something that is screened.')
    return kind
  }
  const review = (work: Work, order: Order) => kindOf(order).act(work, order, UNDECIDED)
  return {
    types: ['SCREENING'],
    port: 'screening',
    lock: async (work, order) => void (await kindOf(order).lock(work, order)),
    body: (work, order) => kindOf(order).describe(work, order),
    async onDecided(work, order, decision) {
      const invalid = openIfInvalid(work, order, decision)
      if (invalid) await review(work, order)
      else await take(work, order, { kind: kindOf(order), found: decision as unknown as Screening })
      return invalid
    },
    async onDecidedAgain(work, order, decision) {
      const invalid = openIfInvalid(work, order, decision)
      if (invalid) return invalid
      const found = decision as unknown as Screening
      const verdict = (await findVerdictOf(work, order)) ?? UNDECIDED.verdict
      if (found.verdict === verdict) return { isKnown: true }
      // A payment that was let go is not stopped any more.
      const isGone = verdict === 'CLEAR' && order.request['direction'] !== undefined
      if (isGone || rankOf(found.verdict) < rankOf(verdict)) {
        return openDecisionConflict(work, order, { known: { verdict }, stated: decision })
      }
      await take(work, order, { kind: kindOf(order), found })
      return undefined
    },
    onUndecided: review,
    onFailed: review,
    onReviewed: async (work, order, as) => kindOf(order).reviewed?.(work, order, as),
  }
}

function openIfInvalid(work: Work, order: Order, stated: Statement): DecisionOutcome | undefined {
  const breaches = findProblems(stated)
  return breaches.length > 0 ? openInvalidDecision(work, order, { stated, breaches }) : undefined
}

type Taking = Readonly<{ kind: SubjectKind; found: Screening }>

/** Of a repeated screening only a verdict that is worse than the one before acts (PROV-106). */
async function take(work: Work, order: Order, { kind, found }: Taking): Promise<void> {
  const { verdict, matches } = found
  const decided = await findLatestVerdict(work, order.subject ?? '')
  // Past its window it counted as REVIEW (PROV-109).
  const isLate = order.expiresAt !== null && work.now >= order.expiresAt
  const before = decided ?? (isLate ? 'REVIEW' : undefined)
  saveScreening(work, order, found)
  const isRepeated = order.request['isRepeated'] === true && before !== undefined
  const isNoWorse = isRepeated && rankOf(verdict) <= rankOf(before)
  if (verdict === 'CLEAR' || !isNoWorse) await kind.act(work, order, { verdict, matches, before })
}

const rankOf = (verdict: Verdict): number => VERDICTS.indexOf(verdict)
