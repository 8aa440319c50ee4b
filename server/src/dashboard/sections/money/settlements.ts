import type { FastifyInstance } from 'fastify'
import { countOpenSettlements } from '../../../features/settlements/index.ts'
import { OUTGOING_FAILURE_REASONS } from '../../../kernel/failure-reasons.ts'
import { html } from '../../../pages/html.ts'
import {
  ageColumn,
  codeColumn,
  idColumn,
  inWords,
  moneyColumn,
  NOTHING,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  textIn,
} from '../../cells/cells.ts'
import { detailScreen } from '../../screens/detail-page.ts'
import type { Action, Choice, Column, Field, Gate, Section } from '../../section.ts'
import {
  FACTS,
  legOf,
  SETTLED_LEGS,
  settlementView,
  titleOf,
  transactionIdOf,
  type Settlement,
} from './settlement-view.ts'
import { COUNT_BOUND, CUSTOMER_NAME, lastAction, nextView, onAfter } from '../waiting.ts'
import { settlementCommands } from '../../../operator/commands/money/settlements.ts'
import { type Answer } from '../../../operator/command.ts'

type Line = Answer<typeof settlementCommands.list>[number]

const WHAT: Column<Line> = { title: 'What', cell: (row) => inWords(legOf(row)) }

const choice = (value: string): Choice => ({ value, label: inWords(value) })
const USUAL = 'QUOTE_EXECUTION_FAILED'
const REASONS: readonly Choice[] = [
  { value: USUAL, label: 'Could not be carried out' },
  ...OUTGOING_FAILURE_REASONS.filter((reason) => reason !== USUAL).map(choice),
]

const isWaiting = (row: Settlement): boolean => legOf(row) !== ''

/** A word on the leg that the page showed: another operator's may have settled it by the time it is heard. */
const onLeg = (action: Action<Settlement>): Action<Settlement> => ({
  ...action,
  options: (row) => ({ leg: legOf(row) || 'RETURN' }),
})

/** A payout to a wallet has a hash, everything else may have a reference. */
const isToWallet = ({ network }: Settlement): boolean => network !== undefined

const REFERENCE: Field = {
  name: 'reference',
  label: 'Reference',
  hint: 'What the bank calls it: an end-to-end, trace or UETR id.',
}

/** What the payment is known by, and what the outside calls the legs before. */
const REFERENCES: Column<Line> = {
  title: 'Reference',
  cell: (row, visit) => {
    const reference = codeColumn<Line>('', 'reference').cell(row, visit)
    const legs = SETTLED_LEGS.cell(row, visit)
    if (legs === NOTHING) return reference
    return reference === NOTHING ? legs : html`${reference} ${legs}`
  },
}

const CONFIRM = {
  label: 'Confirm',
  command: settlementCommands.confirm,
  tone: 'good',
  done: 'Confirmed.',
} as const

const ACTIONS: readonly Action<Settlement>[] = [
  onLeg({
    ...CONFIRM,
    name: 'confirm',
    about: 'First move the money, then say so here. What was pulled is paid out in a second step.',
    fields: [REFERENCE],
    isOffered: (row) => isWaiting(row) && !isToWallet(row),
  }),
  onLeg({
    ...CONFIRM,
    name: 'confirm-transaction',
    about: 'First send the coins, then say so here.',
    fields: [
      {
        name: 'hash',
        label: 'Transaction hash',
        hint: 'As the network shows it. The platform sees it on the payment.',
        isRequired: true,
      },
    ],
    isOffered: (row) => isWaiting(row) && isToWallet(row),
  }),
  onLeg({
    name: 'fail',
    label: 'Mark as failed',
    command: settlementCommands.fail,
    tone: 'bad',
    about:
      'The payment fails, and what was taken is refunded. A refund that fails waits in suspense.',
    fields: [
      {
        name: 'reason',
        label: 'Why',
        kind: 'choice',
        hint: 'The platform is told. Refunds and collections have a reason of their own.',
        choices: () => REASONS,
        isRequired: true,
      },
      REFERENCE,
    ],
    isOffered: isWaiting,
    done: 'It has failed.',
  }),
  onLeg({
    name: 'return',
    label: 'The payout came back',
    command: settlementCommands.fail,
    tone: 'bad',
    about: 'The bank returned it: the payment fails after all, and what was taken is refunded.',
    fields: [REFERENCE],
    isOffered: (row) => row.mayBeReturned,
    done: 'The payout is returned.',
  }),
]

export const settlements: Section<Line, Settlement> = {
  path: 'settlements',
  title: 'Settlements',
  about: 'Payments whose money you move by hand, oldest first.',
  count: ({ db }) => countOpenSettlements(db.read, COUNT_BOUND),
  waitsSince: ({ createdAt }) => createdAt,
  idOf: ({ transactionId }) => transactionId,
  list: {
    command: settlementCommands.list,
    caption: 'Waiting',
    byPlatform: true,
    lookup: { label: 'Any payment', placeholder: 'Transaction:…' },
    columns: [
      CUSTOMER_NAME,
      WHAT,
      moneyColumn('Amount'),
      textColumn('Rail', 'paymentRail'),
      PLATFORM_COLUMN,
      statusColumn('Status', 'status'),
      REFERENCES,
      ageColumn('Waiting', 'createdAt'),
      idColumn('Id', 'transactionId'),
    ],
    empty: 'No money waits to be moved.',
    limit: 100,
    older: onAfter((row) => [row.createdAt, row.transactionId]),
  },
  detail: {
    command: settlementCommands.show,
    title: titleOf,
    facts: FACTS,
    body: async (row, visit) =>
      html`${isWaiting(row) ? '' : await nextView(settlements, visit)}
      ${await settlementView(row, visit)}`,
    actions: ACTIONS,
    // A second click on the same page must not confirm the next leg.
    versionOf: (row) =>
      [legOf(row), row.transaction.status, textIn(row, 'transaction', 'refund', 'status')].join(
        ' ',
      ),
    explain: (row, visit) => lastAction({ resources: [transactionIdOf(row)], visit }),
  },
  routes: serveNumbers,
}

function serveNumbers(scope: FastifyInstance, gate: Gate): void {
  scope.post('/settlements/:id/reveal', async (request, reply) => {
    const visit = await gate.visit(request)
    const { id } = request.params as { id: string }
    const call = { args: [id], options: { reveal: true } }
    const row = await visit.ask(settlementCommands.show, call)
    return gate.show(reply, visit, await detailScreen(settlements, visit, { id, row }))
  })
}
