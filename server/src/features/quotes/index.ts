// For agents
export { EXECUTION_ERRORS, GATE_ERRORS, UMA_ERRORS } from './gate-errors.ts'
export { createQuote } from './creation/create-quote.ts'
export {
  executeQuote,
  failUnsigned,
  mustBeExecutable,
  type ExecuteInput,
  type Execution,
} from './execution/execute-quote.ts'
export { quoteErrors, commandOf } from './creation/command.ts'
export { QUOTE_STATUSES } from './record/machine.ts'
export { quoteIdOf, quoteStatusOf, transactionIdOf } from './record/quote.ts'
export { readQuote, showQuote, showQuotes } from './record/read-quote.ts'
export { lookUpReceiver } from './creation/look-up-receiver.ts'
export { QuoteRequestSchema, QuoteSchema } from './record/schema.ts'
export { listQuotes } from './record/store.ts'
export { quoteToWire, type WireQuote } from './record/wire.ts'
export type { PricedQuote } from './creation/context.ts'

export { endAuthorizationsOfCustomer } from './authorization/end-authorization.ts'
export {
  endQuote,
  expireQuote,
  expireQuotesOfCustomer,
  lockQuotesOfCustomer,
} from './execution/expire-quote.ts'
export { fundQuote } from './funding/fund-quote.ts'
export { findLateFunds, type LateFunds } from './funding/late-funds.ts'
export { jobs } from './jobs.ts'
export { routes } from './routes.ts'
