import type { Id } from '../../kernel/ids.ts'
import type { JobHandlers } from '../../infra/jobs/job-handler.ts'
import type { CardReport } from '../../providers/card-issuer.ts'
import { PROVISION_CARD } from './job-names.ts'
import { askForCard, settleCard } from './provision-card.ts'

const cardOf = (payload: unknown): Id<'card'> => (payload as { cardId: Id<'card'> }).cardId

export const cardJobs: JobHandlers = {
  [PROVISION_CARD]: {
    call: ({ db }, platform, { payload, dueAt }) =>
      askForCard({ tx: db.read, platform }, { cardId: cardOf(payload), at: dueAt }),
    settle: (work, { payload }, answer) => settleCard(work, cardOf(payload), answer as CardReport),
  },
}
