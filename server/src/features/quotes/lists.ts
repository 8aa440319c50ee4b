// What lists of the operator need, without use-cases and routes (OPER-204).
export { QUOTE_STATUSES } from './record/machine.ts'
export { quoteStatusOf } from './record/quote.ts'
export { quoteStatusAt } from './record/rules.ts'
