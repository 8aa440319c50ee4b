// data table
/** Findings of tools/sql/check-sql.ts that are none, by function and argument or column, and why. */
const BOOK =
  'the one statement that writes a book; insertJournals, which makes it, is checked by itself'
const QUEUED = 'hands on what was queued by calls that are checked'
const BRANDED = 'the statement itself gives the attempt its brand'

export const ACCEPTED_STATEMENTS: Readonly<Record<string, string>> = {
  'writeRows: written': BOOK,
  'queueWrites: written': BOOK,
  'newAttempt: query': QUEUED,
  'rejectPending: query': QUEUED,
  'holdDueAttempts: wireBrand': BRANDED,
  'holdFirstAttempt: wireBrand': BRANDED,
  'holdAskedAttempt: wireBrand': BRANDED,
  'findEnded: url': 'an attempt that was made has one (event_attempts_check)',
  'listCardExceptions: shortfallCause': 'a shortfall has a cause (card_transactions_shortfall)',
  'listPersonalRows: sql':
    'asks each table for columns of its own; export-customer.test.ts runs it on all of them',
  'withOwnQueue: query': QUEUED,
  'rowsOf: sql': 'one of a list of tables; resource-store.test.ts asks each of them',
}
