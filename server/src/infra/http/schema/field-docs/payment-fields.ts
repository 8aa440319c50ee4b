// data table
import type { FieldDocs } from './field-doc.ts'

/** Receivers, rates, quotes, transfers and transactions. */
export const PAYMENT_FIELDS: FieldDocs = {
  source: ['Where the money comes from.'],
  destination: ['Where the money goes.'],
  'QuoteRequest.source': [
    'Where the money comes from: an account, or funds that arrive while the quote holds; `sourceType` decides the fields.',
  ],
  'QuoteRequest.destination': [
    'Where the money goes: an account or a UMA address; `destinationType` decides the fields.',
  ],
  sourceType: [
    '`ACCOUNT`: an internal account, or an external one to pull from; `REALTIME_FUNDING`: funds that are sent for this payment; `UMA_ADDRESS`: a payment by UMA.',
  ],
  destinationType: [
    '`ACCOUNT`: an internal or external account; `UMA_ADDRESS`: the holder of a UMA address.',
  ],
  'AccountTransactionSource.accountId': [
    'Account that the money left.',
    'InternalAccount:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57',
  ],
  'AccountTransactionDestination.accountId': [
    'Account that the money went to.',
    'ExternalAccount:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57',
  ],
  'UmaAddressDestination.umaAddress': ['UMA address that is paid.', '$grace@other.uma.example'],
  'UmaAddressTransactionDestination.umaAddress': [
    'UMA address that was paid.',
    '$grace@other.uma.example',
  ],
  'UmaAddressTransactionSource.umaAddress': [
    'UMA address of the payer.',
    '$grace@other.uma.example',
  ],
  'Quote.status': [
    '`PENDING`: can be executed or funded; `PENDING_AUTHORIZATION`: the customer has to prove it; `PROCESSING`: money moves; `COMPLETED`, `FAILED` and `EXPIRED` are final.',
    'PENDING',
  ],
  'Quote.expiresAt': ['Until when the price holds, UTC.', '2026-03-14T09:31:53.589Z'],
  sendingCurrency: ['Currency that leaves the source.'],
  receivingCurrency: ['Currency that the destination gets.'],
  totalSendingAmount: [
    'All that leaves the source, fees included, in the smallest unit of the sending currency.',
    10150,
  ],
  totalReceivingAmount: [
    'All that the destination gets, in the smallest unit of the receiving currency.',
    173250,
  ],
  feesIncluded: ['All fees, in the smallest unit of the sending currency.', 150],
  platformFeesIncluded: [
    'Part of the fees that the platform earns, in the smallest unit of the sending currency.',
    50,
  ],
  exchangeRate: ['Sending major units per one receiving major unit, fees excluded.', 0.0577],
  'ExchangeRate.exchangeRate': [
    'Source major units per one destination major unit, all fees included.',
    0.0586,
  ],
  estimatedExchangeRate: [
    'Receiving major units per one of the sender’s first currency, before fees.',
    17.33,
  ],
  scaChallenge: [
    'What the customer has to prove before the payment goes on. Absent where nothing is asked.',
  ],
  counterpartyInformation: ['What is known of the other side, by field name.'],
  lookupId: [
    'Id of the look-up of the receiver, good for ten minutes.',
    'Lookup:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57',
  ],
  lockedCurrencySide: [
    'Which side has exactly `lockedCurrencyAmount`: what is sent, or what is received.',
    'SENDING',
  ],
  lockedCurrencyAmount: [
    'Amount of the locked side, in the smallest unit of its currency; the other side follows from the price.',
    10000,
  ],
  immediatelyExecute: ['Whether the quote is executed at once, in the same call.', false],
  description: ['Your own note on the payment. It does not travel with it.', 'Invoice 4711'],
  remittanceInformation: [
    'Message to the payee, as far as the rail carries one: at most 80 characters.',
    'Invoice 4711',
  ],
  'RealtimeFundingTransactionSource.remittanceInformation': [
    'Message that came with the transfer.',
    'Invoice 4711',
  ],
  purposeOfPayment: ['What the payment is for. Some corridors require it.', 'GOODS_OR_SERVICES'],
  platformFeeOverride: ['Fees of the platform for this payment, in place of its configured ones.'],
  senderCustomerInfo: ['What the UMA receiver asks to know of the sender, by field name.'],
  receiverCustomerInfo: [
    'What the provider of the sender asks to know of the receiver, by field name.',
  ],
  requiredFields: ['Fields that the sender’s provider insists on.', ['FULL_NAME']],
  'webhook-INCOMING_PAYMENT.PENDING.reason': [
    'Why the platform refuses the payment.',
    'Account closed',
  ],
  'webhook-INCOMING_PAYMENT.PENDING.receiverCustomerInfo': [
    'What the provider of the sender asks to know of the receiver, by field name.',
  ],
  rateDetails: ['How the price of a payment between two currencies comes about.'],
  counterpartyMultiplier: ['Receiving smallest units per millisatoshi.', 0.0000245],
  counterpartyFixedFee: [
    'Fixed fee of the other side, in the smallest unit of the currency received.',
    0,
  ],
  serviceApiMultiplier: [
    'Millisatoshi per smallest unit sent, after the variable fee. Times `counterpartyMultiplier` it is the whole price.',
    10.41,
  ],
  serviceApiFixedFee: ['Fixed fee of the service, in the smallest unit of the currency sent.', 100],
  serviceApiVariableFeeRate: ['Variable fee of the service as a part of 1: 0.005 is 0.5 %.', 0.005],
  serviceApiVariableFeeAmount: [
    'Variable fee of the service, in the smallest unit of the currency sent.',
    50,
  ],
  minSendingAmount: [
    'Least that can be sent, in the smallest unit of the source currency; 0 where nothing can.',
    100,
  ],
  maxSendingAmount: [
    'Most that can be sent at once, in the smallest unit of the source currency; 0 where nothing can.',
    500000000,
  ],
  sendingAmount: [
    'What is sent, fees included, in the smallest unit of the source currency.',
    10000,
  ],
  receivingAmount: [
    'What arrives, in the smallest unit of the destination currency; 0 where nothing would.',
    170600,
  ],
  'ExchangeRate.updatedAt': [
    'When the market part of the rate was taken, UTC; it holds for 300 seconds.',
    '2026-03-14T09:26:53.589Z',
  ],
  'ExchangeRate.fees': ['Fees that `sendingAmount` includes.'],
  fixed: ['Fee in the smallest unit of the source currency, whatever the amount.', 100],
  'ExchangeRateFees.total': ['All fees, in the smallest unit of the source currency.', 150],
  min: ['Least that can be received, in the smallest unit of the currency.', 100],
  max: ['Most that can be received at once, in the smallest unit of the currency.', 500000000],

  transactionId: ['Id of the transaction.', 'Transaction:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57'],
  quoteId: ['Id of the quote, `Quote:<uuid>`.', 'Quote:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57'],
  'SandboxSendRequest.currencyCode': ['Sending currency of the quote.', 'USD'],
  'OutgoingTransaction.type': ['Money that leaves.'],
  'IncomingTransaction.type': ['Money that comes in.'],
  'IncomingPaymentWebhookData.type': ['Money that comes in.'],
  'OutgoingTransaction.status': [
    '`PENDING`: waits for funds or execution; `PENDING_AUTHORIZATION`: waits for the customer’s proof; `PROCESSING`: on its way; `COMPLETED`, `EXPIRED`, `REJECTED` and `FAILED` are final.',
    'COMPLETED',
  ],
  'IncomingTransaction.status': [
    '`CREATED` and `PROCESSING`: under way; `PENDING`: waits for the platform or for information, see `pendingReason`; `COMPLETED`, `REJECTED`, `FAILED`, `REFUNDED` and `EXPIRED` are final.',
    'COMPLETED',
  ],
  'IncomingPaymentWebhookData.status': [
    '`CREATED` and `PROCESSING`: under way; `PENDING`: waits for the platform or for information, see `pendingReason`; `COMPLETED`, `REJECTED`, `FAILED`, `REFUNDED` and `EXPIRED` are final.',
    'COMPLETED',
  ],
  pendingReason: ['What a payment that is held waits for.', 'COMPLIANCE_REVIEW'],
  settledAt: [
    'When the money arrived, UTC. Stays when a return follows.',
    '2026-03-14T09:31:07.214Z',
  ],
  'Refund.settledAt': [
    'When the money was back, UTC. Absent until then.',
    '2026-03-15T08:00:00.000Z',
  ],
  initiatedAt: ['When the refund began, UTC.', '2026-03-14T10:00:00.000Z'],
  'Refund.status': [
    '`PENDING`: the money is on its way back; `COMPLETED`; `FAILED`: an operator has to see to it.',
    'COMPLETED',
  ],
  'Refund.reason': ['Why the money goes back.', 'TRANSACTION_FAILED'],
  refund: ['How the money goes back to the payer. Absent where it does not.'],
  'ConfirmReceiptDeliveryRequest.receiptDeliveryConfirmedAt': [
    'When the customer got the receipt, UTC. Absent: now.',
    '2026-03-14T09:40:00.000Z',
  ],
  receiptDeliveryConfirmedAt: [
    'When the platform confirmed that the customer got the receipt, UTC.',
    '2026-03-14T09:40:00.000Z',
  ],
  sentAmount: ['Amount that left the source, with its currency.'],
  receivedAmount: ['Amount that the destination gets, with its currency.'],
  fees: ['All fees, in the smallest unit of the currency sent.', 150],
  platformFees: [
    'Part of the fees that the platform earns, in the smallest unit of the currency sent.',
    50,
  ],
  reconciliationInstructions: ['What finds the payment on a bank statement.'],
  failureReason: ['Why it failed. Only where it did.', 'QUOTE_EXPIRED'],
  paymentRail: ['Network over which the money moves.', 'ACH'],
  destinationPaymentRail: ['Network for which the rate holds. Absent for coins.', 'ACH'],
  railSelectionMode: [
    '`MANUAL`: the request named the rail; `AUTO`: the default of the account was taken.',
    'AUTO',
  ],
  expectedSettlementAt: [
    'When the money should arrive, UTC. Absent on instant rails.',
    '2026-03-15T09:26:53.589Z',
  ],
  settlementTimelineSeconds: ['Seconds that the rail usually takes; 0 on instant rails.', 86400],
  accountIdentifier: ['Account from which the money came, as its bank reported it.', '****6789'],
  bankIdentifier: ['Code of the bank from which the money came.', '021000021'],
  endToEndId: ['End-to-end id that the payer gave the transfer.', 'E2E-4711'],
  traceNumber: ['Number under which the rail carried the transfer.', '021000021234567'],
  reason: ['Why, in words; kept with the decision.', 'Duplicate of an earlier payment'],
  'AgentActionFailure.reason': ['Detail of the code, where it has one.', 'DAILY_LIMIT_EXCEEDED'],
  receiverUmaAddress: ['UMA address of the receiver, `$user@domain`.', '$grace@other.uma.example'],
  'SandboxUmaReceiveRequest.receiverUmaAddress': [
    'UMA address of the customer that is paid.',
    '$ada@acme.uma.example',
  ],
  'query.senderUmaAddress': [
    'UMA address of the customer who would send.',
    '$ada@acme.uma.example',
  ],
  'query.sendingAmount': [
    'Amount that would be sent, in the smallest unit of the source currency.',
    10000,
  ],
  'query.reference': [
    'Only those with this reference: of the payment, its reconciliation, its refund or its settlement.',
    'QK7M4XTP2RB',
  ],
  senderUmaAddress: ['UMA address of the payer.', '$success@sandbox.uma.example'],
  receivingCurrencyAmount: [
    'Amount that arrives, in the smallest unit of `receivingCurrencyCode`.',
    2500,
  ],
  receivingCurrencyCode: ['Currency that arrives.', 'USD'],

  currencyAmount: ['Amount that is sent, in the smallest unit of `currencyCode`.', 10150],
  'query.destinationCurrency': ['Only rates into these currencies.', ['MXN', 'BRL']],
  'query.sourceCurrency': ['Only rates from this currency.', 'USD'],
  'query.accountIdentifier': ['', 'InternalAccount:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57'],
  'query.senderAccountIdentifier': ['', 'InternalAccount:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57'],
  'query.receiverAccountIdentifier': ['', 'ExternalAccount:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57'],
}
