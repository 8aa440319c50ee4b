/** Sends the approval question and takes the answer. */
export const ASK_JOB = 'uma.ask'
/** A payment under review comes to be asked about. */
export const BEGIN_APPROVAL_JOB = 'uma.beginApproval'
/** Nobody decided in time. */
export const APPROVAL_TIMEOUT_JOB = 'uma.approvalTimeout'
