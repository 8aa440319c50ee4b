// data table
/** What of operators, providers and the service itself a platform sees in a timeline. */

/** Each has an effect that the API shows. Holds, screenings, exceptions and what operators looked at are not among them. */
export const SHOWN_ACTIONS: ReadonlySet<string> = new Set([
  ...['accounts freeze', 'accounts unfreeze', 'accounts provision', 'accounts return'],
  ...['agents pause', 'agents resume', 'agents approve', 'agents reject'],
  ...['cards freeze', 'cards unfreeze', 'cards close', 'cards retry-pull'],
  ...['deposits receive', 'deposits attribute', 'deposits release', 'deposits return'],
  ...['events redeliver', 'external-accounts set-status', 'quotes expire', 'refunds retry'],
  ...[
    'review approve',
    'review reject',
    'review return',
    'settlements confirm',
    'settlements fail',
  ],
  ...['stablecoins revoke-link', 'stablecoins set-status', 'tokens create', 'tokens revoke'],
  ...[
    'sandbox fund',
    'authorizeCard',
    'takeStandIn',
    'clearForeignAmount',
    'approveAgentAction',
    'resumeTransfer',
  ],
])

/** What comes next and can be seen from outside when it happens. */
export const SHOWN_JOBS: ReadonlySet<string> = new Set([
  ...['agents.expireAction', 'bulk-import.scan-file', 'bulk-import.import-rows'],
  ...['cards.provision', 'cards.expire', 'cards.confirmPull', 'cards.endAuthorization'],
  ...['deposits.releaseOnceKnown', 'externalAccounts.passLiveness'],
  ...['quotes.expire', 'quotes.endAuthorization', 'sca.moveReset'],
  ...['stablecoins.verify-link', 'stablecoins.follow-issuance', 'stablecoins.follow-operation'],
  ...['stablecoins.expire-operation', 'transactions.settle', 'wallet-auth.settleRequest'],
  ...['uma.ask', 'uma.beginApproval', 'uma.approvalTimeout', 'uma.handOver', 'webhooks.deliver'],
])
