import type { CommandEntry } from '../../command.ts'

/** Made by `npm run generate` from the commands themselves. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'accounts freeze',
    about: 'Stop an internal account: nothing new moves in or out.',
    takes: ['internalAccountId'],
    options: { note: { about: 'Kept with the audit entry.', value: 'TEXT' } },
    module: 'commands/customers/accounts.ts',
  },
  {
    name: 'accounts list',
    about: 'Internal accounts of a platform with their balances, newest first.',
    options: {
      platform: { about: 'The platform.', value: 'ID', required: true },
      own: { about: 'The platform’s own, instead of those of its customers.', flag: true },
      currency: { about: 'Only in this currency.', value: 'CCY' },
      customer: { about: 'Only of this customer, a deleted one too.', value: 'ID' },
      before: { about: 'Only those older than this account.', value: 'ID' },
      limit: { about: 'At most this many (default 50).', value: 'N' },
    },
    module: 'commands/lists/list-accounts.ts',
  },
  {
    name: 'accounts provision',
    about:
      'A bank has opened a pending account of production: it is active from now on. With --failed, it will not be opened.',
    takes: ['internalAccountId'],
    options: {
      instruction: {
        about:
          'Where the account is paid into, as the API shows it (accountOrWalletInfo); may be repeated.',
        value: 'JSON',
        repeatable: true,
      },
      failed: { about: 'The bank does not open it.', flag: true },
    },
    module: 'commands/customers/accounts.ts',
  },
  {
    name: 'accounts return',
    about:
      'Move the whole balance of a rejected or deleted customer’s account to the platform’s own account.',
    takes: ['internalAccountId'],
    options: {
      reason: { about: 'Why; kept with the movement.', value: 'TEXT', required: true },
      reference: {
        about: 'What to find it by; unique for the platform. Made where none is given.',
        value: 'TEXT',
      },
    },
    module: 'commands/money/balance-returns.ts',
  },
  {
    name: 'accounts returnable',
    about:
      'Balances of rejected or deleted customers that only the operator can move, oldest first.',
    options: {
      platform: { about: 'Only of this platform.', value: 'ID' },
      after: {
        about:
          'Go on after this row: its time and id, as in 2026-01-31T08:00:00.000Z/Transaction:….',
        value: 'TIME/ID',
      },
      limit: { about: 'At most this many (default 50).', value: 'N' },
    },
    module: 'commands/money/balance-returns.ts',
  },
  {
    name: 'accounts show',
    about:
      'One internal account: its balances, why only the operator can move them, and how it is paid into.',
    takes: ['internalAccountId'],
    module: 'commands/customers/accounts.ts',
  },
  {
    name: 'accounts unfreeze',
    about: 'Let a frozen internal account move again; after a block by a provider with a note.',
    takes: ['internalAccountId'],
    options: { note: { about: 'Kept with the audit entry.', value: 'TEXT' } },
    module: 'commands/customers/accounts.ts',
  },
  {
    name: 'agents approve',
    about: 'Approve an action of an agent for its platform; the payment begins, or it fails.',
    takes: ['agentId', 'actionId'],
    options: { note: { about: 'Kept with the audit entry.', value: 'TEXT' } },
    module: 'commands/customers/agents.ts',
  },
  {
    name: 'agents list',
    about:
      'Agents of one platform or of all, newest first, with the actions that wait for approval.',
    options: {
      platform: { about: 'Only of this platform.', value: 'ID' },
      customer: { about: 'Only of this customer.', value: 'ID' },
      status: { about: 'One of ACTIVE, PAUSED.', value: 'NAME' },
      since: { about: 'Only from this day (UTC) or time on.', value: 'DAY|TIME' },
      until: {
        about: 'Only to the end of this day (UTC), or before this time.',
        value: 'DAY|TIME',
      },
      before: { about: 'Only those older than this one.', value: 'ID' },
      limit: { about: 'At most this many (default 50, at most 100).', value: 'N' },
    },
    module: 'commands/lists/list-agents.ts',
  },
  {
    name: 'agents pause',
    about: 'Stop an agent: whatever it asks for is refused until it is resumed.',
    takes: ['agentId'],
    options: { note: { about: 'Kept with the audit entry.', value: 'TEXT' } },
    module: 'commands/customers/agents.ts',
  },
  {
    name: 'agents reject',
    about: 'Reject an action of an agent for its platform; no money moves.',
    takes: ['agentId', 'actionId'],
    options: {
      note: { about: 'Kept with the audit entry.', value: 'TEXT' },
      reason: { about: 'Shown to the platform and the agent.', value: 'TEXT' },
    },
    module: 'commands/customers/agents.ts',
  },
  {
    name: 'agents resume',
    about: 'Let a paused agent act again within its policy.',
    takes: ['agentId'],
    options: { note: { about: 'Kept with the audit entry.', value: 'TEXT' } },
    module: 'commands/customers/agents.ts',
  },
  {
    name: 'agents show',
    about: 'One agent with its policy, what it has used of it, and its newest actions.',
    takes: ['agentId'],
    module: 'commands/customers/agents.ts',
  },
  {
    name: 'audit export',
    about: 'Write the entries of each chain with seq, hash and note as JSON lines into a new file.',
    options: {
      platform: { about: 'Only of this platform.', value: 'ID' },
      from: { about: 'The first place in each chain (default 1).', value: 'SEQ' },
      to: {
        about: 'The file; it must not be there yet.',
        value: 'FILE',
        required: true,
        isPath: true,
      },
    },
    module: 'commands/service/audit.ts',
  },
  {
    name: 'audit list',
    about: 'Who changed what, newest first.',
    options: {
      platform: { about: 'Only of this platform.', value: 'ID' },
      actor: {
        about: 'Only by whom this begins, as in operator:anna; may be repeated.',
        value: 'TEXT',
        repeatable: true,
      },
      action: { about: 'Only actions that begin like this, as in review.', value: 'TEXT' },
      resource: {
        about: 'Only what was done to this; may be repeated.',
        value: 'ID',
        repeatable: true,
      },
      before: { about: 'Only what is older than this entry.', value: 'ENTRY_ID' },
      limit: { about: 'At most this many (default 50).', value: 'N' },
    },
    module: 'commands/service/audit.ts',
  },
  {
    name: 'audit verify',
    about: 'Compute every chain of the audit again and name entries that were changed or removed.',
    options: {
      platform: { about: 'Only of this platform.', value: 'ID' },
      anchor: {
        about:
          'JSON lines with earlier heads of the chains, such as a log or what the sink received.',
        value: 'FILE',
        isPath: true,
      },
    },
    module: 'commands/service/audit.ts',
  },
  {
    name: 'backup',
    about: 'One encrypted file with database and uploaded files. The service may run beside it.',
    options: {
      to: { about: 'The file, which must not exist.', value: 'FILE', required: true },
      keep: {
        about: 'How many backups to keep in its folder; older ones are removed.',
        value: 'N',
      },
    },
    module: 'commands/service/backup.ts',
  },
  {
    name: 'card-exceptions list',
    about: 'Card transactions with a part that the service paid, oldest first.',
    options: {
      platform: { about: 'Only of this platform.', value: 'ID' },
      after: {
        about:
          'Go on after this row: its time and id, as in 2026-01-31T08:00:00.000Z/Transaction:….',
        value: 'TIME/ID',
      },
      limit: { about: 'At most this many (default 50).', value: 'N' },
    },
    module: 'commands/lists/list-card-exceptions.ts',
  },
  {
    name: 'card-exceptions show',
    about: 'A card transaction, what the service bore of it, its card and its account.',
    takes: ['cardTransactionId'],
    module: 'commands/cards/exceptions.ts',
  },
  {
    name: 'cards close',
    about: 'Close a card for good.',
    takes: ['cardId'],
    module: 'commands/cards/exceptions.ts',
  },
  {
    name: 'cards freeze',
    about: 'Stop a card: every authorization is declined until it is unfrozen.',
    takes: ['cardId'],
    options: { note: { about: 'Kept with the audit entry.', value: 'TEXT' } },
    module: 'commands/cards/cards.ts',
  },
  {
    name: 'cards list',
    about: 'Cards of one platform or of all, newest first.',
    options: {
      platform: { about: 'Only of this platform.', value: 'ID' },
      customer: { about: 'Only of this customer.', value: 'ID' },
      status: { about: 'One of PENDING_KYC, PROCESSING, ACTIVE, FROZEN, CLOSED.', value: 'NAME' },
      since: { about: 'Only from this day (UTC) or time on.', value: 'DAY|TIME' },
      until: {
        about: 'Only to the end of this day (UTC), or before this time.',
        value: 'DAY|TIME',
      },
      before: { about: 'Only those older than this one.', value: 'ID' },
      limit: { about: 'At most this many (default 50, at most 100).', value: 'N' },
    },
    module: 'commands/lists/list-cards.ts',
  },
  {
    name: 'cards retry-pull',
    about: 'Take from the account what the service bore for a card transaction.',
    takes: ['cardTransactionId'],
    module: 'commands/cards/exceptions.ts',
  },
  {
    name: 'cards show',
    about: 'One card as the API shows it.',
    takes: ['cardId'],
    module: 'commands/cards/cards.ts',
  },
  {
    name: 'cards unfreeze',
    about: 'Let a frozen card pay again.',
    takes: ['cardId'],
    options: { note: { about: 'Kept with the audit entry.', value: 'TEXT' } },
    module: 'commands/cards/cards.ts',
  },
  {
    name: 'customers erase',
    about:
      'Erase the personal data of a deleted or rejected customer whose period is over. It cannot be undone.',
    takes: ['customerId'],
    mayOmitArguments: true,
    options: {
      note: { about: 'Why; kept with the audit entry.', value: 'TEXT' },
      'override-period': {
        about: 'No law keeps the data as long as RETENTION_CUSTOMER_YEARS says.',
        flag: true,
      },
      replay: {
        about: 'Repeat the erasures of this erasures.jsonl that the database lacks.',
        value: 'FILE',
        isPath: true,
      },
    },
    module: 'commands/customers/retention.ts',
  },
  {
    name: 'customers export',
    about: 'Write all data held about a customer into a new file, its documents beside it.',
    takes: ['customerId'],
    options: {
      to: {
        about: 'The file; it must not be there yet.',
        value: 'FILE',
        required: true,
        isPath: true,
      },
    },
    module: 'commands/customers/retention.ts',
  },
  {
    name: 'customers legal-hold',
    about: 'Keep the data of a customer from being erased (state on), or allow it again (off).',
    takes: ['customerId', 'state'],
    options: { note: { about: 'Why; kept with the audit entry.', value: 'TEXT', required: true } },
    module: 'commands/customers/retention.ts',
  },
  {
    name: 'customers list',
    about: 'Customers of one platform or of all, newest first, without deleted ones.',
    options: {
      platform: { about: 'Only of this platform.', value: 'ID' },
      status: { about: 'One of UNVERIFIED, PENDING, APPROVED, REJECTED, HOLD.', value: 'NAME' },
      type: { about: 'INDIVIDUAL or BUSINESS.', value: 'NAME' },
      before: { about: 'Only those older than this customer.', value: 'ID' },
      erasable: {
        about: 'Instead those deleted or rejected whose data may be erased, longest first.',
        flag: true,
      },
      limit: { about: 'At most this many (default 50).', value: 'N' },
    },
    module: 'commands/lists/list-customers.ts',
  },
  {
    name: 'customers show',
    about:
      'A customer with verifications, accounts, cards, latest transactions and what the platform was told of it.',
    takes: ['customerId'],
    module: 'commands/customers/customers.ts',
  },
  {
    name: 'dashboard link',
    about:
      'Print an address that signs in to the dashboard. It works once, for 15 minutes; what is then done is audited under the name.',
    options: {
      name: { about: 'Who signs in (default florin); stands in audit entries.', value: 'NAME' },
    },
    module: 'commands/service/dashboard.ts',
  },
  {
    name: 'dashboard sign-out-all',
    about: 'End every session of the dashboard, and take back links that were not used.',
    module: 'commands/service/dashboard.ts',
  },
  {
    name: 'deposits attribute',
    about: 'A deposit that was nobody’s belongs to an internal account, which is credited.',
    takes: ['depositId'],
    options: {
      to: { about: 'The internal account.', value: 'INTERNAL_ACCOUNT_ID', required: true },
      note: { about: 'Kept with the audit entry; required after a BLOCK.', value: 'TEXT' },
    },
    module: 'commands/money/deposits.ts',
  },
  {
    name: 'deposits list',
    about:
      'Deposits that wait for the operator, oldest first: nobody’s, held for review, to be sent back.',
    options: {
      all: { about: 'Every deposit that was reported, newest first.', flag: true },
      status: {
        about: 'One of PENDING, DROPPED, UNATTRIBUTED, HELD, TAKEN, RETURNING, RETURNED.',
        value: 'NAME',
      },
      since: { about: 'Only from this day (UTC) or time on.', value: 'DAY|TIME' },
      until: {
        about: 'Only to the end of this day (UTC), or before this time.',
        value: 'DAY|TIME',
      },
      currency: { about: 'Only in this currency.', value: 'CODE' },
      'amount-min': { about: 'Only this much of the currency or more, as 82.71.', value: 'AMOUNT' },
      'amount-max': { about: 'Only this much of the currency or less, as 82.71.', value: 'AMOUNT' },
      rail: { about: 'Only over this payment rail or network, as ACH or SOLANA.', value: 'RAIL' },
      platform: { about: 'Only of this platform.', value: 'ID' },
      after: {
        about:
          'Go on after this row: its time and id, as in 2026-01-31T08:00:00.000Z/Transaction:….',
        value: 'TIME/ID',
      },
      limit: { about: 'At most this many (default 50).', value: 'N' },
    },
    module: 'commands/lists/list-deposits.ts',
  },
  {
    name: 'deposits receive',
    about:
      'Money came in over a bank or a chain. It goes to whom its number, address or reference names; else it waits.',
    options: {
      amount: { about: "In the currency's smallest unit.", value: 'N', required: true },
      currency: { about: 'What came.', value: 'CODE', required: true },
      rail: { about: 'The payment rail or network it came over.', value: 'RAIL', required: true },
      trace: {
        about: 'What the bank or chain calls the movement; the same one is refused again.',
        value: 'TEXT',
        required: true,
      },
      to: { about: 'The account number or address it was sent to.', value: 'TEXT' },
      reference: { about: 'What the sender wrote on it.', value: 'TEXT' },
      sender: { about: 'Who sent it.', value: 'NAME' },
      environment: { about: 'PRODUCTION (default) or SANDBOX.', value: 'NAME' },
      review: { about: 'Hold it until it is released or returned.', flag: true },
    },
    module: 'commands/money/deposits.ts',
  },
  {
    name: 'deposits release',
    about: 'A deposit that was held for review may be spent.',
    takes: ['depositId'],
    options: {
      note: { about: 'Kept with the audit entry; required after a BLOCK.', value: 'TEXT' },
    },
    module: 'commands/money/deposits.ts',
  },
  {
    name: 'deposits return',
    about:
      'A deposit was sent back: nobody’s, one that was held, one that came too late for its quote.',
    takes: ['depositId'],
    module: 'commands/money/deposits.ts',
  },
  {
    name: 'deposits show',
    about: 'What came, whose it is, and what has become of it.',
    takes: ['depositId'],
    module: 'commands/lists/list-deposits.ts',
  },
  {
    name: 'doctor',
    about: 'Look whether this installation is in order.',
    module: 'commands/doctor/doctor.ts',
  },
  {
    name: 'events list',
    about: 'What platforms were told, newest first, and whether it arrived.',
    options: {
      platform: { about: 'Only what this platform was told.', value: 'ID' },
      type: { about: 'Only of this type.', value: 'TYPE' },
      status: {
        about: 'Only FAILED ones, which were given up, or PENDING ones, which wait for an attempt.',
        value: 'STATUS',
      },
      since: { about: 'Only from this day (UTC) or time on.', value: 'DAY|TIME' },
      until: {
        about: 'Only to the end of this day (UTC), or before this time.',
        value: 'DAY|TIME',
      },
      before: { about: 'Only what is older than this event.', value: 'EVENT_ID' },
      limit: { about: 'At most this many (default 50, at most 100).', value: 'N' },
    },
    module: 'commands/service/events.ts',
  },
  {
    name: 'events redeliver',
    about:
      'Send an event again, with the same id, to the present endpoint; a running service does it.',
    takes: ['eventId'],
    module: 'commands/service/events.ts',
  },
  {
    name: 'events show',
    about: 'One event with its body and every attempt to deliver it.',
    takes: ['eventId'],
    module: 'commands/service/events.ts',
  },
  {
    name: 'exceptions list',
    about: 'What only an operator may decide, oldest first.',
    options: {
      all: { about: 'Those that are resolved too, newest first.', flag: true },
      platform: { about: 'Only of this platform.', value: 'ID' },
      after: {
        about:
          'Go on after this row: its time and id, as in 2026-01-31T08:00:00.000Z/Transaction:….',
        value: 'TIME/ID',
      },
      limit: { about: 'At most this many (default 50).', value: 'N' },
    },
    module: 'commands/providers/exceptions.ts',
  },
  {
    name: 'exceptions resolve',
    about: 'Say what is true; the order comes into that state with all that follows.',
    takes: ['exceptionId'],
    options: {
      as: {
        about:
          'SETTLED, FAILED, IGNORED, RETURNED, RELEASED, REFUSED, as the type of exception allows.',
        value: 'HOW',
        required: true,
      },
      note: { about: 'What was found out.', value: 'TEXT', required: true },
      amount: { about: 'With RETURNED: how much came back, in the smallest unit.', value: 'N' },
      reference: {
        about: 'What the outside calls the movement; of a wallet payout the transaction’s hash.',
        value: 'TEXT',
      },
      bear: {
        about: 'PLATFORM or SERVICE: who pays for what was paid out and refunded.',
        value: 'WHO',
      },
    },
    module: 'commands/providers/exceptions.ts',
  },
  {
    name: 'exceptions show',
    about: 'One exception with both statements, and its order.',
    takes: ['exceptionId'],
    module: 'commands/providers/exceptions.ts',
  },
  {
    name: 'external-accounts list',
    about: 'External accounts of a platform, newest first, without their numbers.',
    options: {
      platform: { about: 'The platform.', value: 'ID', required: true },
      own: { about: 'The platform’s own, instead of those of its customers.', flag: true },
      currency: { about: 'Only in this currency.', value: 'CCY' },
      customer: { about: 'Only of this customer.', value: 'ID' },
      before: { about: 'Only those older than this account.', value: 'ID' },
      limit: { about: 'At most this many (default 50).', value: 'N' },
    },
    module: 'commands/customers/payees.ts',
  },
  {
    name: 'external-accounts set-status',
    about: 'Set the status of an external account: ACTIVE, UNDER_REVIEW, INACTIVE.',
    takes: ['externalAccountId', 'status'],
    options: {
      note: {
        about: 'Kept with the audit entry; required to undo a block by a provider.',
        value: 'TEXT',
      },
    },
    module: 'commands/customers/external-accounts.ts',
  },
  {
    name: 'external-accounts show',
    about: 'One external account, a government’s numbers masked.',
    takes: ['externalAccountId'],
    module: 'commands/customers/payees.ts',
  },
  {
    name: 'fees set',
    about: 'What the service charges a platform; binds new quotes only.',
    options: {
      platform: { about: 'The platform.', value: 'ID', required: true },
      'service-bps': { about: 'Hundredths of a percent of a conversion.', value: 'N' },
      'service-fixed': { about: 'Per conversion that sends the currency.', value: 'CCY:N' },
      'application-fee': { about: 'Per withdrawal of the coin over a network.', value: 'CCY:N' },
      'spread-bps': { about: 'Kept back in the rate of every pair, or of --pair.', value: 'N' },
      pair: { about: 'Of --spread-bps: the currencies sent and received.', value: 'CCY:CCY' },
    },
    module: 'commands/money/payments.ts',
  },
  {
    name: 'figures list',
    about:
      'Payments, balances, webhooks, cards and what waits, summed by hour (24h, 7d) or day (30d, 90d). Platforms whose clock is ahead are placed by how long ago something is on it.',
    options: {
      range: { about: 'One of 24h, 7d, 30d, 90d (default 24h).', value: 'RANGE' },
      platform: { about: 'Only of this platform.', value: 'ID' },
    },
    module: 'commands/money/figures.ts',
  },
  {
    name: 'filters delete',
    about: 'Keep the filters of a list no longer.',
    options: {
      section: {
        about: 'The list, as the dashboard’s address calls it.',
        value: 'NAME',
        required: true,
      },
      name: { about: 'What it is kept under.', value: 'TEXT', required: true },
    },
    module: 'commands/operators/saved-filters.ts',
  },
  {
    name: 'filters list',
    about: 'The filters that you keep.',
    options: {
      section: { about: 'The list, as the dashboard’s address calls it.', value: 'NAME' },
    },
    module: 'commands/operators/saved-filters.ts',
  },
  {
    name: 'filters save',
    about: 'Keep the filters of a list under a name; one of the same name is replaced.',
    options: {
      section: {
        about: 'The list, as the dashboard’s address calls it.',
        value: 'NAME',
        required: true,
      },
      name: { about: 'What it is kept under.', value: 'TEXT', required: true },
      query: {
        about: 'The filters as in the address, status=FAILED&currency=USD.',
        value: 'QUERY',
        required: true,
      },
    },
    module: 'commands/operators/saved-filters.ts',
  },
  {
    name: 'jobs list',
    about: 'Dead jobs, or with --waiting those that wait.',
    options: {
      waiting: { about: 'The waiting ones.', flag: true },
      platform: { about: 'Only of this platform.', value: 'ID' },
      limit: { about: 'At most this many (default 50).', value: 'N' },
    },
    module: 'commands/service/service.ts',
  },
  {
    name: 'jobs retry',
    about: 'Let a dead or failing job run again now.',
    takes: ['jobId'],
    module: 'commands/service/service.ts',
  },
  {
    name: 'jobs show',
    about: 'One job, and why it failed last.',
    takes: ['jobId'],
    module: 'commands/service/service.ts',
  },
  {
    name: 'keys check',
    about: 'Whether each master key is the one of this database, and what it protects.',
    module: 'commands/service/keys.ts',
  },
  {
    name: 'keys reseal',
    about:
      'Seal everything that older master keys protect again under the newest. The service may run beside it; a run that was stopped is taken up by the next.',
    options: { batch: { about: 'Values per transaction (default 200).', value: 'N' } },
    module: 'commands/service/keys.ts',
  },
  {
    name: 'ledger balances',
    about:
      'What the book holds by class of account and currency, in smallest units. Reads all of it, unless only exceptions are asked for.',
    options: {
      platform: { about: 'Only in the book of this platform.', value: 'ID' },
      exceptions: { about: 'Only money without a home and what platforms owe.', flag: true },
    },
    module: 'commands/money/ledger.ts',
  },
  {
    name: 'ledger check',
    about: 'Verify the whole book in one snapshot; exit status 1 if it is not sound.',
    module: 'commands/money/ledger.ts',
  },
  {
    name: 'limits set',
    about: 'The most a platform may send in a currency, at once and on one day (UTC).',
    options: {
      platform: { about: 'The platform.', value: 'ID', required: true },
      currency: { about: 'The currency sent.', value: 'CCY', required: true },
      to: { about: 'Only towards this currency.', value: 'CCY' },
      'max-transaction': { about: 'At once, in smallest units.', value: 'N' },
      'daily-volume': { about: 'On one day, in smallest units.', value: 'N' },
    },
    module: 'commands/money/payments.ts',
  },
  {
    name: 'look-up',
    about:
      'What has this id, in whichever platform, or is called so. Also a bare uuid, a platformCustomerId, a UMA address, a reference of a payment or refund, a name, e-mail address or phone number, an amount, the last four digits of a card.',
    takes: ['id'],
    module: 'commands/customers/look-up.ts',
  },
  {
    name: 'migrate',
    about: 'Bring the database to the newest schema.',
    module: 'commands/service/service.ts',
  },
  {
    name: 'network-fees set',
    about: 'Set what a payout over a network costs in production; binds new quotes only.',
    options: {
      network: {
        about: 'One of SOLANA, ETHEREUM, BASE, POLYGON, TRON, PLASMA, SPARK, LIGHTNING, BITCOIN.',
        value: 'NAME',
        required: true,
      },
      fee: {
        about: 'In the smallest unit of the network’s gas asset: lamport, wei, sun, satoshi.',
        value: 'N',
        required: true,
      },
    },
    module: 'commands/service/network-fees.ts',
  },
  {
    name: 'network-fees show',
    about: 'What a payout over each network costs in production; one without a fee is not served.',
    module: 'commands/service/network-fees.ts',
  },
  {
    name: 'operator-tokens create',
    about: 'Make a token that a program acts by as an operator; it is shown once.',
    options: {
      operator: { about: 'Whose it is, by id or name.', value: 'OPERATOR' },
      name: { about: 'What audit entries call it.', value: 'NAME', required: true },
      roles: {
        about: 'Some of VIEWER,REVIEWER,TREASURER,ADMIN,DEVELOPER. At most those of the operator.',
        value: 'LIST',
      },
      platform: {
        about: 'Limited to this platform; may be repeated.',
        value: 'ID',
        repeatable: true,
      },
      commands: { about: 'Limited to these, as settlements.confirm,look-up.', value: 'LIST' },
      address: { about: 'Only from here; may be repeated.', value: 'CIDR', repeatable: true },
      'expires-in': { about: '1 to 365.', value: 'DAYS' },
      personal: {
        about: 'For yourself, for 12 hours, on the dashboard only: it acts as you.',
        flag: true,
      },
    },
    module: 'commands/operators/operator-tokens.ts',
  },
  {
    name: 'operator-tokens list',
    about: 'Tokens that work, oldest first: your own; of an ADMIN those of all operators.',
    options: {
      operator: { about: 'Only of this operator, by id or name.', value: 'OPERATOR' },
      own: { about: 'Only your own.', flag: true },
    },
    module: 'commands/operators/operator-tokens.ts',
  },
  {
    name: 'operator-tokens revoke',
    about: 'End a token, at once.',
    takes: ['operatorTokenId'],
    module: 'commands/operators/operator-tokens.ts',
  },
  {
    name: 'operators disable',
    about: 'End the sessions, links and tokens of an operator, and let it in no more.',
    takes: ['operator'],
    module: 'commands/operators/operators.ts',
  },
  {
    name: 'operators enable',
    about: 'Let a disabled operator in again.',
    takes: ['operator'],
    module: 'commands/operators/operators.ts',
  },
  {
    name: 'operators invite',
    about: 'Make an operator, and a link that signs in once within 72 hours.',
    options: {
      name: { about: 'What audit entries call them.', value: 'NAME', required: true },
      email: { about: 'Where the link is sent, by you.', value: 'ADDRESS', required: true },
      roles: {
        about: 'Some of VIEWER,REVIEWER,TREASURER,ADMIN,DEVELOPER.',
        value: 'LIST',
        required: true,
      },
      platform: {
        value: 'ID',
        repeatable: true,
        about: 'Limited to this platform; may be repeated.',
      },
    },
    module: 'commands/operators/operators.ts',
  },
  {
    name: 'operators list',
    about: 'Everybody who runs the service, oldest first.',
    module: 'commands/operators/operators.ts',
  },
  {
    name: 'operators recover',
    about:
      'Make an administrator where none can sign in any more, and a link for it. `doctor` shows it for 7 days.',
    options: {
      name: { about: 'Of a new operator or a known one.', value: 'NAME', required: true },
    },
    module: 'commands/operators/operators.ts',
  },
  {
    name: 'operators show',
    about: 'One operator, by id or name; for an ADMIN and for oneself with the tokens that work.',
    takes: ['operator'],
    module: 'commands/operators/operators.ts',
  },
  {
    name: 'operators update',
    about: 'Replace the name, the roles or the platforms of an operator.',
    takes: ['operator'],
    options: {
      name: { about: 'Its new name.', value: 'NAME' },
      roles: { about: 'Some of VIEWER,REVIEWER,TREASURER,ADMIN,DEVELOPER.', value: 'LIST' },
      platform: {
        value: 'ID',
        repeatable: true,
        about: 'Limited to this platform, or `none`; may be repeated.',
      },
    },
    module: 'commands/operators/operators.ts',
  },
  {
    name: 'orders ask',
    about: 'Ask the provider at once what became of an order.',
    takes: ['orderId'],
    module: 'commands/providers/orders.ts',
  },
  {
    name: 'orders list',
    about: 'What providers outside were asked to do, oldest first.',
    options: {
      open: { about: 'Only those whose outcome is still to come.', flag: true },
      newest: { about: 'Newest first.', flag: true },
      provider: { about: 'Only of this provider: its name or id.', value: 'PROVIDER' },
      state: {
        about:
          'Only in this state: QUEUED, UNKNOWN, ACCEPTED, SENT, SETTLED, RETURNED, DECIDED, FAILED.',
        value: 'STATE',
      },
      transaction: { about: 'Only of this payment.', value: 'ID' },
      since: { about: 'Only from this day (UTC) or time on.', value: 'DAY|TIME' },
      until: {
        about: 'Only to the end of this day (UTC), or before this time.',
        value: 'DAY|TIME',
      },
      currency: { about: 'Only in this currency.', value: 'CODE' },
      'amount-min': { about: 'Only this much of the currency or more, as 82.71.', value: 'AMOUNT' },
      'amount-max': { about: 'Only this much of the currency or less, as 82.71.', value: 'AMOUNT' },
      platform: { about: 'Only of this platform.', value: 'ID' },
      after: {
        about:
          'Go on after this row: its time and id, as in 2026-01-31T08:00:00.000Z/Transaction:….',
        value: 'TIME/ID',
      },
      limit: { about: 'At most this many (default 50).', value: 'N' },
    },
    module: 'commands/providers/orders.ts',
  },
  {
    name: 'orders reassign',
    about: 'Give an order that was never sent to another provider.',
    takes: ['orderId'],
    options: { provider: { about: 'Its name or id.', value: 'PROVIDER', required: true } },
    module: 'commands/providers/orders.ts',
  },
  {
    name: 'orders show',
    about: 'One order with all that its provider said.',
    takes: ['orderId'],
    module: 'commands/providers/orders.ts',
  },
  {
    name: 'ownership approve',
    about: 'Confirm that a wallet is its holder’s.',
    takes: ['externalAccountId'],
    module: 'commands/customers/external-accounts.ts',
  },
  {
    name: 'ownership list',
    about: 'Liveness checks that wait for a decision, oldest first.',
    options: {
      platform: { about: 'Only of this platform.', value: 'ID' },
      after: {
        about:
          'Go on after this row: its time and id, as in 2026-01-31T08:00:00.000Z/Transaction:….',
        value: 'TIME/ID',
      },
      limit: { about: 'At most this many (default 50).', value: 'N' },
    },
    module: 'commands/lists/list-ownership.ts',
  },
  {
    name: 'ownership reject',
    about: 'Refuse a liveness check; the account becomes UNVERIFIED.',
    takes: ['externalAccountId'],
    module: 'commands/customers/external-accounts.ts',
  },
  {
    name: 'ownership show',
    about: 'A wallet, whose it is said to be, and how its proof stands.',
    takes: ['externalAccountId'],
    module: 'commands/customers/external-accounts.ts',
  },
  {
    name: 'platforms create',
    about:
      'Make a platform with its accounts, webhook keys and a first token; the secret is shown once.',
    options: {
      name: { about: 'Name of the platform.', value: 'NAME', required: true },
      kind: {
        about: 'REGULATED runs its own compliance, UNREGULATED leaves it to us.',
        value: 'KIND',
        required: true,
      },
      currencies: { about: 'Supported currencies, as in USD,EUR.', value: 'CODES', required: true },
      environment: { about: 'SANDBOX (default) or PRODUCTION.', value: 'NAME' },
      'skip-verification-paperwork': {
        about: 'Verify by data alone; in sandbox only.',
        flag: true,
      },
      'strict-identifiers': {
        about: 'Check identifiers strictly in sandbox too: on or off.',
        value: 'SWITCH',
        isSwitch: true,
      },
      'passkey-origin': {
        about: 'Origin from which passkeys are taken; may be repeated.',
        value: 'URL',
        repeatable: true,
      },
      'card-origin': {
        about: 'Origin whose pages may hold card numbers in a frame; may be repeated.',
        value: 'URL',
        repeatable: true,
      },
    },
    module: 'commands/service/platforms.ts',
  },
  {
    name: 'platforms list',
    about: 'All platforms, oldest first.',
    module: 'commands/lists/list-platforms.ts',
  },
  {
    name: 'platforms rotate-webhook-key',
    about: 'Make a new webhook key pair; attempts from now on are signed with it.',
    takes: ['platformId'],
    module: 'commands/service/platforms.ts',
  },
  {
    name: 'platforms show',
    about: 'One platform with its webhook public key, currencies, tokens, fees and limits.',
    takes: ['platformId'],
    module: 'commands/service/platforms.ts',
  },
  {
    name: 'platforms update',
    about: 'Change what only the operator may change; applies to what comes after.',
    takes: ['platformId'],
    options: {
      name: { about: 'New name.', value: 'NAME' },
      'skip-verification-paperwork': {
        about: 'Verify by data alone, in sandbox only: on or off.',
        value: 'SWITCH',
        isSwitch: true,
      },
      'strict-identifiers': {
        about: 'Check identifiers strictly in sandbox too: on or off.',
        value: 'SWITCH',
        isSwitch: true,
      },
      'travel-rule': {
        about: 'Ask for wallet ownership everywhere: on or off.',
        value: 'SWITCH',
        isSwitch: true,
      },
      'onboarding-url': {
        about: 'Where an invited person signs up; a production platform invites with it only.',
        value: 'URL',
      },
      'passkey-origin': {
        about:
          'Origin from which passkeys are taken; may be repeated. Replaces those named before; none takes them back.',
        value: 'URL',
        repeatable: true,
      },
      'card-origin': {
        about:
          'Origin whose pages may hold card numbers in a frame; may be repeated. Replaces those named before; none takes them back.',
        value: 'URL',
        repeatable: true,
      },
    },
    module: 'commands/service/platforms.ts',
  },
  {
    name: 'proposals approve',
    about: 'Agree to what another operator proposed: the command is run now, and answered.',
    takes: ['proposalId'],
    module: 'commands.ts',
  },
  {
    name: 'proposals list',
    about: 'Commands that wait for a second operator, oldest first.',
    options: {
      all: { about: 'Those that are decided too.', flag: true },
      platform: { about: 'Only of this platform.', value: 'ID' },
      after: {
        about:
          'Go on after this row: its time and id, as in 2026-01-31T08:00:00.000Z/Transaction:….',
        value: 'TIME/ID',
      },
      limit: { about: 'At most this many (default 50).', value: 'N' },
    },
    module: 'proposals/commands.ts',
  },
  {
    name: 'proposals reject',
    about: 'Refuse what another operator proposed.',
    takes: ['proposalId'],
    options: { note: { about: 'Kept with the audit entry.', value: 'TEXT' } },
    module: 'commands.ts',
  },
  {
    name: 'proposals show',
    about: 'One proposal: the command, what it is given, who proposed it, and what became of it.',
    takes: ['proposalId'],
    module: 'proposals/commands.ts',
  },
  {
    name: 'proposals withdraw',
    about: 'Take back a proposal of one’s own.',
    takes: ['proposalId'],
    module: 'proposals/commands.ts',
  },
  {
    name: 'providers add',
    about:
      'Register who answers for ports. Prints the secret of an http provider, once, and the addresses that it may call.',
    options: {
      name: { about: 'Its name among the operators.', value: 'NAME', required: true },
      kind: { about: 'http, manual or, in SANDBOX, sandbox.', value: 'KIND', required: true },
      ports: {
        about: 'Some of rails,deposits,identity,screening,cards,stablecoins,prices,messages.',
        value: 'LIST',
        required: true,
      },
      environment: { about: 'PRODUCTION (default) or SANDBOX.', value: 'NAME' },
      url: { about: 'Address of an http provider; https but for loopback.', value: 'URL' },
      platform: {
        about: 'Serves this platform only; may be repeated.',
        value: 'ID',
        repeatable: true,
      },
      rail: {
        about: 'Takes orders of this rail only; may be repeated.',
        value: 'RAIL',
        repeatable: true,
      },
      currency: {
        about: 'Takes orders of this currency only; may be repeated.',
        value: 'CODE',
        repeatable: true,
      },
      'account-type': {
        about: 'Takes orders to this type of account only; may be repeated.',
        value: 'TYPE',
        repeatable: true,
      },
      ca: {
        about: 'Certificate authorities in place of the public ones, in PEM.',
        value: 'FILE',
        isPath: true,
      },
      config: { about: 'What its kind can be set to.', value: 'JSON', isSecret: true },
      window: { about: 'How long an order without an answer is sent again.', value: 'SECONDS' },
      'max-in-flight': { about: 'Orders sent at a time, at most (default 8).', value: 'N' },
      'authorization-deadline-ms': {
        about: 'Time for a card decision (default 2000).',
        value: 'N',
      },
      'payment-threshold': { about: 'Smaller payments are not screened.', value: 'USD:CENTS' },
    },
    module: 'commands/providers/providers.ts',
  },
  {
    name: 'providers list',
    about: 'Who answers for the ports: registered providers, then built-in ones; without secrets.',
    options: {
      port: { about: 'Only those of this port.', value: 'PORT' },
      platform: { about: 'Only those that may serve this platform.', value: 'ID' },
    },
    module: 'commands/providers/providers.ts',
  },
  {
    name: 'providers remove',
    about: 'End a registration; refused while orders or exceptions of it are open.',
    takes: ['provider'],
    module: 'commands/providers/providers.ts',
  },
  {
    name: 'providers rotate-secret',
    about: 'Make a second secret, shown once; the former one holds for the overlap.',
    takes: ['provider'],
    options: {
      'overlap-hours': { about: 'How long both hold (default 24, 0 to 168).', value: 'N' },
    },
    module: 'commands/providers/providers.ts',
  },
  {
    name: 'providers show',
    about:
      'One provider, by id or name, without secrets; and who answers for its ports without it.',
    takes: ['provider'],
    module: 'commands/providers/providers.ts',
  },
  {
    name: 'providers test',
    about: 'Hold a provider against the protocol. It is sent test orders only, and no money moves.',
    takes: ['url'],
    mayOmitArguments: true,
    options: {
      secret: {
        about: 'Its secret; a second one tests a rotation. May be repeated.',
        repeatable: true,
      },
      ports: {
        about:
          'Ports that it must have: rails, identity, screening, deposits, cards, prices. Otherwise those it does not refuse.',
        value: 'LIST',
      },
      case: { about: 'Only this case, such as C2. May be repeated.', value: 'C', repeatable: true },
      list: { about: 'Print the cases instead.', flag: true },
    },
    module: 'commands/providers/provider-test.ts',
  },
  {
    name: 'providers update',
    about: 'Change a registration; orders that are open stay as they are.',
    takes: ['provider'],
    options: {
      name: { about: 'Its new name.', value: 'NAME' },
      ports: {
        about: 'Some of rails,deposits,identity,screening,cards,stablecoins,prices,messages.',
        value: 'LIST',
      },
      status: { about: 'ENABLED, or PAUSED: it is sent nothing new.', value: 'STATUS' },
      url: { about: 'Address of an http provider; https but for loopback.', value: 'URL' },
      platform: {
        about: 'Serves this platform only; may be repeated.',
        value: 'ID',
        repeatable: true,
      },
      rail: {
        about: 'Takes orders of this rail only; may be repeated.',
        value: 'RAIL',
        repeatable: true,
      },
      currency: {
        about: 'Takes orders of this currency only; may be repeated.',
        value: 'CODE',
        repeatable: true,
      },
      'account-type': {
        about: 'Takes orders to this type of account only; may be repeated.',
        value: 'TYPE',
        repeatable: true,
      },
      ca: {
        about: 'Certificate authorities in place of the public ones, in PEM.',
        value: 'FILE',
        isPath: true,
      },
      config: { about: 'What its kind can be set to.', value: 'JSON', isSecret: true },
      window: { about: 'How long an order without an answer is sent again.', value: 'SECONDS' },
      'max-in-flight': { about: 'Orders sent at a time, at most (default 8).', value: 'N' },
      'authorization-deadline-ms': {
        about: 'Time for a card decision (default 2000).',
        value: 'N',
      },
      'payment-threshold': { about: 'Smaller payments are not screened.', value: 'USD:CENTS' },
    },
    module: 'commands/providers/providers.ts',
  },
  {
    name: 'quotes expire',
    about: 'End a quote that nobody has executed before its time, such as one at a wrong price.',
    takes: ['quoteId'],
    options: { note: { about: 'Kept with the audit entry.', value: 'TEXT' } },
    module: 'commands/money/quotes.ts',
  },
  {
    name: 'quotes list',
    about: 'Quotes of one platform or of all, newest first, with what became of them.',
    options: {
      platform: { about: 'Only of this platform.', value: 'ID' },
      customer: { about: 'Only of this customer.', value: 'ID' },
      status: {
        about: 'One of PENDING, PENDING_AUTHORIZATION, PROCESSING, COMPLETED, FAILED, EXPIRED.',
        value: 'NAME',
      },
      since: { about: 'Only from this day (UTC) or time on.', value: 'DAY|TIME' },
      until: {
        about: 'Only to the end of this day (UTC), or before this time.',
        value: 'DAY|TIME',
      },
      before: { about: 'Only those older than this one.', value: 'ID' },
      limit: { about: 'At most this many (default 50, at most 100).', value: 'N' },
      currency: { about: 'Only in this currency.', value: 'CODE' },
      'amount-min': { about: 'Only this much of the currency or more, as 82.71.', value: 'AMOUNT' },
      'amount-max': { about: 'Only this much of the currency or less, as 82.71.', value: 'AMOUNT' },
      rail: { about: 'Only over this payment rail or network, as ACH or SOLANA.', value: 'RAIL' },
    },
    module: 'commands/lists/list-quotes.ts',
  },
  {
    name: 'quotes show',
    about: 'One quote as the API shows it.',
    takes: ['quoteId'],
    module: 'commands/money/quotes.ts',
  },
  {
    name: 'rates required',
    about: 'Every price that production platforms need, and which of them are missing or stale.',
    module: 'commands/money/payments.ts',
  },
  {
    name: 'rates set',
    about: 'Set prices for platforms without a provider of prices; a price holds for 15 minutes.',
    options: {
      price: {
        about: 'Units per 1 USD, as in EUR=0.92 or BTC=1/120000; may be repeated.',
        value: 'CCY=N',
        required: true,
        repeatable: true,
      },
    },
    module: 'commands/money/payments.ts',
  },
  {
    name: 'rates show',
    about: 'The prices of the operator and of providers, with their age; stale ones are not used.',
    module: 'commands/money/payments.ts',
  },
  {
    name: 'refunds list',
    about: 'Payments whose refund failed, so that the money lies in suspense, oldest first.',
    options: {
      platform: { about: 'Only of this platform.', value: 'ID' },
      after: {
        about:
          'Go on after this row: its time and id, as in 2026-01-31T08:00:00.000Z/Transaction:….',
        value: 'TIME/ID',
      },
      limit: { about: 'At most this many (default 50).', value: 'N' },
    },
    module: 'commands/lists/list-settlements.ts',
  },
  {
    name: 'refunds retry',
    about: 'Try a failed refund again; it completes or stays failed.',
    takes: ['transactionId'],
    module: 'commands/money/settlements.ts',
  },
  {
    name: 'requests dropped',
    about: 'How many requests of the last 24 hours are not in the list, or there without a body.',
    options: { platform: { about: 'Only of this platform.', value: 'ID' } },
    module: 'commands/developers/requests.ts',
  },
  {
    name: 'requests list',
    about: 'What the API was asked and how it answered, newest first.',
    options: {
      platform: { about: 'Only of this platform.', value: 'ID' },
      status: { about: 'Only with this status, or of this class.', value: '404|4xx' },
      method: { about: 'Only with this method.', value: 'GET|POST|PUT|PATCH|DELETE' },
      path: { about: 'Only with this in the path.', value: 'TEXT' },
      token: { about: 'Only by this token or agent.', value: 'ID' },
      'request-id': { about: 'Only with this X-Request-Id.', value: 'ID' },
      since: { about: 'Only from this day (UTC) or time on.', value: 'DAY|TIME' },
      until: {
        about: 'Only to the end of this day (UTC), or before this time.',
        value: 'DAY|TIME',
      },
      before: { about: 'Only what is older than this request.', value: 'REQUEST_ID' },
      limit: { about: 'At most this many (default 50, at most 100).', value: 'N' },
    },
    module: 'commands/developers/requests.ts',
  },
  {
    name: 'requests show',
    about: 'One request with what was sent and answered, by its X-Request-Id.',
    takes: ['requestId'],
    module: 'commands/developers/requests.ts',
  },
  {
    name: 'restore',
    about: 'Bring a backup into an empty data folder and prove that it is whole.',
    options: {
      from: { about: 'The backup.', value: 'FILE', required: true },
      'data-dir': { about: 'The folder, empty or new.', value: 'DIR', required: true },
      erasures: {
        about: 'An erasures.jsonl from after the backup: what it names is erased again.',
        value: 'FILE',
      },
    },
    module: 'commands/service/backup.ts',
  },
  {
    name: 'review approve',
    about: 'Approve, for good.',
    takes: ['id'],
    options: {
      note: { about: 'Kept with the decision.', value: 'TEXT' },
      expect: {
        about: 'Only if it stands like this, as `review show` says under state, or its beginning.',
        value: 'STATE',
      },
    },
    module: 'commands/customers/review.ts',
  },
  {
    name: 'review dismiss',
    about: 'Take what screenings and alerts found off the list; the customer stays as it is.',
    takes: ['customerId'],
    options: {
      note: { about: 'Kept with the decision.', value: 'TEXT', required: true },
      expect: {
        about: 'Only if it stands like this, as `review show` says under state, or its beginning.',
        value: 'STATE',
      },
    },
    module: 'commands/customers/review.ts',
  },
  {
    name: 'review document',
    about: 'Write the file of a document, decrypted, to look at it; leaves an audit entry.',
    takes: ['documentId'],
    options: {
      to: {
        about: 'Path of the file to write; it must not exist.',
        value: 'PATH',
        required: true,
        isPath: true,
      },
    },
    module: 'commands/customers/review.ts',
  },
  {
    name: 'review escalate',
    about: 'Mark it as one that a person looks at.',
    takes: ['id'],
    options: {
      expect: {
        about: 'Only if it stands like this, as `review show` says under state, or its beginning.',
        value: 'STATE',
      },
    },
    module: 'commands/customers/review.ts',
  },
  {
    name: 'review hold',
    about: 'Put a pending or approved customer on hold, with or without something to be done.',
    takes: ['customerId'],
    options: {
      error: {
        about:
          'A JSON error entry, {"type", "resourceId", "field", "acceptedDocumentTypes", "reason"}; all but the type may be left out. May be repeated.',
        value: 'JSON',
        repeatable: true,
      },
      note: { about: 'Kept with the decision.', value: 'TEXT' },
      expect: {
        about: 'Only if it stands like this, as `review show` says under state, or its beginning.',
        value: 'STATE',
      },
    },
    module: 'commands/customers/review.ts',
  },
  {
    name: 'review list',
    about:
      'Undecided customers and verifications, oldest first, and owners who were added or changed since.',
    options: {
      platform: { about: 'Only of this platform.', value: 'ID' },
      status: {
        about: 'Only with this status, of the customer or the verification.',
        value: 'NAME',
      },
      limit: { about: 'At most this many (default all).', value: 'N' },
    },
    module: 'commands/lists/list-reviews.ts',
  },
  {
    name: 'review reject',
    about: 'Reject, for good; without --error as APPLICANT_REJECTED.',
    takes: ['id'],
    options: {
      error: {
        about:
          'A JSON error entry, {"type", "resourceId", "field", "acceptedDocumentTypes", "reason"}; all but the type may be left out. May be repeated.',
        value: 'JSON',
        repeatable: true,
      },
      note: { about: 'Kept with the decision.', value: 'TEXT' },
      expect: {
        about: 'Only if it stands like this, as `review show` says under state, or its beginning.',
        value: 'STATE',
      },
    },
    module: 'commands/customers/review.ts',
  },
  {
    name: 'review release',
    about: 'End a hold.',
    takes: ['customerId'],
    options: {
      note: { about: 'Kept with the decision.', value: 'TEXT' },
      expect: {
        about: 'Only if it stands like this, as `review show` says under state, or its beginning.',
        value: 'STATE',
      },
    },
    module: 'commands/customers/review.ts',
  },
  {
    name: 'review return',
    about: 'Give it back to the platform with what is to be done.',
    takes: ['id'],
    options: {
      error: {
        about:
          'A JSON error entry, {"type", "resourceId", "field", "acceptedDocumentTypes", "reason"}; all but the type may be left out. May be repeated.',
        value: 'JSON',
        repeatable: true,
        required: true,
      },
      expect: {
        about: 'Only if it stands like this, as `review show` says under state, or its beginning.',
        value: 'STATE',
      },
    },
    module: 'commands/customers/review.ts',
  },
  {
    name: 'review show',
    about: 'A customer with its owners, documents and verification, as they are and as submitted.',
    takes: ['id'],
    options: {
      reveal: { about: 'Show government numbers in full; leaves an audit entry.', flag: true },
    },
    module: 'commands/customers/review.ts',
  },
  {
    name: 'sandbox clock',
    about: 'Move the clock of a sandbox platform forward; what comes due on the way happens.',
    options: {
      platform: { about: 'The platform.', value: 'ID', required: true },
      advance: { about: 'By so many seconds.', value: 'N', required: true },
    },
    module: 'commands/developers/sandbox.ts',
  },
  {
    name: 'sandbox fund',
    about: 'Money comes in on an internal account of a sandbox platform.',
    takes: ['internalAccountId'],
    options: { amount: { about: 'In smallest units.', value: 'N', required: true } },
    module: 'commands/developers/sandbox.ts',
  },
  {
    name: 'sandbox magic-values',
    about: 'Every value by which the sandbox decides what the outside does, and its effect.',
    module: 'commands/developers/sandbox.ts',
  },
  {
    name: 'sca-resets approve',
    about: 'Let a customer reset a lost factor.',
    takes: ['resetId'],
    module: 'commands/customers/sca.ts',
  },
  {
    name: 'sca-resets list',
    about: 'Resets of lost factors that wait for a decision, oldest first.',
    options: {
      platform: { about: 'Only of this platform.', value: 'ID' },
      after: {
        about:
          'Go on after this row: its time and id, as in 2026-01-31T08:00:00.000Z/Transaction:….',
        value: 'TIME/ID',
      },
      limit: { about: 'At most this many (default 50).', value: 'N' },
    },
    module: 'commands/customers/sca.ts',
  },
  {
    name: 'sca-resets reject',
    about: 'Refuse the reset of a factor.',
    takes: ['resetId'],
    module: 'commands/customers/sca.ts',
  },
  {
    name: 'sca-resets show',
    about: 'The reset of a lost factor, and whose it is.',
    takes: ['resetId'],
    module: 'commands/customers/sca.ts',
  },
  {
    name: 'screening show',
    about:
      'What screening providers found about a customer, an owner, an account or a payment, newest first; leaves an audit entry.',
    takes: ['id'],
    module: 'commands/customers/screening.ts',
  },
  {
    name: 'settlements confirm',
    about: 'The money of the next leg was moved: a pull, a payout, a transfer-in, a refund.',
    takes: ['transactionId'],
    options: {
      leg: {
        about:
          'The leg that is meant, of COLLECTION, PULL, PAYOUT, REFUND, RETURN; refused where it is not the next. Without it the next is meant.',
        value: 'LEG',
      },
      reference: {
        about:
          'What the outside calls it: an end-to-end, trace or UETR id; at most 140 characters.',
        value: 'TEXT',
      },
      hash: {
        about: 'The transaction hash; required of payouts to wallets, and for them alone.',
        value: 'HASH',
      },
    },
    module: 'commands/money/settlements.ts',
  },
  {
    name: 'settlements fail',
    about:
      'The next leg did not succeed, or a completed payout came back; what was taken is refunded.',
    takes: ['transactionId'],
    options: {
      reason: { about: 'Why (default QUOTE_EXECUTION_FAILED).', value: 'REASON' },
      leg: {
        about:
          'The leg that is meant, of COLLECTION, PULL, PAYOUT, REFUND, RETURN; refused where it is not the next. Without it the next is meant.',
        value: 'LEG',
      },
      reference: {
        about:
          'What the outside calls it: an end-to-end, trace or UETR id; at most 140 characters.',
        value: 'TEXT',
      },
    },
    module: 'commands/money/settlements.ts',
  },
  {
    name: 'settlements list',
    about: 'Payments of production that wait for money to be moved by hand, oldest first.',
    options: {
      platform: { about: 'Only of this platform.', value: 'ID' },
      after: {
        about:
          'Go on after this row: its time and id, as in 2026-01-31T08:00:00.000Z/Transaction:….',
        value: 'TIME/ID',
      },
      limit: { about: 'At most this many (default 50).', value: 'N' },
    },
    module: 'commands/lists/list-settlements.ts',
  },
  {
    name: 'settlements show',
    about: 'A payment, what is to be moved next, and the accounts outside from and to which.',
    takes: ['transactionId'],
    options: {
      reveal: { about: 'Show government numbers in full; leaves an audit entry.', flag: true },
    },
    module: 'commands/money/settlements.ts',
  },
  {
    name: 'stablecoins links',
    about: 'Links of a platform to stablecoin provider accounts, newest first.',
    options: {
      platform: { about: 'The platform.', value: 'ID', required: true },
      limit: { about: 'At most this many (default 50, at most 100).', value: 'N' },
    },
    module: 'commands/service/stablecoins.ts',
  },
  {
    name: 'stablecoins list',
    about: 'Stablecoins of a platform, newest first.',
    options: {
      platform: { about: 'The platform.', value: 'ID', required: true },
      limit: { about: 'At most this many (default 50, at most 100).', value: 'N' },
    },
    module: 'commands/service/stablecoins.ts',
  },
  {
    name: 'stablecoins revoke-link',
    about: 'End a link to a stablecoin provider account for good.',
    takes: ['stablecoinProviderAccountId'],
    module: 'commands/service/stablecoins.ts',
  },
  {
    name: 'stablecoins set-status',
    about:
      'Decide what the service does for a stablecoin: NOT_ENABLED, PENDING_APPROVAL, ENABLING, ENABLED, DISABLED.',
    takes: ['stablecoinId', 'status'],
    module: 'commands/service/stablecoins.ts',
  },
  {
    name: 'terms list',
    about: 'Published versions of the end-user terms, the current one first.',
    options: { limit: { about: 'At most this many (default 50).', value: 'N' } },
    module: 'commands/service/terms.ts',
  },
  {
    name: 'terms publish',
    about:
      'Publish a version of the end-user terms. The text is paragraphs between empty lines; `## ` begins a heading, {{LEGAL_NAME}} stands for LEGAL_NAME.',
    options: {
      version: { about: 'Its name, as in V2; never used before.', value: 'NAME', required: true },
      file: { about: 'Text file in UTF-8.', value: 'PATH', isPath: true },
      text: { about: 'The text itself, instead of a file.', value: 'TEXT' },
    },
    module: 'commands/service/terms.ts',
  },
  {
    name: 'terms show',
    about: 'A published version of the end-user terms with its text.',
    takes: ['version'],
    module: 'commands/service/terms.ts',
  },
  {
    name: 'timeline show',
    about:
      'What happened to something, oldest first: who did what and why, what was booked and sent, and what comes next.',
    takes: ['id'],
    module: 'commands/customers/timeline.ts',
  },
  {
    name: 'tokens create',
    about: 'Make an API token for a platform; the secret is shown once.',
    options: {
      platform: { about: 'The platform.', value: 'ID', required: true },
      name: { about: 'Name of the token.', value: 'NAME', required: true },
      permissions: { about: 'VIEW,TRANSACT,MANAGE (default: all).', value: 'LIST' },
    },
    module: 'commands/service/tokens.ts',
  },
  {
    name: 'tokens revoke',
    about: 'Delete an API token, the last one of a platform included.',
    takes: ['tokenId'],
    module: 'commands/service/tokens.ts',
  },
  {
    name: 'transactions list',
    about: 'Transactions of one platform or of all, newest first; declined ones only if asked for.',
    options: {
      platform: { about: 'Only of this platform.', value: 'ID' },
      status: { about: 'Only with this status.', value: 'NAME' },
      type: { about: 'INCOMING, OUTGOING or CARD.', value: 'NAME' },
      customer: { about: 'Only of this customer.', value: 'ID' },
      since: { about: 'Only from this day (UTC) or time on.', value: 'DAY|TIME' },
      until: {
        about: 'Only to the end of this day (UTC), or before this time.',
        value: 'DAY|TIME',
      },
      currency: { about: 'Only in this currency.', value: 'CODE' },
      'amount-min': { about: 'Only this much of the currency or more, as 82.71.', value: 'AMOUNT' },
      'amount-max': { about: 'Only this much of the currency or less, as 82.71.', value: 'AMOUNT' },
      rail: { about: 'Only over this payment rail or network, as ACH or SOLANA.', value: 'RAIL' },
      before: { about: 'Only what is older than this transaction.', value: 'ID' },
      limit: { about: 'At most this many (default 50).', value: 'N' },
    },
    module: 'commands/lists/list-transactions.ts',
  },
  {
    name: 'transactions show',
    about:
      'A transaction as the API shows it, with its quote, what was booked for it, and what the platform was told.',
    takes: ['id'],
    module: 'commands/money/transactions.ts',
  },
  {
    name: 'uma-providers add',
    about: 'Add a UMA provider, or replace the one of that domain.',
    takes: ['domain'],
    options: {
      name: { about: 'Its name.', value: 'NAME', required: true },
      regions: { about: 'Countries it serves, as in US,DE.', value: 'CODES', required: true },
      currencies: { about: 'Currencies it takes, as in USD,EUR.', value: 'CODES', required: true },
      'logo-url': { about: 'Address of its logo.', value: 'URL' },
      lei: { about: 'Legal entity identifier.', value: 'LEI' },
      blocked: { about: 'Refuse payments with it.', flag: true },
      environment: { about: 'SANDBOX or PRODUCTION (default).', value: 'NAME' },
    },
    module: 'commands/service/uma.ts',
  },
  {
    name: 'uma-providers list',
    about: 'The directory of UMA providers.',
    options: {
      environment: { about: 'SANDBOX or PRODUCTION (default).', value: 'NAME' },
      limit: { about: 'At most this many (default: all).', value: 'N' },
    },
    module: 'commands/service/uma.ts',
  },
  {
    name: 'uma-providers remove',
    about: 'Take a UMA provider out of the directory.',
    takes: ['domain'],
    options: { environment: { about: 'SANDBOX or PRODUCTION (default).', value: 'NAME' } },
    module: 'commands/service/uma.ts',
  },
  {
    name: 'webhooks set-endpoint',
    about: 'Where events are sent from now on; a TEST event goes there. As PATCH /config does.',
    options: {
      platform: { about: 'The platform.', value: 'ID', required: true },
      url: { about: 'The endpoint.', value: 'URL' },
      none: { about: 'No endpoint: events are kept and not sent.', flag: true },
    },
    module: 'commands/developers/webhooks.ts',
  },
  {
    name: 'webhooks test',
    about: 'Send a test event to the endpoint of a sandbox platform, and show its answer.',
    options: { platform: { about: 'The platform.', value: 'ID', required: true } },
    module: 'commands/developers/webhooks.ts',
  },
]
