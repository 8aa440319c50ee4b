// data table
import type { FieldDocs } from './field-doc.ts'

/** Fields and parameters that many operations share: money, time, lists, errors and events. */
export const COMMON_FIELDS: FieldDocs = {
  amount: [
    'Amount in the smallest unit of the currency: `12550` is 125.50 in USD.',
    12550,
    '12550',
  ],
  'AgentApprovalThresholds.amount': [
    'Movements above this amount, in the smallest unit of `currency`, wait for approval also in mode `AUTO`. Absent: only the execution mode decides.',
    50000,
  ],
  'AgentApprovalThresholdsUpdate.amount': [
    'Movements above this amount, in the smallest unit of `currency`, wait for approval also in mode `AUTO`.',
    50000,
  ],
  'TimelineEntry.amount': ['Money that the entry moved, asked for or announced.'],
  'StablecoinOperation.amount': [
    'Amount of the coin in its smallest unit, as a decimal string: `10000000` is 10.00 of a coin with 6 decimals.',
    '10000000',
  ],
  'StablecoinMintRequest.amount': [
    'Amount of the coin in its smallest unit, as a decimal string. It has to be a whole number of cents: a multiple of 10,000 for a coin with 6 decimals.',
    '10000000',
  ],
  'StablecoinBurnRequest.amount': [
    'Amount of the coin in its smallest unit, as a decimal string. It has to be a whole number of cents: a multiple of 10,000 for a coin with 6 decimals.',
    '10000000',
  ],
  'SandboxCardAuthorizationAdviceRequest.amount': [
    'New amount of the authorization, in the smallest unit of its currency.',
    4500,
  ],
  'SandboxCardReturnRequest.amount': [
    'Amount that the merchant gives back, in the smallest unit of the currency of the card. At most what is cleared and not returned yet.',
    2500,
  ],
  currency: [
    'Currency code: ISO 4217, or the code of a coin such as `USDC` or `BTC`.',
    'USD',
    'USDC',
  ],
  'query.currency': ['Only those in this currency: ISO 4217, or the code of a coin.', 'USD'],
  'CurrencyAmount.currency': [
    'Currency of the amount, with the decimals that say what its smallest unit is.',
  ],
  'CurrencyPreference.currency': ['Currency in which the receiver can be paid.'],
  'SandboxCardAuthorizationRequest.currency': [
    'Currency in which the merchant charges. Absent: the currency of the card.',
  ],
  'SandboxCardClearingRequest.currency': [
    'Currency in which the merchant clears. Absent: the currency of the card.',
  ],
  currencyCode: ['Currency code: ISO 4217, or the code of a coin such as `USDC`.', 'USD'],
  'getAvailableUmaProviders.currencyCode': [
    'Only providers whose customers can be paid in this currency.',
    'USD',
  ],
  code: ['Machine-readable code.', 'INVALID_INPUT'],
  'Currency.code': ['Currency code: ISO 4217, or the code of a coin.', 'USD'],
  'SandboxCardCurrency.code': ['Currency code, ISO 4217.', 'USD', 'EUR'],
  'Error.code': [
    'Error code. Decide by it, not by the message; the catalogue says which codes may be retried.',
    'INVALID_INPUT',
  ],
  'BulkCustomerImportErrorEntry.code': ['Why the row was not imported.', 'INVALID_CSV_FORMAT'],
  'AgentDeviceCodeStatusResponse.code': ['Device code that was asked for.', 'K7QM-4XTP'],
  'AgentDeviceCode.code': [
    'Device code to enter where the agent runs; good for one use.',
    'K7QM-4XTP',
  ],
  'AgentActionFailure.code': [
    'Error code with which the same call by the platform would have been refused.',
    'INSUFFICIENT_BALANCE',
  ],
  'UmaInvitation.code': [
    'Code of the invitation; with it any platform may read or claim it.',
    'XK7QM4TP',
  ],
  'ContactVerificationConfirmRequest.code': ['Code from the message that was sent.', '123456'],
  'TotpEnrollmentConfirmRequest.code': ['First code that the authenticator app shows.', '123456'],
  'BeneficiaryTrustConfirmRequest.code': [
    'Code from the message or the authenticator app. Of a passkey, send `passkeyAssertion` instead.',
    '123456',
  ],
  'ScaAuthorization.code': [
    'Code from the message or the authenticator app. Of a passkey, send `passkeyAssertion` instead.',
    '123456',
  ],
  'ScaLoginCompleteRequest.code': [
    'Code from the message or the authenticator app, or a recovery code. Of a passkey, send `passkeyAssertion` instead.',
    '123456',
  ],
  'path.code': ['Device code; case does not matter.', 'K7QM-4XTP'],
  name: ['Name for people to read.', 'Payroll agent'],
  'Currency.name': ['Name of the currency in English.', 'US Dollar'],
  'SandboxCardCurrency.name': ['Name of the currency; not looked at.', 'US Dollar'],
  'SandboxCardCurrency.symbol': ['Symbol of the currency; not looked at.', '$'],
  'SandboxCardCurrency.decimals': ['Decimals of the currency; not looked at.', 2],
  'ApiToken.name': ['Name that the token was given, to tell tokens apart.', 'payroll-server'],
  'CounterpartyFieldDefinition.name': ['Fact about a customer.', 'FULL_NAME'],
  'Agent.name': ['Name of the agent.', 'Payroll agent'],
  'Stablecoin.name': ['Name of the coin, as the provider has it.', 'Acme Dollar'],
  'SandboxClockJob.name': ['Kind of job that ran.', 'platform.prune'],
  'UmaProvider.name': ['Name of the provider.', 'Example Wallet'],
  symbol: ['Sign or short name that people write with an amount.', '$'],
  'Stablecoin.symbol': ['Ticker of the coin.', 'ACMD'],
  decimals: [
    'Digits behind the decimal point of one major unit: an amount of 1 is 10 to the power of minus this.',
    2,
  ],
  status: ['Where it stands.', 'PENDING'],
  'Error.status': ['HTTP status of the answer.', 400],
  'LoggedRequest.status': ['HTTP status that was answered.', 201],
  message: [
    'Sentence for a developer: what is wrong, and what to do about it.',
    'The request is not valid.',
  ],
  'ProcessingResponse.message': [
    'What is being done; ask again for the result.',
    'The request is being processed.',
  ],
  'ProcessingResponse.status': ['The work goes on in the background.', 'PROCESSING'],
  details: [
    'Facts that go with the code: `errors` for the fields of an `INVALID_INPUT`, `requiredPermission`, bounds of an amount and others.',
  ],
  'BulkCustomerImportErrorEntry.details': [
    'Facts that go with the code, such as the fields that are wrong.',
  ],

  id: [
    'Id of the resource: its type, a colon and a UUID of version 7, so that ids sort by creation.',
  ],
  'VerificationListResponse.id': [
    'Id of the current verification of the customer that the list is filtered by, on its first page.',
    'Verification:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57',
  ],
  'webhook.id': [
    'Id of the event, `Webhook:<uuid>`: the same in every delivery, so that a repeat can be recognised.',
    'Webhook:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57',
  ],
  'webhook.type': ['Type of the event; it decides what `data` is.'],
  'webhook.timestamp': ['When the change happened: UTC, on the clock of the platform.'],
  'webhook.data': ['The resource as a GET would have answered it right after the change.'],
  'webhook-TEST.data': ['Empty: a test is about nothing.'],
  'SandboxClockEvent.id': [
    'Id of the event, `Webhook:<uuid>`.',
    'Webhook:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57',
  ],
  'SandboxClockJob.id': ['Id of the job.', '48213'],
  'TimelineEvent.id': ['Id of the event, for `GET /events/{eventId}`.'],
  createdAt: [
    'When it was created: ISO 8601, UTC, on the clock of the platform.',
    '2026-03-14T09:26:53.589Z',
  ],
  updatedAt: [
    'When it last changed: ISO 8601, UTC, on the clock of the platform.',
    '2026-03-14T09:31:07.214Z',
  ],
  completedAt: ['When it was finished, UTC. Absent until then.', '2026-03-14T09:31:07.214Z'],
  expiresAt: ['Until when it can be used, UTC.', '2026-03-14T09:41:53.589Z'],
  timestamp: ['When the change happened, UTC.', '2026-03-14T09:26:53.589Z'],
  dueAt: ['When it was due, UTC, on the clock of the platform.', '2026-03-15T09:26:53.589Z'],
  at: ['When it happened, UTC.', '2026-03-14T09:26:53.589Z'],

  data: ['Entries of this page, in the order of the list.'],
  hasMore: ['Whether another page follows; ask for it with `cursor` set to `nextCursor`.', true],
  nextCursor: ['Cursor of the next page. Absent on the last one.', 'eyJrIjoiMDE5OGM1ZjIifQ'],
  totalCount: ['How many entries all pages hold together. Counting may stop at 10,000.', 128],
  limit: ['Entries per page.', 20],
  cursor: [
    '`nextCursor` of the page before. Absent or empty: the first page.',
    'eyJrIjoiMDE5OGM1ZjIifQ',
  ],
  sortOrder: ['`desc`: newest first; `asc`: oldest first.', 'desc'],
  'query.createdAfter': [
    'Only those created at or after this time, UTC.',
    '2026-03-01T00:00:00.000Z',
  ],
  'query.createdBefore': ['Only those created before this time, UTC.', '2026-04-01T00:00:00.000Z'],
  'query.updatedAfter': [
    'Only those changed at or after this time, UTC.',
    '2026-03-01T00:00:00.000Z',
  ],
  'query.updatedBefore': ['Only those changed before this time, UTC.', '2026-04-01T00:00:00.000Z'],
  'query.startDate': ['Only those created at this time or later, UTC.', '2026-03-01T00:00:00.000Z'],
  'query.endDate': ['Only those created at this time or earlier, UTC.', '2026-03-31T23:59:59.999Z'],
  'query.name': ['Only the token with exactly this name.', 'payroll-server'],
  'query.status': ['Only those in this state.'],
  'query.type': ['Only those of this type.'],
  'query.customerId': ['Only those of this customer, `Customer:<uuid>`.'],
  'query.agentId': ['Only those of this agent, `Agent:<uuid>`.'],
  'Idempotency-Key': [
    'Text of your choice, 1 to 255 printable characters. The same request under the same key has one effect and one answer, for 24 hours.',
    '5f1c9a3e-0c1d-4f0a-9c55-1b6f4a7f2d10',
  ],

  'IncomingTransaction.direction': ['`CREDIT`: money comes to the account.', 'CREDIT'],
  'IncomingPaymentWebhookData.direction': ['`CREDIT`: money comes to the account.', 'CREDIT'],
  direction: ['`CREDIT`: money comes to the account; `DEBIT`: money leaves it.', 'DEBIT', 'CREDIT'],
  deliveryStatus: [
    '`PENDING`: attempts go on; `DELIVERED`: the endpoint took it; `FAILED`: attempts ended after seven days; `SKIPPED`: there was no endpoint to send it to.',
    'DELIVERED',
  ],
  durationMs: ['Milliseconds that it took.', 38],
  responseStatus: ['HTTP status that the endpoint answered. Absent where no answer came.', 200],
  response_status: ['HTTP status that the endpoint answered.', 200],
  response_body: ['Body that the endpoint answered, as text.', '{"received":true}'],
  'EventAttempt.url': ['Endpoint that was called.', 'https://platform.example/webhooks'],
  'TestWebhookResponse.url': ['Endpoint that was called.', 'https://platform.example/webhooks'],
  'SandboxClockEvent.type': ['Type of the event that was emitted.', 'OUTGOING_PAYMENT.COMPLETED'],
  'TimelineEvent.type': ['Type of the event.', 'OUTGOING_PAYMENT.COMPLETED'],
  'Event.data': ['The resource as a GET would have answered it right after the change.'],
  'Event.attempts': ['Attempts to deliver the event, oldest first; of more than 500 the newest.'],
  nextAttemptAt: ['When the event is sent again, UTC.', '2026-03-14T09:27:03.589Z'],
  'LoggedRequest.at': ['When the request came in, UTC, in real time.', '2026-03-14T09:26:53.589Z'],
  'TimelineEntry.dueAt': [
    'When it will happen, UTC. Only of what comes next.',
    '2026-03-15T09:26:53.589Z',
  ],
  'TimelineEntry.status': ['How the order stands, or what the endpoint answered.', 'DELIVERED'],
  'SandboxMagicValue.field': ['The field of it that has the value.', 'accountInfo.accountNumber'],
  'Event.type': ['Type of the event; it decides what `data` is.'],
  event: ['The webhook event that the entry is about.'],
  by: [
    'Who did it: the platform by a token, one of its agents, the customer on a hosted page, an operator, a provider outside, or the service by itself.',
    'PLATFORM',
  ],
  byId: ['Id of the token or the agent.', 'Token:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57'],
  part: [
    'Which part of the balance was booked: `AVAILABLE` can be spent, `HELD` is set aside for a payment under way.',
    'AVAILABLE',
  ],
  'TimelineEntry.accountId': ['Internal account that was booked on.'],
  what: ['Operation or action, or the type of the booking, order, event or job.', 'createQuote'],
  why: ['Why it failed or was refused.', 'INSUFFICIENT_BALANCE'],
  method: ['HTTP method.', 'POST'],
  path: ['Path of the request, without the version and the query.', '/quotes'],
  operation: ['Id of the operation, as in this description.', 'createQuote'],
  actor: ['Id of the token or agent that called.', 'Token:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57'],
  idempotencyKey: [
    '`Idempotency-Key` that the request carried.',
    '5f1c9a3e-0c1d-4f0a-9c55-1b6f4a7f2d10',
  ],
  clientRequestId: ['`X-Request-Id` that the caller sent.', 'order-4711'],
  'LoggedRequest.requestId': [
    '`X-Request-Id` of the answer.',
    '0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57',
  ],
  error: ['Why no answer came.', 'ECONNREFUSED'],
  'LoggedRequest.error': ['Error code of a refusal.', 'INVALID_INPUT'],

  advanceSeconds: [
    'How far to move the clock, in seconds. Everything that comes due on the way happens before the answer.',
    86400,
  ],
  offsetSeconds: ['Seconds by which the clock of the platform runs ahead of real time.', 86400],
  now: ['Present time of the platform, UTC.', '2026-03-15T09:26:53.589Z'],
  'SandboxClockJob.outcome': ['How the job ended.', 'done'],
  value: ['Value, or part of it, that decides what the sandbox does.', '105'],
  object: ['Kind of resource or request that has the field.', 'External account'],
  effect: ['What the sandbox does.', 'The account is refused with INVALID_BANK_ACCOUNT.'],
  'SandboxMagicValue.operation': ['Id of the operation in which it takes effect.', 'createQuote'],

  after: ['', '4711'],
  'Last-Event-ID': ['', '4711'],
}
