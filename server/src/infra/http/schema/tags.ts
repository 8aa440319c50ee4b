/** The groups of the interface, in the order in which the reference shows them, and what each is for. */
export const TAGS = {
  'Platform Configuration':
    'Currencies, required fields, webhook address and UMA domain of the platform.',
  'API Tokens': 'Credentials of the platform, with permissions.',
  Customers:
    'People and companies for whom the platform moves money, one by one or from a CSV file.',
  'Contact Verification': 'Proof of an e-mail address or a telephone number by a code.',
  'KYC/KYB Verifications': 'Who a customer is: hosted link or data, beneficial owners, decisions.',
  Documents: 'Identity papers and proofs of address, checked as they arrive and sealed.',
  'Strong Customer Authentication':
    'Second factors, logins and trusted beneficiaries where the law asks for them.',
  'Embedded Wallet Auth':
    'Passkeys, codes and OAuth of embedded wallets; sessions and keys that sign requests.',
  'Internal Accounts': 'Balances of the platform and its customers, and how to pay into them.',
  'External Accounts': 'Bank accounts and wallets elsewhere, their checks and proof of ownership.',
  Discoveries: 'Which banks and wallets can be paid in a country.',
  VASPs: 'Known providers of virtual-asset services, for the travel rule.',
  'Available UMA Providers': 'Who can be paid by UMA address.',
  'Exchange Rates': 'What the platform pays for a corridor now, fees included.',
  'Cross-Currency Transfers': 'Look up a receiver, quote a price, execute it.',
  'Same-Currency Transfers': 'Deprecated: quotes do this too.',
  Transactions: 'What happened to money, and what is still to be decided about it.',
  Cards: 'Cards that draw on an internal account.',
  'Agent Management':
    'Experimental. Software that may pay for a customer, within a policy and with approvals.',
  'Agent Operations': 'Experimental. What such an agent itself may call, with its own token.',
  Stablecoins: 'Coins issued under the platform’s name: mint, burn, reserves.',
  Invitations: 'UMA addresses for people who are not customers yet.',
  Webhooks: 'Events as they were sent, and sending them again.',
  'Request Log': 'What the platform asked the API, and how it was answered.',
  Timelines: 'What happened to one thing of the platform, and what comes next.',
  Sandbox: 'Play money, counterparties and the clock of a sandbox platform.',
} as const

export type Tag = keyof typeof TAGS
