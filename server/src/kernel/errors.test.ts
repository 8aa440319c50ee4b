import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  ApiError,
  ERRORS,
  RESERVED_CODES,
  errorToBody,
  fail,
  failFields,
  failRetryLater,
  refusalToError,
  refuse,
  retryAfter,
} from './errors.ts'
import type { ErrorCode } from './errors.ts'

/** Chapter 43, C1 and C2, written down a second time: the catalogue is measured against this. */
const CATALOGUE: Readonly<Record<number, string>> = {
  400: `INVALID_INPUT INVALID_REQUEST_FORMAT END_USER_TERMS_VERSION_NOT_FOUND MISSING_MANDATORY_USER_INFO
    INVITATION_ALREADY_CLAIMED INVITATION_CANCELLED INVITATIONS_NOT_CONFIGURED INVALID_UMA_ADDRESS
    QUOTE_REQUEST_FAILED INVALID_PAYREQ_RESPONSE PARSE_PAYREQ_RESPONSE_ERROR PARSE_LNURLP_RESPONSE_ERROR
    LOOKUP_REQUEST_FAILED INVALID_RECEIVER CERT_CHAIN_INVALID CERT_CHAIN_EXPIRED INVALID_PUBKEY_FORMAT
    MISSING_REQUIRED_UMA_PARAMETERS INVALID_TIMESTAMP INVALID_NONCE SENDER_NOT_ACCEPTED
    AMOUNT_OUT_OF_RANGE INVALID_AMOUNT INVALID_CURRENCY INVALID_BANK_ACCOUNT SELF_PAYMENT
    WEBHOOK_ENDPOINT_NOT_SET WEBHOOK_DELIVERY_ERROR LOW_QUALITY DATA_MISMATCH EXPIRED SUSPECTED_FRAUD
    UNSUITABLE_DOCUMENT INCOMPLETE EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS SMS_OTP_CREDENTIAL_ALREADY_EXISTS
    PASSKEY_CREDENTIAL_ALREADY_EXISTS STABLECOIN_PROVIDER_ACCOUNT_INVALID
    STABLECOIN_PROVIDER_ACCOUNT_REVOKED STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED
    CARDHOLDER_KYC_NOT_APPROVED FUNDING_SOURCE_INELIGIBLE INSUFFICIENT_BALANCE
    TRANSACTION_SIZE_LIMIT_EXCEEDED EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED`,
  401: `UNAUTHORIZED INVALID_SIGNATURE WALLET_SIGNATURE_MISSING WALLET_SIGNATURE_MALFORMED
    WALLET_SIGNATURE_BODY_MISMATCH WALLET_SIGNATURE_INVALID REQUEST_ID_MISSING`,
  403: `FORBIDDEN USER_NOT_READY COUNTERPARTY_NOT_ALLOWED VELOCITY_LIMIT_EXCEEDED
    END_USER_TERMS_NOT_ACCEPTED`,
  404: `USER_NOT_FOUND TRANSACTION_NOT_FOUND QUOTE_NOT_FOUND TOKEN_NOT_FOUND INVITATION_NOT_FOUND
    BULK_UPLOAD_JOB_NOT_FOUND LOOKUP_REQUEST_NOT_FOUND UMA_NOT_FOUND
    STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND REFERENCE_NOT_FOUND KYC_LINK_NOT_FOUND`,
  405: 'METHOD_NOT_ALLOWED',
  409: `CONFLICT TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL TRANSACTION_NOT_CANCELLABLE UMA_ADDRESS_EXISTS
    EMAIL_OTP_EMAIL_ALREADY_EXISTS EMAIL_OTP_CREDENTIAL_SET_CHANGED PASSKEY_ALREADY_ENROLLED
    SCA_SESSION_REQUIRED BENEFICIARY_TRUSTED INVALID_STATE_TRANSITION CARD_ALREADY_CLOSED
    CARD_NOT_MUTABLE QUOTE_EXPIRED IDEMPOTENCY_KEY_REUSED IDEMPOTENCY_KEY_IN_USE`,
  410: 'CUSTOMER_DELETED KYC_LINK_EXPIRED KYC_LINK_USED',
  412: 'UNSUPPORTED_UMA_VERSION',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'DOCUMENT_REJECTED',
  423: 'ACCOUNT_LOCKED',
  424: `PAYREQ_REQUEST_FAILED COUNTERPARTY_PUBKEY_FETCH_ERROR NO_COMPATIBLE_UMA_VERSION
    LNURLP_REQUEST_FAILED EMAIL_OTP_CREDENTIAL_SYNC_FAILED`,
  429: 'RATE_LIMITED DAILY_VOLUME_LIMIT_EXCEEDED',
  500: 'SERVICE_SWITCH_ERROR INTERNAL_ERROR',
  501: 'NOT_IMPLEMENTED UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY',
  503: 'SERVICE_UNAVAILABLE',
}

const listed = Object.entries(CATALOGUE).flatMap(([status, codes]) =>
  codes.split(/\s+/).map((code) => ({ code, status: Number(status) })),
)

const codes = Object.keys(ERRORS) as ErrorCode[]

