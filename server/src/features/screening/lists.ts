// What lists of the operator need, without use-cases and routes (OPER-204).
export { listAlerts } from './alerts/store.ts'
export { listScreenings } from './store.ts'
