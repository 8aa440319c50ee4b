import { SERVICE_OPERATIONS_STATUSES } from '../../../features/stablecoins/index.ts'
import {
  codeColumn,
  idColumn,
  inWords,
  statusColumn,
  textColumn,
  textIn,
  timeColumn,
} from '../../cells.ts'
import type { Section } from '../../section.ts'

const COIN = [
  textColumn('Symbol', 'symbol'),
  statusColumn('Issuance', 'issuanceStatus'),
  statusColumn('What we do for it', 'serviceOperationsStatus'),
  textColumn('Network', 'network'),
  textColumn('Provider', 'provider'),
  timeColumn('Since', 'createdAt'),
]

export const stablecoins: Section = {
  path: 'stablecoins',
  title: 'Stablecoins',
  about: 'Coins that are issued under a platform’s name.',
  idOf: (row) => textIn(row, 'id'),
  list: {
    command: 'stablecoins list',
    caption: 'Stablecoins, newest first',
    needsPlatform: 'Choose a platform above to see its stablecoins.',
    columns: [textColumn('Name', 'name'), ...COIN],
    empty: 'The platform has no stablecoin.',
    limit: 100,
  },
  detail: {
    title: (row) => textIn(row, 'name'),
    facts: [
      ...COIN,
      codeColumn('Id', 'id'),
      codeColumn('Link', 'stablecoinProviderAccountId'),
      codeColumn('On the network', 'networkTokenIdentifier'),
    ],
    actions: [
      {
        name: 'set-status',
        label: 'Set status',
        command: 'stablecoins set-status',
        about: 'Decides what the service does for the coin.',
        fields: [
          {
            name: 'status',
            label: 'Status',
            kind: 'choice',
            isWord: true,
            isRequired: true,
            choices: () =>
              SERVICE_OPERATIONS_STATUSES.map((value) => ({ value, label: inWords(value) })),
          },
        ],
        done: 'The status is set.',
      },
    ],
    versionOf: (row) => textIn(row, 'serviceOperationsStatus'),
  },
}

const LINK = [
  statusColumn('Status', 'status'),
  textColumn('Provider account', 'providerAccountId'),
  timeColumn('Last verified', 'lastVerifiedAt'),
  timeColumn('Since', 'createdAt'),
]

export const stablecoinLinks: Section = {
  path: 'stablecoin-links',
  title: 'Stablecoin links',
  about: 'Links of a platform to its account with an issuer of stablecoins.',
  idOf: (row) => textIn(row, 'id'),
  list: {
    command: 'stablecoins links',
    caption: 'Links, newest first',
    needsPlatform: 'Choose a platform above to see its links.',
    columns: [textColumn('Provider', 'provider'), ...LINK, idColumn('Id', 'id')],
    empty: 'The platform has no link.',
    limit: 100,
  },
  detail: {
    title: (row) => `Link to ${textIn(row, 'provider')}`,
    facts: [...LINK, codeColumn('Id', 'id')],
    actions: [
      {
        name: 'revoke',
        label: 'Revoke',
        command: 'stablecoins revoke-link',
        tone: 'bad',
        about: 'For good: nothing is minted or burnt over it any more.',
        isOffered: (row) => row['status'] !== 'REVOKED',
        done: 'The link is revoked.',
      },
    ],
  },
}
