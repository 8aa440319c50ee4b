/** Work that is done later; who does it is in jobs.ts. */
export const SEND_CODE_JOB = 'sca.sendCode'
export const SEND_NOTICE_JOB = 'sca.sendNotice'
export const MOVE_RESET_JOB = 'sca.moveReset'