function caught(action: () => never): ApiError {
  try {
    action()
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return error
  }
  assert.fail('nothing was thrown')
}

describe('the error catalogue', () => {
  test('ERR-3 ERR-9 holds every code of chapter 43 with its status, and no other', () => {
    const actual = codes.map((code) => ({ code, status: ERRORS[code].status }))
    const byCode = (left: { code: string }, right: { code: string }) =>
      left.code < right.code ? -1 : 1
    assert.deepEqual(actual.toSorted(byCode), listed.toSorted(byCode))
  })

  test('ERR-1 every message is one sentence with a capital and a full stop', () => {
    for (const code of codes) assert.match(ERRORS[code].message, /^[A-Z][^\n]{20,}[^.\s]\.$/, code)
  })

  test('ERR-6 no message names files, hosts, SQL or our own functions', () => {
    for (const code of codes) {
      assert.doesNotMatch(ERRORS[code].message, /\.ts\b|https?:|localhost|select |\(\)/i, code)
    }
  })

  test('ERR-7 what may be repeated with the same key, and what needs a change first', () => {
    const repeatable = codes.filter((code) => ERRORS[code].retry !== 'never')
    const expected = listed
      .filter(
        ({ code, status }) =>
          [424, 429, 500, 503].includes(status) ||
          ['QUOTE_REQUEST_FAILED', 'IDEMPOTENCY_KEY_IN_USE'].includes(code),
      )
      .map(({ code }) => code)
    assert.deepEqual(repeatable.toSorted(), expected.toSorted())
    const later = codes.filter((code) => ERRORS[code].retry === 'later')
    assert.deepEqual(later, ['RATE_LIMITED', 'DAILY_VOLUME_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'])
  })

  test('ERR-9 the reserved codes are those that nothing built in answers', () => {
    assert.deepEqual(Object.keys(RESERVED_CODES).toSorted(), [
      'DATA_MISMATCH',
      'EXPIRED',
      'INCOMPLETE',
      'LOW_QUALITY',
      'SERVICE_SWITCH_ERROR',
      'SUSPECTED_FRAUD',
      'VELOCITY_LIMIT_EXCEEDED',
    ])
  })

  test('ERR-9 the catalogue cannot be changed at run time', () => {
    assert.ok(Object.isFrozen(ERRORS))
    for (const code of codes) assert.ok(Object.isFrozen(ERRORS[code]), code)
  })
})

describe('saying no', () => {
  test('ERR-1 the body has status, code, message, and details only where there are some', () => {
    assert.deepEqual(errorToBody(caught(() => fail('QUOTE_EXPIRED'))), {
      status: 409,
      code: 'QUOTE_EXPIRED',
      message: ERRORS.QUOTE_EXPIRED.message,
    })
    const body = errorToBody(caught(() => fail('FORBIDDEN', { requiredPermission: 'VIEW' })))
    assert.deepEqual(body.details, { requiredPermission: 'VIEW' })
  })

  test('ERR-6 what is only for the log does not enter the body', () => {
    const error = caught(() => fail('UNAUTHORIZED', undefined, 'the secret does not match'))
    assert.equal(error.because, 'the secret does not match')
    assert.doesNotMatch(JSON.stringify(errorToBody(error)), /does not match/)
  })

  test('CORE-1 a message may be replaced where it must name something', () => {
    const message = 'The supported version is 2025-10-13.'
    assert.equal(errorToBody(new ApiError('REFERENCE_NOT_FOUND', { message })).message, message)
  })

  test('CORE-30 every invalid field arrives in one INVALID_INPUT', () => {
    const errors = [
      { field: 'name', message: 'Too long.', constraint: { maxLength: 255 } },
      { field: 'permissions.0', message: 'Not a permission.' },
    ]
    const error = caught(() => failFields(errors))
    assert.equal(error.status, 400)
    assert.deepEqual(errorToBody(error).details, { errors })
  })

  const PAUSES = [
    { seconds: 0, header: '1', why: 'nobody is told to repeat at once' },
    { seconds: 0.2, header: '1', why: 'whole seconds, rounded up' },
    { seconds: 30, header: '30', why: 'as given' },
    { seconds: 30.01, header: '31', why: 'never too early' },
  ]
  for (const { seconds, header, why } of PAUSES) {
    test(`ERR-8 Retry-After for ${seconds} s is ${header}: ${why}`, () => {
      assert.deepEqual(retryAfter(seconds), { 'Retry-After': header })
      const error = caught(() => failRetryLater('RATE_LIMITED', seconds))
      assert.deepEqual(error.headers, { 'Retry-After': header })
    })
  }

  test('a returned refusal answers the same as a thrown one', () => {
    const details = { failedAttempts: 3 }
    const refusal = refuse('ACCOUNT_LOCKED', details, retryAfter(5))
    assert.equal(refusal.ok, false)
    const error = refusalToError(refusal)
    assert.deepEqual(errorToBody(error), errorToBody(caught(() => fail('ACCOUNT_LOCKED', details))))
    assert.deepEqual(error.headers, { 'Retry-After': '5' })
    assert.deepEqual(refuse('CONFLICT'), { ok: false, code: 'CONFLICT' })
  })
})
