// What lists of the operator need, without use-cases and routes (OPER-204).
export { listFailedRefunds, listOpenSettlements, type OpenSettlement } from './store.ts'
