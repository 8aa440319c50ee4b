import { SERVICE_OPERATIONS_STATUSES } from '../../../features/stablecoins/index.ts'
import {
  codeColumn,
  idColumn,
  inWords,
  statusColumn,
  textColumn,
  timeColumn,
} from '../../cells/cells.ts'
import type { Section, Column } from '../../section.ts'
import { stablecoinCommands } from '../../../operator/commands/service/stablecoins.ts'
import { type Answer } from '../../../operator/command.ts'

type Coin = Answer<typeof stablecoinCommands.list>[number]
type Link = Answer<typeof stablecoinCommands.links>[number]

const COIN: readonly Column<Coin>[] = [
  textColumn('Symbol', 'symbol'),
  statusColumn('Issuance', 'issuanceStatus'),
  statusColumn('What we do for it', 'serviceOperationsStatus'),
  textColumn('Network', 'network'),
  textColumn('Provider', 'provider'),
  timeColumn('Since', 'createdAt'),
]

export const stablecoins: Section<Coin> = {
  path: 'stablecoins',
  title: 'Stablecoins',
  about: 'Coins that are issued under a platform’s name.',
  idOf: ({ id }) => id,
  list: {
    command: stablecoinCommands.list,
    caption: 'Stablecoins, newest first',
    needsPlatform: 'Choose a platform above to see its stablecoins.',
    columns: [textColumn('Name', 'name'), ...COIN],
    empty: 'The platform has no stablecoin.',
    limit: 100,
  },
  detail: {
    title: ({ name }) => name,
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
        command: stablecoinCommands.setStatus,
        about: 'Decides what the service does for the coin.',
        fields: [
          {
            name: 'status',
            label: 'Status',
            kind: 'choice',
            isArgument: true,
            isRequired: true,
            choices: () =>
              SERVICE_OPERATIONS_STATUSES.map((value) => ({ value, label: inWords(value) })),
          },
        ],
        done: 'The status is set.',
      },
    ],
    versionOf: (row) => row.serviceOperationsStatus,
  },
}

const LINK: readonly Column<Link>[] = [
  statusColumn('Status', 'status'),
  textColumn('Provider account', 'providerAccountId'),
  timeColumn('Last verified', 'lastVerifiedAt'),
  timeColumn('Since', 'createdAt'),
]

export const stablecoinLinks: Section<Link> = {
  path: 'stablecoin-links',
  title: 'Stablecoin links',
  about: 'Links of a platform to its account with an issuer of stablecoins.',
  idOf: ({ id }) => id,
  list: {
    command: stablecoinCommands.links,
    caption: 'Links, newest first',
    needsPlatform: 'Choose a platform above to see its links.',
    columns: [textColumn('Provider', 'provider'), ...LINK, idColumn('Id', 'id')],
    empty: 'The platform has no link.',
    limit: 100,
  },
  detail: {
    title: ({ provider }) => `Link to ${provider}`,
    facts: [...LINK, codeColumn('Id', 'id')],
    actions: [
      {
        name: 'revoke',
        label: 'Revoke',
        command: stablecoinCommands.revokeLink,
        tone: 'bad',
        about: 'For good: nothing is minted or burnt over it any more.',
        isOffered: ({ status }) => status !== 'REVOKED',
        done: 'The link is revoked.',
      },
    ],
  },
}
