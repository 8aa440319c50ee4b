/** The guides that the reference holds, in the order in which it lists them; their text stays in the `docs` folder. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../../../../docs/', import.meta.url))

const CONTENTS: readonly (readonly [section: string, pages: readonly string[]])[] = [
  [
    'Get started',
    [
      'guides/first-payout',
      'guides/onboarding',
      'guides/receiving-webhooks',
      'guides/sdk',
      'guides/command-line',
    ],
  ],
  [
    'Build',
    [
      'guides/cards',
      'guides/agents',
      'guides/embedded-wallets',
      'guides/strong-authentication',
      'guides/uma',
    ],
  ],
  [
    'Concepts',
    [
      'concepts/sandbox',
      'concepts/errors',
      'concepts/idempotency',
      'concepts/webhooks',
      'concepts/wallets',
      'concepts/time',
      'concepts/ledger',
      'reference/state-machines',
    ],
  ],
  [
    'Operate',
    [
      'guides/deploy',
      'guides/going-to-production',
      'guides/connect-your-bank',
      'guides/connect-a-card-processor',
      'guides/connect-a-kyc-vendor',
      'guides/feed-prices',
      'reference/provider-protocol',
    ],
  ],
  [
    'Runbooks',
    [
      'runbooks/backup',
      'runbooks/database-restart',
      'runbooks/dead-jobs',
      'runbooks/deposits',
      'runbooks/exceptions',
      'runbooks/failed-refunds',
      'runbooks/key-rotation',
      'runbooks/money-to-return',
      'runbooks/payments-by-hand',
      'runbooks/personal-data',
    ],
  ],
]

/** Files that guides link to and the page serves as they are. */
const FILES = ['reference/provider-protocol.schema.json']

const read = (path: string): Buffer => readFileSync(`${FOLDER}${path}`)

/** The guides by section, with their text as it was written. */
export const guideSections = () =>
  CONTENTS.map(([title, paths]) => ({
    title,
    pages: paths.map((path) => ({ route: `/${path}`, text: read(`${path}.md`).toString('utf8') })),
  }))

/** Served files by name: every guide as it was written, and all of them in one for the page. */
export function guideFiles(): (readonly [name: string, bytes: Buffer])[] {
  const pages = CONTENTS.flatMap(([, paths]) => paths).map((path) => `${path}.md`)
  return [
    ...[...pages, ...FILES].map((path) => [path, read(path)] as const),
    ['guides.json', Buffer.from(JSON.stringify({ sections: guideSections() }))],
  ]
}
