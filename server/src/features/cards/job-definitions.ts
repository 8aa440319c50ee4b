import { Type } from '../../infra/http/schema/type.ts'
import { defineJob, jobId } from '../../infra/jobs/define-job.ts'

const card = Type.Object({ cardId: jobId('card') })
const cardTransaction = Type.Object({ cardTransactionId: jobId('cardTransaction') })

export const provisionCardJob = defineJob('cards.provision', card)
export const expireCardJob = defineJob('cards.expire', card)
export const confirmPullJob = defineJob('cards.confirmPull', cardTransaction)
export const endAuthorizationJob = defineJob('cards.endAuthorization', cardTransaction)
export const applyEventJob = defineJob(
  'cards.applyEvent',
  Type.Object({ providerId: jobId('provider'), eventId: Type.String() }),
)
