import { Type } from '../../infra/http/schema/type.ts'
import { defineJob, jobId } from '../../infra/jobs/define-job.ts'

const payment = Type.Object({ transactionId: jobId('transaction') })

/** Sends the approval question and takes the answer. */
export const askPlatformJob = defineJob(
  'uma.ask',
  Type.Object({ transactionId: jobId('transaction'), eventId: jobId('webhook') }),
)
/** A payment under review comes to be asked about. */
export const beginApprovalJob = defineJob('uma.beginApproval', payment)
/** Nobody decided in time. */
export const approvalTimeoutJob = defineJob('uma.approvalTimeout', payment)
