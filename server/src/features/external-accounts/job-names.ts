/** Work that is done later; who does it is in jobs.ts. */
export const SCREENING_JOB = 'externalAccounts.screen'
export const LIVENESS_JOB = 'externalAccounts.passLiveness'
