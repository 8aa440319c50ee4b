import type { Id } from '../../kernel/ids.ts'
import type { JobHandlers } from '../../infra/jobs/job-handler.ts'
import type { CardReport } from '../../providers/card-issuer.ts'
import { expireCard } from './record/close-card.ts'
import { endAuthorization, settlePendingPull } from './transaction/follow-card-transaction.ts'
import { CONFIRM_PULL, END_AUTHORIZATION, EXPIRE_CARD, PROVISION_CARD } from './job-names.ts'
import { requestCard, settleCard } from './issuance/provision-card.ts'

const cardOf = (payload: unknown): Id<'card'> => (payload as { cardId: Id<'card'> }).cardId

const transactionOf = (payload: unknown): Id<'cardTransaction'> =>
  (payload as { cardTransactionId: Id<'cardTransaction'> }).cardTransactionId

export const cardJobs: JobHandlers = {
  [PROVISION_CARD]: {
    call: ({ db }, platform, { payload, dueAt }) =>
      requestCard({ tx: db.read, platform }, { cardId: cardOf(payload), at: dueAt }),
    settle: (work, { payload }, answer) => settleCard(work, cardOf(payload), answer as CardReport),
  },
  [EXPIRE_CARD]: { run: (work, { payload }) => expireCard(work, cardOf(payload)) },
  [CONFIRM_PULL]: { run: (work, { payload }) => settlePendingPull(work, transactionOf(payload)) },
  [END_AUTHORIZATION]: {
    run: (work, { payload }) => endAuthorization(work, transactionOf(payload)),
  },
}
