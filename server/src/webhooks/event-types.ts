/** Every event type of the interface (chapter 43, A5) and when it is sent. A type not listed cannot be emitted. */
export const EVENTS = {
  'CUSTOMER.KYC_PENDING': 'A person was submitted for review.',
  'CUSTOMER.KYC_APPROVED': 'A person is verified.',
  'CUSTOMER.KYC_REJECTED': 'A person was rejected, for good.',
  'CUSTOMER.KYB_PENDING': 'A company was submitted for review.',
  'CUSTOMER.KYB_APPROVED': 'A company is verified.',
  'CUSTOMER.KYB_REJECTED': 'A company was rejected, for good.',
  'VERIFICATION.IN_PROGRESS': 'A submission was complete and is being checked.',
  'VERIFICATION.RESOLVE_ERRORS': 'Something is missing or wrong; `errors` says what.',
  'VERIFICATION.PENDING_MANUAL_REVIEW': 'A person has to look at the submission.',
  'VERIFICATION.APPROVED': 'The verification ended well.',
  'VERIFICATION.REJECTED': 'The verification ended in a rejection.',
  'VERIFICATION.READY_FOR_VERIFICATION': 'Reserved; no status leads to it.',
  'OUTGOING_PAYMENT.PENDING': 'A quote or a transfer out was created.',
  'OUTGOING_PAYMENT.PENDING_AUTHORIZATION': 'A payment waits for strong customer authentication.',
  'OUTGOING_PAYMENT.PROCESSING': 'The money has left its account and is on its way.',
  'OUTGOING_PAYMENT.COMPLETED': 'The money has arrived.',
  'OUTGOING_PAYMENT.FAILED': 'The payment did not go through; `failureReason` says why.',
  'OUTGOING_PAYMENT.EXPIRED':
    'A quote was neither executed nor funded in time, or its customer was deleted.',
  'OUTGOING_PAYMENT.REFUND_PENDING': 'The money of a failed payment is on its way back.',
  'OUTGOING_PAYMENT.REFUND_COMPLETED': 'The money of a failed payment is back.',
  'OUTGOING_PAYMENT.REFUND_FAILED': 'The way back failed too; the operator has to act.',
  'INCOMING_PAYMENT.PENDING':
    'A UMA payment asks for approval; or a deposit is held for review, and the answer does not matter.',
  'INCOMING_PAYMENT.COMPLETED': 'Money has arrived on an internal account.',
  'INCOMING_PAYMENT.FAILED': 'An incoming payment was refused or fell through.',
  'INCOMING_PAYMENT.REFUND_PENDING': 'An incoming payment is being sent back.',
  'INCOMING_PAYMENT.REFUND_COMPLETED': 'An incoming payment was sent back.',
  'INCOMING_PAYMENT.REFUND_FAILED': 'An incoming payment could not be sent back.',
  'INTERNAL_ACCOUNT.BALANCE_UPDATED': 'A balance changed; one event per account and commit.',
  'INTERNAL_ACCOUNT.STATUS_UPDATED': 'An internal account was opened, frozen, released or closed.',
  'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED': 'The account is paid into in another way now.',
  'EXTERNAL_ACCOUNT.STATUS_UPDATED':
    'The status of an external account, or a late answer about its holder’s name, changed.',
  'CARD.STATE_CHANGE': 'A card was provisioned, frozen, unfrozen, closed or refused.',
  'CARD.FUNDING_SOURCE_CHANGE': 'A card draws on another account now.',
  'CARD_TRANSACTION.AUTHORIZED': 'A merchant was promised money.',
  'CARD_TRANSACTION.PARTIALLY_SETTLED': 'A part of the promise was taken.',
  'CARD_TRANSACTION.SETTLED': 'The merchant has its money.',
  'CARD_TRANSACTION.REFUNDED': 'The merchant gave money back.',
  'CARD_TRANSACTION.EXCEPTION': 'More was taken than the account could cover.',
  'CARD_TRANSACTION.DECLINED': 'A merchant was refused; `declineReason` says why.',
  'AGENT_ACTION.PENDING_APPROVAL': 'An agent wants to do what its policy leaves to the platform.',
  'INVITATION.CLAIMED': 'Somebody took up an invitation.',
  'BULK_UPLOAD.COMPLETED': 'A CSV import has ended; at least one row succeeded.',
  'BULK_UPLOAD.FAILED': 'No row of a CSV import succeeded, or its file could not be read.',
  TEST: 'Sent on demand, to see whether webhooks arrive.',
} as const

export type EventType = keyof typeof EVENTS

export const EVENT_TYPES = Object.keys(EVENTS) as EventType[]

/** The resource that is the data of a type, by the beginning of its name. */
const DATA: readonly (readonly [beginning: string, schema: string])[] = [
  ['CUSTOMER.KYC_', 'IndividualCustomer'],
  ['CUSTOMER.KYB_', 'BusinessCustomer'],
  ['VERIFICATION.', 'Verification'],
  ['OUTGOING_PAYMENT.', 'OutgoingTransaction'],
  ['INCOMING_PAYMENT.', 'IncomingPaymentWebhookData'],
  ['INTERNAL_ACCOUNT.', 'InternalAccount'],
  ['EXTERNAL_ACCOUNT.', 'ExternalAccount'],
  ['CARD.', 'Card'],
  ['CARD_TRANSACTION.', 'CardTransaction'],
  ['AGENT_ACTION.', 'AgentAction'],
  ['INVITATION.', 'UmaInvitation'],
  ['BULK_UPLOAD.', 'BulkCustomerImportJob'],
]

/** Undefined for TEST, whose data is empty. */
export const dataSchemaOf = (type: EventType): string | undefined =>
  DATA.find(([beginning]) => type.startsWith(beginning))?.[1]
