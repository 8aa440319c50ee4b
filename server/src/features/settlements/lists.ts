// What a list reads, without use-cases and routes: a command loads no more than this (OPER-204).
export { listFailedRefunds, listOpenSettlements, type OpenSettlement } from './store.ts'
