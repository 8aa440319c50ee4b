/**
 * Words of the trade that the API calls otherwise, or that mean one thing above all others here, with the places that
 * answer them, best first. A place is an address of the page without its `#`.
 *
 * @type {readonly { words: readonly string[], leadTo: readonly string[] }[]}
 */
export const SYNONYMS = [
  {
    words: [
      'payout',
      'pay out',
      'payment',
      'pay',
      'send money',
      'bank transfer',
      'remittance',
      'disbursement',
      'wire',
      'sepa',
      'ach',
    ],
    leadTo: ['createQuote', 'executeQuote', '/guides/first-payout', 'listTransactions'],
  },
  {
    words: ['transfer', 'convert', 'conversion', 'swap', 'cross border'],
    leadTo: ['createQuote', 'executeQuote', 'listTransactions'],
  },
  {
    words: ['withdraw', 'withdrawal', 'cash out', 'off ramp'],
    leadTo: ['createQuote', 'estimateCryptoWithdrawalFee', 'createCustomerExternalAccount'],
  },
  {
    words: [
      'deposit',
      'top up',
      'fund',
      'funding',
      'add money',
      'pay in',
      'on ramp',
      'virtual account',
    ],
    leadTo: [
      'listCustomerInternalAccounts',
      'listPlatformInternalAccounts',
      'sandboxFundInternalAccount',
    ],
  },
  { words: ['direct debit', 'pull', 'debit'], leadTo: ['createQuote', 'createTransferIn'] },
  {
    words: ['refund', 'money back', 'reimburse'],
    leadTo: ['sandboxSimulateCardReturn', 'cancelTransaction', 'getTransactionById'],
  },
  {
    words: ['chargeback', 'dispute', 'merchant credit'],
    leadTo: ['sandboxSimulateCardReturn', 'sandboxSimulateCardReturnReversal', '/guides/cards'],
  },
  {
    words: ['void', 'abort', 'stop payment', 'recall'],
    leadTo: ['cancelTransaction', 'rejectPendingPayment'],
  },
  {
    words: ['balance', 'wallet balance', 'available'],
    leadTo: ['listCustomerInternalAccounts', 'listPlatformInternalAccounts'],
  },
  {
    words: ['statement', 'history', 'ledger', 'activity', 'reconciliation'],
    leadTo: ['listTransactions', '/concepts/ledger'],
  },
  {
    words: ['payment status', 'receipt', 'tracking'],
    leadTo: ['getTransactionById', 'getTimeline', 'confirmReceiptDelivery'],
  },
  {
    words: ['user', 'account holder', 'client', 'sign up', 'register'],
    leadTo: ['createCustomer', 'listCustomers'],
  },
  {
    words: ['kyc', 'kyb', 'identity', 'id check', 'aml', 'due diligence', 'verify customer'],
    leadTo: ['createVerification', 'createCustomerKycLink', '/guides/onboarding', 'uploadDocument'],
  },
  {
    words: ['onboarding', 'onboard'],
    leadTo: ['/guides/onboarding', 'createCustomer', 'createCustomerKycLink'],
  },
  { words: ['hosted page', 'kyc link', 'verification link'], leadTo: ['createCustomerKycLink'] },
  {
    words: ['ubo', 'shareholder', 'director'],
    leadTo: ['createBeneficialOwner', 'listBeneficialOwners'],
  },
  {
    words: ['passport', 'id card', 'proof of address', 'file', 'upload'],
    leadTo: ['uploadDocument', 'replaceDocument'],
  },
  {
    words: ['bulk', 'csv', 'import', 'batch'],
    leadTo: ['uploadCustomersCsv', 'getBulkCustomerImportJob'],
  },
  { words: ['terms of service', 'tos', 'consent'], leadTo: ['getEndUserTerms'] },
  {
    words: ['gdpr', 'erase', 'personal data'],
    leadTo: ['deleteCustomerById', '/runbooks/personal-data'],
  },
  {
    words: ['bank account', 'beneficiary', 'payee', 'recipient', 'counterparty', 'bank details'],
    leadTo: ['createCustomerExternalAccount', 'createPlatformExternalAccount'],
  },
  {
    words: ['whitelist', 'trusted payee', 'trusted beneficiary'],
    leadTo: ['startBeneficiaryTrust', '/guides/strong-authentication'],
  },
  { words: ['bank list', 'institution', 'bank code'], leadTo: ['getDiscoveries'] },
  { words: ['travel rule', 'crypto exchange', 'custodian'], leadTo: ['listVasps'] },
  {
    words: ['freeze', 'block', 'lock card', 'pause card', 'close card', 'unfreeze', 'cancel card'],
    leadTo: ['updateCardById', '/guides/cards'],
  },
  {
    words: ['card number', 'pan', 'cvv', 'cvc', 'card details'],
    leadTo: ['revealCard', '/guides/cards'],
  },
  {
    words: ['issue card', 'issuing', 'debit card', 'virtual card'],
    leadTo: ['createCard', '/guides/cards'],
  },
  {
    words: ['purchase', 'card payment', 'authorization'],
    leadTo: ['sandboxSimulateCardAuthorization', '/guides/cards'],
  },
  {
    words: [
      '2fa',
      'mfa',
      'sca',
      'psd2',
      'two factor',
      'second factor',
      'strong authentication',
      'step up',
    ],
    leadTo: ['startScaFactorEnrollment', '/guides/strong-authentication', 'authorizeQuote'],
  },
  {
    words: ['otp', 'one time code', 'sms code'],
    leadTo: ['authorizeQuote', 'resendQuoteScaCode', 'confirmCustomerPhoneVerification'],
  },
  {
    words: ['totp', 'authenticator app'],
    leadTo: ['startScaFactorEnrollment', 'confirmScaFactorEnrollment'],
  },
  {
    words: ['passkey', 'webauthn', 'fido', 'oauth', 'embedded wallet'],
    leadTo: ['createAuthCredential', 'startScaFactorEnrollment', '/guides/embedded-wallets'],
  },
  {
    words: ['seed phrase', 'private key', 'mnemonic', 'recovery phrase'],
    leadTo: ['exportInternalAccount', '/concepts/wallets'],
  },
  {
    words: ['crypto', 'blockchain', 'on chain', 'usdc', 'usdt', 'network fee', 'gas'],
    leadTo: ['createCustomerExternalAccount', 'estimateCryptoWithdrawalFee'],
  },
  {
    words: ['bitcoin', 'btc', 'lightning', 'invoice', 'bolt11'],
    leadTo: ['createCustomerExternalAccount', 'lookupUma', '/guides/uma'],
  },
  {
    words: ['stablecoin', 'token issuance', 'issue coin'],
    leadTo: ['registerStablecoin', 'createStablecoinMint', 'listStablecoins'],
  },
  { words: ['mint'], leadTo: ['createStablecoinMint'] },
  { words: ['redeem', 'burn'], leadTo: ['createStablecoinBurn', 'redeemAgentDeviceCode'] },
  {
    words: ['fx', 'exchange rate', 'rate', 'price', 'currency pair', 'forex'],
    leadTo: ['getExchangeRates', 'createQuote'],
  },
  {
    words: ['fee', 'cost', 'pricing'],
    leadTo: ['createQuote', 'getExchangeRates', 'estimateCryptoWithdrawalFee'],
  },
  {
    words: ['webhook', 'callback', 'notification', 'push', 'signature verification'],
    leadTo: ['webhooks', '/guides/receiving-webhooks', 'listEvents', 'sendTestWebhook'],
  },
  {
    words: ['webhook url', 'webhook endpoint'],
    leadTo: ['updatePlatformConfig', '/guides/receiving-webhooks'],
  },
  {
    words: ['replay', 'resend webhook', 'retry webhook'],
    leadTo: ['redeliverEvent', '/concepts/webhooks'],
  },
  { words: ['sse', 'server sent events', 'live'], leadTo: ['streamEvents'] },
  {
    words: ['api key', 'token', 'secret', 'credential', 'access key', 'authentication'],
    leadTo: ['createToken', 'listTokens', 'deleteTokenById'],
  },
  { words: ['rotate key', 'revoke key'], leadTo: ['deleteTokenById', 'createToken'] },
  { words: ['permission', 'scope'], leadTo: ['createToken', 'errors/FORBIDDEN'] },
  { words: ['rate limit', 'throttling', 'too many requests'], leadTo: ['errors/RATE_LIMITED'] },
  {
    words: ['limit', 'daily limit', 'maximum amount', 'minimum amount'],
    leadTo: [
      'getExchangeRates',
      'errors/DAILY_VOLUME_LIMIT_EXCEEDED',
      'errors/TRANSACTION_SIZE_LIMIT_EXCEEDED',
      'updateAgentPolicy',
    ],
  },
  {
    words: ['spending limit', 'budget', 'allowance'],
    leadTo: ['updateAgentPolicy', 'updateCardById'],
  },
  { words: ['ai', 'bot', 'llm', 'assistant', 'mcp'], leadTo: ['createAgent', '/guides/agents'] },
  {
    words: ['approval', 'approve'],
    leadTo: ['approvePendingPayment', 'approveAgentAction', 'listAgentApprovals'],
  },
  {
    words: ['idempotency', 'retry', 'duplicate', 'idempotency key'],
    leadTo: ['/concepts/idempotency', 'errors/IDEMPOTENCY_KEY_REUSED'],
  },
  { words: ['error', 'error code', 'status code'], leadTo: ['errors', '/concepts/errors'] },
  { words: ['pagination', 'cursor', 'paging'], leadTo: ['', 'listTransactions'] },
  {
    words: ['insufficient funds', 'not enough money', 'nsf'],
    leadTo: ['errors/INSUFFICIENT_BALANCE'],
  },
  {
    words: ['test', 'test data', 'test card', 'simulate', 'magic'],
    leadTo: ['listSandboxMagicValues', '/concepts/sandbox'],
  },
  { words: ['time travel', 'test clock'], leadTo: ['advanceSandboxClock', '/concepts/time'] },
  { words: ['log', 'audit', 'request id', 'debug'], leadTo: ['listRequests', 'getTimeline'] },
  {
    words: ['settings', 'configuration', 'branding'],
    leadTo: ['updatePlatformConfig', 'getPlatformConfig'],
  },
  { words: ['invite', 'referral'], leadTo: ['createInvitation'] },
  { words: ['sdk', 'library', 'typescript', 'node', 'npm', 'javascript'], leadTo: ['/guides/sdk'] },
  { words: ['cli', 'terminal', 'command line'], leadTo: ['/guides/command-line'] },
  {
    words: ['docker', 'kubernetes', 'install', 'self host', 'hosting'],
    leadTo: ['/guides/deploy', '/guides/going-to-production'],
  },
  {
    words: ['login', 'log in', 'sign in'],
    leadTo: ['challengeAuthCredential', 'verifyAuthCredential', 'startScaLogin'],
  },
  {
    words: ['wallet'],
    leadTo: ['/concepts/wallets', 'createAuthCredential', 'createCustomerExternalAccount'],
  },
  {
    words: ['provider', 'processor', 'psp', 'bank integration'],
    leadTo: ['/reference/provider-protocol', '/guides/connect-your-bank'],
  },
  { words: ['key rotation', 'master key'], leadTo: ['/runbooks/key-rotation'] },
  { words: ['postman', 'insomnia', 'openapi', 'swagger'], leadTo: [''] },
  {
    words: ['sandbox', 'test mode', 'staging'],
    leadTo: ['/concepts/sandbox', 'tag/Sandbox', 'listSandboxMagicValues'],
  },
]
