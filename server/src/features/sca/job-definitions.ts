import { Type } from '../../infra/http/schema/type.ts'
import { oneOf } from '../../infra/http/schema/wire-schema.ts'
import { defineJob, jobId, type PayloadOf } from '../../infra/jobs/define-job.ts'
import { SCA_FACTORS } from './factors/factor.ts'

export const sendCodeJob = defineJob(
  'sca.sendCode',
  Type.Object({ challengeId: jobId('scaChallenge') }),
)

const FACTOR_CHANGES = [
  'ENROLLED',
  'REMOVED',
  'PHONE_CHANGED',
  'RESET_STARTED',
  'RESET_COMPLETED',
] as const

export const sendNoticeJob = defineJob(
  'sca.sendNotice',
  Type.Object({
    change: oneOf(FACTOR_CHANGES),
    factor: oneOf(SCA_FACTORS),
    channel: oneOf(['email', 'phone']),
    to: Type.String(),
    at: Type.String(),
  }),
)

/** One notice to one contact. It holds the contact itself, since the customer's may have changed. */
export type Notice = Readonly<PayloadOf<typeof sendNoticeJob>>

export const moveResetJob = defineJob(
  'sca.moveReset',
  Type.Object({ resetId: jobId('scaReset'), move: oneOf(['submit', 'decide', 'expire']) }),
)

export type ResetMove = PayloadOf<typeof moveResetJob>['move']
