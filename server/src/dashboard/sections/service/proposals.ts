/** What operators want to do and a second one has to agree to. */
import { describeActor } from '../../../kernel/access/actor.ts'
import type { Answer } from '../../../operator/command.ts'
import { commands, decisionCommands } from '../../../operator/commands.ts'
import { proposalCommands } from '../../../operator/proposals/commands.ts'
import { countOpenProposals } from '../../../operator/proposals/store.ts'
import { html, type Html } from '../../../pages/html.ts'
import type { Row } from '../../ask.ts'
import {
  ageColumn,
  badge,
  codeColumn,
  inWords,
  moneyColumn,
  NOTHING,
  PLATFORM_COLUMN,
  statusColumn,
  timeColumn,
} from '../../cells/cells.ts'
import { nameOfActor } from '../../audit-entries.ts'
import { linkedId } from '../../page-links.ts'
import { factsView } from '../../screens/detail-page.ts'
import { PROPOSALS, type Column, type Section, type Visit } from '../../section.ts'
import { COUNT_BOUND, historyView, ifAny, lastAction, nextView, onAfter } from '../waiting.ts'

type Shown = Answer<typeof proposalCommands.show>

const idOf = ({ proposalId }: Shown): string => proposalId
const isOpen = ({ status }: Shown): boolean => status === 'PROPOSED'

/** Whether the person who looks proposed it, by themselves or by a token of theirs. */
const isOwn = ({ proposedBy }: Shown, { caller }: Visit): boolean =>
  proposedBy === describeActor(caller.actor) ||
  proposedBy.startsWith(`operator-token:${caller.name}/`)

const commandOf = ({ command }: Shown) => commands.find(({ name }) => name === command)

/** `sca-resets approve` as people write it. */
const wordsOf = ({ command }: Shown): string => inWords(command.replaceAll('-', ' '))

const ABOUT: Column<Shown> = {
  title: 'About',
  cell: ({ resource }, visit) => (resource === undefined ? NOTHING : linkedId(visit, resource)),
}
const PROPOSED_BY: Column<Shown> = {
  title: 'Proposed by',
  cell: ({ proposedBy }) => nameOfActor({ actor: proposedBy }),
}
const DECIDED_BY: Column<Shown> = {
  title: 'Decided by',
  cell: ({ decidedBy }) => (decidedBy === undefined ? NOTHING : nameOfActor({ actor: decidedBy })),
}

const valueOf = (value: unknown, visit: Visit): Html | string => {
  if (typeof value === 'string') return /^[A-Z]\w+:/.test(value) ? linkedId(visit, value) : value
  if (value === true) return 'Yes'
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value)
}

const labelOf = (name: string): string => inWords(name.replaceAll(/([a-z])([A-Z])/g, '$1 $2'))

/** All that the command is given. */
function inputView({ input }: Shown, visit: Visit): Html {
  const facts = Object.keys(input).map((name): Column<Row> => ({
    title: labelOf(name),
    cell: (row) => valueOf(row[name], visit),
  }))
  return facts.length === 0
    ? html``
    : html`<h2>What it is given</h2>
        ${factsView(facts, input as Row, visit)}`
}

/** What would happen: the command in its own words, and why it was refused where it was. */
const whatView = (row: Shown): Html =>
  html`<p>
      <code>${row.command}</code>: ${commandOf(row)?.about ?? 'This build has no such command.'}
    </p>
    ${
      isOpen(row)
        ? html`<p class="small">
            Nothing has changed yet. It is checked again when it is approved.
          </p>`
        : ''
    }
    ${row.error === undefined ? '' : html`<p>${badge('FAILED')} ${row.error.message}</p>`}`

export const proposals: Section<Shown> = {
  path: PROPOSALS,
  isOnServiceTime: true,
  title: 'Proposals',
  about:
    'What an operator wants to do and another one has to agree to, oldest first. A day later it is over.',
  count: ({ db, clock }) => countOpenProposals(db.read, { ...COUNT_BOUND, now: clock.now() }),
  waitsSince: ({ createdAt }) => createdAt,
  idOf,
  list: {
    command: proposalCommands.list,
    caption: 'Proposals',
    byPlatform: true,
    views: [
      { name: 'open', title: 'Open' },
      { name: 'all', title: 'All', options: { all: true } },
    ],
    lookup: { label: 'Any proposal', placeholder: 'Proposal:…' },
    columns: [
      { title: 'What', cell: wordsOf },
      moneyColumn('Amount', 'amount'),
      ABOUT,
      PLATFORM_COLUMN,
      PROPOSED_BY,
      statusColumn('Status', 'status'),
      ageColumn('Waiting', 'createdAt'),
    ],
    empty: 'Nothing waits for a second operator.',
    limit: 50,
    older: onAfter((row) => [row.createdAt, row.proposalId]),
  },
  detail: {
    command: proposalCommands.show,
    title: wordsOf,
    facts: [
      statusColumn('Status', 'status'),
      ifAny(moneyColumn('Amount', 'amount')),
      ifAny(ABOUT),
      PLATFORM_COLUMN,
      PROPOSED_BY,
      timeColumn('Proposed', 'createdAt'),
      timeColumn('Open until', 'expiresAt'),
      ifAny(DECIDED_BY),
      ifAny(timeColumn('Decided', 'decidedAt')),
      codeColumn('Id', 'proposalId'),
    ],
    body: async (row, visit) =>
      html`${whatView(row)} ${isOpen(row) ? '' : await nextView(proposals, visit)}
      ${inputView(row, visit)} ${await historyView({ resources: [idOf(row)], visit })}`,
    actions: [
      {
        name: 'approve',
        label: 'Approve',
        command: decisionCommands.approve,
        tone: 'good',
        about: 'It is done now, in your name.',
        isOffered: (row, visit) => isOpen(row) && !isOwn(row, visit),
        done: 'Approved, and done.',
        showsAnswerOf: (row) => commandOf(row)?.showsOnce !== undefined,
      },
      {
        name: 'reject',
        label: 'Reject',
        command: decisionCommands.reject,
        tone: 'bad',
        about: 'It is not done.',
        fields: [{ name: 'note', label: 'Note', kind: 'text' }],
        isOffered: (row, visit) => isOpen(row) && !isOwn(row, visit),
        done: 'Rejected.',
      },
      {
        name: 'withdraw',
        label: 'Withdraw',
        command: proposalCommands.withdraw,
        tone: 'bad',
        about: 'You take it back; it is not done.',
        isOffered: (row, visit) => isOpen(row) && isOwn(row, visit),
        done: 'Withdrawn.',
      },
    ],
    versionOf: ({ status }) => status,
    explain: (row, visit) => lastAction({ resources: [idOf(row)], visit }),
  },
}
