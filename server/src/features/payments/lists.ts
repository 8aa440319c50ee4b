// What statements of lists name, without use-cases and jobs that run (OPER-204).
export { hasCarrier, isWithReceiver } from './rail/store.ts'
