// data table
/** The resolutions that each type of exception allows (PROV-70). */
export const RESOLUTIONS = {
  OUTCOME_UNKNOWN: ['SETTLED', 'FAILED', 'IGNORED'],
  OVERDUE: ['SETTLED', 'FAILED', 'IGNORED'],
  REPORT_GAP: ['SETTLED', 'FAILED', 'IGNORED'],
  SETTLED_AFTER_FAILED: ['SETTLED', 'FAILED', 'IGNORED'],
  FAILED_AFTER_SETTLED: ['SETTLED', 'FAILED', 'IGNORED'],
  AMOUNT_MISMATCH: ['SETTLED', 'FAILED', 'IGNORED'],
  SEQUENCE_REUSED: ['SETTLED', 'FAILED', 'IGNORED'],
  REFERENCE_CHANGED: ['SETTLED', 'FAILED', 'IGNORED'],
  PROOF_MISSING: ['SETTLED', 'FAILED', 'IGNORED'],
  RETURN_EXCEEDS: ['RETURNED', 'IGNORED'],
  RETURN_NOT_CREDITED: ['RETURNED', 'IGNORED'],
  UNREPORTED_RETURN: ['RETURNED', 'IGNORED'],
  SCREENING_REVIEW: ['RELEASED', 'REFUSED'],
  PRICE_JUMP: ['SETTLED', 'IGNORED'],
  INVALID_ORDER: ['IGNORED'],
  RETURN_FAILED: ['IGNORED'],
  PULL_RETURNED: ['IGNORED'],
  DEPOSIT_CHANGED: ['IGNORED'],
  INSTRUCTION_INVALID: ['IGNORED'],
  DECISION_INVALID: ['IGNORED'],
  DECIDED_OTHERWISE: ['IGNORED'],
  STATE_REFUSED: ['IGNORED'],
  CARD_NUMBER_SENT: ['IGNORED'],
  AUTHORIZATION_CHANGED: ['IGNORED'],
  EVENT_NOT_BOOKABLE: ['IGNORED'],
} as const

export type ExceptionType = keyof typeof RESOLUTIONS
export type Resolution = (typeof RESOLUTIONS)[ExceptionType][number]

/** While one of these is open, further reports about its order wait (PROV-68). */
export const CONTRADICTIONS = [
  'SETTLED_AFTER_FAILED',
  'FAILED_AFTER_SETTLED',
  'AMOUNT_MISMATCH',
  'RETURN_EXCEEDS',
  'RETURN_NOT_CREDITED',
  'SEQUENCE_REUSED',
  'REFERENCE_CHANGED',
  'PROOF_MISSING',
] as const satisfies readonly ExceptionType[]
export type ContradictionType = (typeof CONTRADICTIONS)[number]

/** These are resolved automatically by a report (PROV-71). */
export const CLOSED_BY_REPORT = [
  'OUTCOME_UNKNOWN',
  'OVERDUE',
  'REPORT_GAP',
] as const satisfies readonly ExceptionType[]
