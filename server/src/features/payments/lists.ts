// What statements of lists name, without use-cases and jobs that run (OPER-204).
export { handOverJob, settleTransactionJob } from './rail/steps.ts'
