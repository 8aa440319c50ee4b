// What a list reads, without use-cases and routes: a command loads no more than this (OPER-204).
export { listAlerts } from './alerts/store.ts'
export { listScreenings } from './store.ts'
