/** The values of `details.reason`, by error code: callers decide by them where the code is not enough. */
import type { ErrorCode } from '../../../../kernel/error-catalogue.ts'

export type Reasons = Readonly<Partial<Record<ErrorCode, Readonly<Record<string, string>>>>>

/** Answers of the API. */
export const REASONS: Reasons = {
  INVALID_INPUT: {
    CHALLENGE_EXPIRED: 'The challenge is over; start again.',
    DEVICE_CODE_ALREADY_REDEEMED: 'The device code was redeemed before; issue another.',
    DEVICE_CODE_EXPIRED: 'The device code is over; issue another.',
    EXPIRED_CODE: 'The code is over; send another.',
    INVALID_CODE: 'The code is wrong; `attemptsLeft` says how often it may be tried again.',
    INVALID_PROOF:
      'The code or passkey is wrong; `attemptsLeft`, or `failedAttempts` and `lockedUntil`, say more.',
    INVITATION_EXPIRED: 'The invitation is over; create another.',
    NO_CODE_SENT: 'No code was sent to this channel, or it has changed since; send one first.',
    NOT_COMPLETED: 'The transaction is not completed yet.',
    RAIL_NOT_CANCELLABLE: 'A payment on this rail cannot be cancelled.',
    REALTIME_FUNDING: 'The quote executes itself when its funds arrive.',
    TOO_MANY_ATTEMPTS: 'Too many wrong codes; send another.',
    VERIFICATION_FINAL: 'The verification is decided, see `status`.',
  },
  INVALID_BANK_ACCOUNT: {
    NOT_PULLABLE: 'Money cannot be collected from this account; choose another source.',
  },
  FORBIDDEN: {
    ACCOUNT_NOT_ALLOWED: 'The agent’s policy does not allow this account.',
    AGENT_PAUSED: 'The agent is paused.',
    CROSS_SITE: 'The call came from a page of another site.',
    DAILY_LIMIT_EXCEEDED: 'The amount is beyond what the agent may still spend today.',
    DAILY_TRANSACTION_LIMIT_EXCEEDED: 'The agent has made as many payments today as it may.',
    MONTHLY_LIMIT_EXCEEDED: 'The amount is beyond what the agent may still spend this month.',
    NOT_THE_INVITING_PLATFORM: 'Only the platform that created the invitation may cancel it.',
    PER_TRANSACTION_LIMIT_EXCEEDED: 'The amount is beyond what the agent may spend at once.',
    PERMISSION_MISSING: 'The agent lacks `requiredPermission`.',
    SANDBOX_ONLY: 'The operation exists in sandbox only.',
  },
  SCA_SESSION_REQUIRED: {
    FRESH_LOGIN_REQUIRED: 'This needs a login of the last minutes; log the customer in again.',
  },
  CONFLICT: {
    AGENT_CONNECTED: 'The agent is connected; disconnect it before it gets a new device code.',
    ALREADY_VERIFIED: 'The channel is verified.',
    CARD_NOT_REVEALABLE: 'The number of this card cannot be shown in its present state.',
    CONTACT_CHANGED: 'The contact has changed since the request was made; start again.',
    CONTACT_NOT_VERIFIED: 'The contact channels in `channels` have to be verified first.',
    DECIDED: 'The verification is decided; nothing more can be handed in.',
    DESTINATION_DELETED: 'The receiving account was deleted.',
    KEY_ACTIVE: 'An active key exists; revoke it first.',
    NO_CODE_SENT: 'No code is sent for this factor.',
    NO_SCA_FACTOR: 'The customer has no such factor; enrol one first.',
    NOT_REQUIRED: 'The channel needs no verification.',
    PASSKEY_ORIGINS_NOT_CONFIGURED: 'The operator has to name the origins of passkeys first.',
    PENDING_APPROVAL: 'The action waits for approval.',
    PLATFORM_CUSTOMER_ID_TAKEN: 'Another customer has this `platformCustomerId`.',
    SCA_NOT_REQUIRED: 'The customer is not subject to strong authentication.',
    SCA_REQUIRED: 'The payment needs the customer’s strong authentication.',
    SOURCE_DELETED: 'The paying account was deleted.',
    TOTP_ALREADY_ENROLLED: 'An authenticator app is enrolled already.',
    UNDER_REVIEW: 'The verification is under review; nothing can be handed in meanwhile.',
  },
  RATE_LIMITED: {
    TOO_MANY_STREAMS: 'As many streams are open as there may be; close one.',
  },
  SERVICE_UNAVAILABLE: {
    CLOCK_IS_MOVING: 'Another call is moving the clock.',
  },
}

/** Answers to operators, on the command line too, and to providers. */
export const OPERATOR_REASONS: Reasons = {
  INVALID_INPUT: {
    ERRORS_REQUIRED: 'A review is returned with at least one entry.',
  },
  UNAUTHORIZED: {
    SIGN_IN_AGAIN: 'This needs a sign-in of the last 15 minutes.',
  },
  FORBIDDEN: {
    MACHINE_TOKEN: 'A machine token never approves.',
    NOT_SIGNED_IN: 'A personal token is made by an operator who is signed in.',
    PLATFORM_SCOPE: 'The operator is limited to platforms, and this concerns others.',
    PORT_NOT_GRANTED: 'The provider was not given the port of this message.',
    SAME_OPERATOR: 'Another operator has to decide.',
    SANDBOX_ONLY: 'The command is for sandbox platforms.',
  },
  CONFLICT: {
    ALREADY_SENT: 'The order was sent; it cannot go to another provider.',
    AWAITS_RECEIVER: 'The receiver has not answered yet.',
    CARD_CLOSED: 'The card is closed.',
    DUPLICATE_REFERENCE: 'Another return has this reference.',
    ENDED: 'The payment is over.',
    ERASED: 'The customer was erased at `erasedAt`.',
    FUNDING_AMOUNT_MISMATCH: 'What came in is not the amount that was asked for.',
    FUNDING_SOURCE_NOT_AUTHORIZED: 'The card has no active key for the wallet.',
    FUNDING_SOURCE_UNAVAILABLE: 'The account of the card is not active.',
    HELD_BY_PROVIDER: 'A provider has an open order about it.',
    INVOICE_SPENT: 'The invoice was paid before.',
    IS_GIVEN_BACK: 'The money is on its way back.',
    LAST_ADMIN: 'One active administrator of the whole installation has to remain.',
    LEGAL_HOLD: 'The customer’s data is on legal hold.',
    MESSAGE_ID_REUSED: 'The message id was used for another message.',
    NAME_TAKEN: 'Another operator has this name.',
    NEVER_SENT: 'The order was never sent, so there is nothing to ask for.',
    NO_PLATFORM_ACCOUNT: 'The platform has no active account in this currency.',
    NO_SHORTFALL: 'Nothing is owed for this card payment.',
    NOT_DELETED: 'The customer is neither deleted nor rejected.',
    NOT_RETURNABLE: 'The balance belongs to a customer who can use it.',
    NOTHING_TO_RETURN: 'The balance is zero.',
    OPEN_MATTERS: 'Something of the customer is open, see `reasons`.',
    PORT_NOT_GRANTED: 'The provider was not given the port of the order.',
    PROPOSAL_STALE: 'What the proposal is about has changed since.',
    RESOLVED_ALREADY: 'The exception is resolved.',
    RETENTION_PERIOD: 'The data has to be kept until `until`.',
    VERSION_EXISTS: 'Terms of this version were published before.',
  },
}
