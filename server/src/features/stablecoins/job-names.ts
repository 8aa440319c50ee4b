/** Who enqueues a job names it here; who runs it is jobs.ts. */
export const VERIFY_LINK_JOB = 'stablecoins.verify-link'
export const FOLLOW_ISSUANCE_JOB = 'stablecoins.follow-issuance'
export const FOLLOW_OPERATION_JOB = 'stablecoins.follow-operation'
export const EXPIRE_OPERATION_JOB = 'stablecoins.expire-operation'
