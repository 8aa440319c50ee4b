// What a list reads, without use-cases and routes: a command loads no more than this (OPER-204).
export { QUOTE_STATUSES } from './record/machine.ts'
export { quoteStatusOf } from './record/quote.ts'
export { quoteStatusAt } from './record/rules.ts'
