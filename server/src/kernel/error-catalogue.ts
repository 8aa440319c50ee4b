/**
 * Every error code of the service with its status, whether repeating helps, and a sentence for the developer (ERR-9).
 * Grouped by status, in the order of the interface. A sentence says what to do next; data of one request go into
 * `details`.
 */

export type ErrorStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 409
  | 410
  | 412
  | 413
  | 415
  | 422
  | 423
  | 424
  | 429
  | 500
  | 501
  | 503

/**
 * Whether the request may be repeated with its idempotency key (ERR-7). `never`: change something first; `same`:
 * unchanged, at once or with backoff; `later`: unchanged, after `Retry-After`.
 */
export type Retry = 'never' | 'same' | 'later'

export type ErrorEntry = Readonly<{ status: ErrorStatus; retry: Retry; message: string }>

function entries<S extends ErrorStatus, C extends string>(
  status: S,
  retry: Retry,
  messages: Readonly<Record<C, string>>,
): Readonly<Record<C, ErrorEntry & { status: S }>> {
  const built = {} as Record<C, ErrorEntry & { status: S }>
  for (const code of Object.keys(messages) as C[]) {
    built[code] = Object.freeze({ status, retry, message: messages[code] })
  }
  return built
}

export const ERRORS = Object.freeze({
  ...entries(400, 'never', {
    INVALID_INPUT: 'The request is not valid; correct what details.errors or details.reason names.',
    INVALID_REQUEST_FORMAT:
      'The request body cannot be read; send well-formed JSON nested at most 64 levels deep.',
    END_USER_TERMS_VERSION_NOT_FOUND:
      'This version of the end-user terms is not supported; read the current one first.',
    MISSING_MANDATORY_USER_INFO:
      'The customer lacks data that this needs; add the fields named in details and try again.',
    INVITATION_ALREADY_CLAIMED: 'This invitation was already claimed; create a new one.',
    INVITATION_CANCELLED: 'This invitation was cancelled; create a new one.',
    INVITATIONS_NOT_CONFIGURED:
      'Invitations are not set up for this platform; configure them before creating one.',
    INVALID_UMA_ADDRESS: 'The UMA address is malformed; write it as $user@domain.',
    INVALID_PAYREQ_RESPONSE:
      'The receiving provider answered the payment request wrongly; ask it to correct its answer.',
    PARSE_PAYREQ_RESPONSE_ERROR:
      'The receiving provider’s answer to the payment request cannot be read; try another receiver.',
    PARSE_LNURLP_RESPONSE_ERROR:
      'The receiving provider’s answer to the look-up cannot be read; try another receiver.',
    LOOKUP_REQUEST_FAILED: 'The receiver could not be looked up; check the address and look again.',
    INVALID_RECEIVER: 'The receiver cannot take this payment; choose another destination.',
    CERT_CHAIN_INVALID: 'The counterparty’s certificate chain is not valid; it has to replace it.',
    CERT_CHAIN_EXPIRED: 'The counterparty’s certificate chain has expired; it has to renew it.',
    INVALID_PUBKEY_FORMAT:
      'The counterparty’s public key is malformed; it has to publish a new one.',
    MISSING_REQUIRED_UMA_PARAMETERS:
      'The counterparty’s UMA message lacks required parameters; its provider has to add them.',
    INVALID_TIMESTAMP:
      'The UMA message’s timestamp is too old or in the future; sign a fresh message.',
    INVALID_NONCE: 'The UMA message’s nonce was already used; sign a fresh message.',
    SENDER_NOT_ACCEPTED: 'The receiver does not accept payments from this sender.',
    AMOUNT_OUT_OF_RANGE:
      'The amount is outside what is allowed here; choose one within the limits and above the fees.',
    INVALID_AMOUNT: 'This amount cannot be used here; send the amount that is asked for.',
    INVALID_CURRENCY:
      'This currency is not supported here or is not the expected one; use one of those enabled.',
    INVALID_BANK_ACCOUNT:
      'The bank account cannot be used for this; check its details and its status.',
    SELF_PAYMENT: 'Source and destination are the same; choose two different accounts.',
    WEBHOOK_ENDPOINT_NOT_SET:
      'No webhook endpoint is configured; set webhookEndpoint in the configuration first.',
    WEBHOOK_DELIVERY_ERROR:
      'The webhook endpoint did not accept the delivery; it must answer 2xx within 30 seconds.',
    LOW_QUALITY: 'The document’s image is not good enough; upload a sharp, complete, well-lit one.',
    DATA_MISMATCH: 'The document does not match the holder’s data; correct one of the two.',
    EXPIRED: 'The document has expired; upload one that is still valid.',
    SUSPECTED_FRAUD: 'The document was refused by the inspection; upload the genuine original.',
    UNSUITABLE_DOCUMENT:
      'This kind of document does not serve here; upload one of an accepted type.',
    INCOMPLETE: 'The document is incomplete; upload every page and side.',
    EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS:
      'The account already has an e-mail code credential; delete it before adding another.',
    SMS_OTP_CREDENTIAL_ALREADY_EXISTS:
      'The account already has an SMS code credential; delete it before adding another.',
    PASSKEY_CREDENTIAL_ALREADY_EXISTS:
      'This passkey is already a credential of the account; register another one.',
    STABLECOIN_PROVIDER_ACCOUNT_INVALID:
      'The stablecoin provider refused the account’s credentials; check them and link it again.',
    STABLECOIN_PROVIDER_ACCOUNT_REVOKED:
      'The link to the stablecoin provider was revoked; link the account again.',
    STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED:
      'Several provider accounts are linked; name the one to use.',
    CARDHOLDER_KYC_NOT_APPROVED:
      'The cardholder is not verified; finish the verification before issuing a card.',
    FUNDING_SOURCE_INELIGIBLE:
      'This account cannot fund the card; use an active account of the cardholder in a card currency.',
    INSUFFICIENT_BALANCE:
      'The source account cannot cover the amount; add funds or choose a smaller amount.',
    TRANSACTION_SIZE_LIMIT_EXCEEDED:
      'The amount is above the maximum for a single transaction; split it or ask for a higher limit.',
    EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED:
      'Ownership of the destination account must be proven before it can be paid this amount.',
  }),
  ...entries(400, 'same', {
    QUOTE_REQUEST_FAILED: 'The payment could not be quoted just now; repeat the request.',
  }),
  ...entries(401, 'never', {
    UNAUTHORIZED: 'The credentials or proof of this request are missing, wrong or no longer valid.',
    INVALID_SIGNATURE:
      'A signature header of this request is not valid; sign the exact body again.',
    WALLET_SIGNATURE_MISSING:
      'This action needs a wallet signature; sign the returned payload and send it with the retry.',
    WALLET_SIGNATURE_MALFORMED:
      'The wallet signature cannot be read; send the stamp exactly as the signing library gives it.',
    WALLET_SIGNATURE_BODY_MISMATCH:
      'The wallet signature covers another body; repeat the request with the body that was signed.',
    WALLET_SIGNATURE_INVALID:
      'The wallet signature does not verify; sign with a key of a live session of this wallet.',
    REQUEST_ID_MISSING:
      'A signed retry must carry the Request-Id header of the request that it answers.',
  }),
  ...entries(403, 'never', {
    FORBIDDEN: 'The credentials do not permit this; see details for what is needed.',
    USER_NOT_READY:
      'The customer or its account is not ready for this; see details for its status.',
    COUNTERPARTY_NOT_ALLOWED: 'Payments with this counterparty are not enabled.',
    VELOCITY_LIMIT_EXCEEDED:
      'The counterparty’s velocity limit is used up; wait for it to reset or send less.',
    END_USER_TERMS_NOT_ACCEPTED:
      'The customer has not accepted the end-user terms; have them accepted first.',
  }),
  ...entries(404, 'never', {
    USER_NOT_FOUND: 'No customer has this id; check it and the platform it belongs to.',
    TRANSACTION_NOT_FOUND: 'No transaction has this id; check it and the platform it belongs to.',
    QUOTE_NOT_FOUND: 'No quote has this id; check it and the platform it belongs to.',
    TOKEN_NOT_FOUND: 'No API token has this id; check it and the platform it belongs to.',
    INVITATION_NOT_FOUND: 'No invitation has this code; check it for typing errors.',
    BULK_UPLOAD_JOB_NOT_FOUND:
      'No bulk import job has this id; check it and the platform it belongs to.',
    LOOKUP_REQUEST_NOT_FOUND: 'No receiver look-up has this id; look the receiver up again.',
    UMA_NOT_FOUND: 'The receiver’s provider does not know this UMA address; check it for errors.',
    STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND:
      'No stablecoin provider account has this id; check it or link the account first.',
    REFERENCE_NOT_FOUND: 'Nothing is found under this path or id; check both for errors.',
    KYC_LINK_NOT_FOUND: 'This verification link does not exist; create a new one.',
  }),
  ...entries(405, 'never', {
    METHOD_NOT_ALLOWED: 'This path does not take this method; use one listed in the Allow header.',
  }),
  ...entries(409, 'never', {
    CONFLICT: 'The present state does not allow this; see details for the reason.',
    TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL:
      'The transaction is not waiting for the platform’s approval; read its current status.',
    TRANSACTION_NOT_CANCELLABLE:
      'It is too late to cancel this transaction; read its current status.',
    UMA_ADDRESS_EXISTS: 'This UMA address is taken; choose another.',
    EMAIL_OTP_EMAIL_ALREADY_EXISTS:
      'Another e-mail code credential uses this address; choose another address.',
    EMAIL_OTP_CREDENTIAL_SET_CHANGED:
      'The customer’s e-mail credentials changed meanwhile; read them again and repeat the change.',
    PASSKEY_ALREADY_ENROLLED:
      'The customer already has a passkey factor; remove it before enrolling another.',
    SCA_SESSION_REQUIRED: 'The customer must log in with strong authentication first.',
    BENEFICIARY_TRUSTED: 'This beneficiary is trusted; end the trust before deleting it.',
    INVALID_STATE_TRANSITION:
      'This move is not possible from the present state; read it again first.',
    CARD_ALREADY_CLOSED: 'The card is already closed; a closed card stays closed.',
    CARD_NOT_MUTABLE: 'The card can no longer be changed; issue a new one.',
    QUOTE_EXPIRED: 'The quote has expired; create a new one and execute it before expiresAt.',
    IDEMPOTENCY_KEY_REUSED:
      'This idempotency key was used for a different request; use a new key for a new request.',
  }),
  ...entries(409, 'same', {
    IDEMPOTENCY_KEY_IN_USE:
      'The first request with this idempotency key is still running; repeat it in a moment.',
  }),
  ...entries(410, 'never', {
    CUSTOMER_DELETED: 'This customer was deleted; nothing more can be done with it.',
    KYC_LINK_EXPIRED: 'This verification link has expired; create a new one.',
    KYC_LINK_USED: 'This verification link was already used; create a new one.',
  }),
  ...entries(412, 'never', {
    UNSUPPORTED_UMA_VERSION:
      'The counterparty’s UMA version is not supported; its provider has to offer another.',
  }),
  ...entries(413, 'never', {
    PAYLOAD_TOO_LARGE:
      'The body is too large; JSON may have 1 MiB, an upload its documented limit.',
  }),
  ...entries(415, 'never', {
    UNSUPPORTED_MEDIA_TYPE:
      'This content type is not accepted here; send application/json, or multipart/form-data for uploads.',
  }),
  ...entries(422, 'never', {
    DOCUMENT_REJECTED:
      'The document’s photo fails the quality checks named in details; take a better one.',
  }),
  ...entries(423, 'never', {
    ACCOUNT_LOCKED: 'The login is locked after failed attempts; wait until details.lockedUntil.',
  }),
  ...entries(424, 'same', {
    PAYREQ_REQUEST_FAILED: 'The receiving provider could not be reached; repeat the request.',
    COUNTERPARTY_PUBKEY_FETCH_ERROR:
      'The counterparty’s public keys could not be fetched; repeat the request.',
    NO_COMPATIBLE_UMA_VERSION:
      'No UMA version is shared with the counterparty; repeat once it has been upgraded.',
    LNURLP_REQUEST_FAILED: 'The look-up at the receiving provider failed; repeat the request.',
    EMAIL_OTP_CREDENTIAL_SYNC_FAILED:
      'The e-mail credentials tied to the customer could not be updated; repeat the request.',
  }),
  ...entries(429, 'later', {
    RATE_LIMITED: 'Too many requests or attempts; repeat after the seconds given in Retry-After.',
    DAILY_VOLUME_LIMIT_EXCEEDED:
      'The daily volume of this corridor is used up; repeat when it resets or send less.',
  }),
  ...entries(500, 'same', {
    SERVICE_SWITCH_ERROR: 'The payment switch failed internally; repeat the request.',
    INTERNAL_ERROR:
      'Something failed on our side; repeat the request, and report details.requestId if it persists.',
  }),
  ...entries(501, 'never', {
    NOT_IMPLEMENTED: 'This is not offered in this environment; the operator has to set it up.',
    UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY:
      'The counterparty demands payee data that is not known here; see details for the key.',
  }),
  ...entries(503, 'later', {
    SERVICE_UNAVAILABLE:
      'The service or a provider is overloaded or down; repeat after the seconds given in Retry-After.',
  }),
})

export type ErrorCode = keyof typeof ERRORS

/** Codes of the catalogue that nothing built in answers, with the reason they are kept. */
export const RESERVED_CODES = Object.freeze({
  VELOCITY_LIMIT_EXCEEDED: 'For rail adapters whose counterparty limits velocity.',
  SERVICE_SWITCH_ERROR: 'For rail adapters behind an external payment switch.',
  LOW_QUALITY: 'For external document inspectors (DOC-16).',
  DATA_MISMATCH: 'For external document inspectors (DOC-16).',
  EXPIRED: 'For external document inspectors (DOC-16).',
  SUSPECTED_FRAUD: 'For external document inspectors (DOC-16).',
  INCOMPLETE: 'For external document inspectors (DOC-16).',
} as const satisfies Partial<Record<ErrorCode, string>>)
