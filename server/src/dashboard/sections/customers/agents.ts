import type { Answer } from '../../../operator/command.ts'
import { agentCommands } from '../../../operator/commands/customers/agents.ts'
import { AGENT_STATUSES } from '../../../operator/commands/lists/list-agents.ts'
import { html, type Html } from '../../../pages/html.ts'
import {
  badge,
  codeColumn,
  figureColumn,
  inWords,
  moneyCell,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  timeColumn,
} from '../../cells/cells.ts'
import { jsonView } from '../../cells/json-view.ts'
import { readMoney, showMoney } from '../../cells/show-money.ts'
import { tableView } from '../../cells/table-view.ts'
import { linkColumn } from '../../page-links.ts'
import { factsView } from '../../screens/detail-page.ts'
import type { Action, Column, Field, Section, Visit } from '../../section.ts'
import { choices, CUSTOMER_FILTER, PERIOD_FILTERS } from '../filters.ts'

type Line = Answer<typeof agentCommands.list>[number]
type Shown = Answer<typeof agentCommands.show>
type Agent = Shown['agent'] & Readonly<{ platformId: string }>
type ActionLine = Shown['actions'][number]

const STATUS: Column<Agent> = {
  title: 'Status',
  cell: ({ isPaused }) => badge(isPaused ? 'PAUSED' : 'ACTIVE'),
}

const FACTS: readonly Column<Agent>[] = [
  STATUS,
  {
    title: 'Connected',
    cell: ({ isConnected }) => (isConnected ? 'Yes' : 'No: it holds no token'),
  },
  PLATFORM_COLUMN,
  linkColumn('Customer', 'customerId'),
  timeColumn('Created', 'createdAt'),
  timeColumn('Last changed', 'updatedAt'),
  codeColumn('Id', 'id'),
]

type Limit = Readonly<{ what: string; used: string; most: string }>

/** What it has used, beside the limits of its policy. */
function limitsOf({ policy, usage }: Agent): readonly Limit[] {
  const { currency, perTransactionLimit, dailyLimit, monthlyLimit, dailyTransactionLimit } =
    policy.spendingLimits
  const money = (amount: number | null | undefined): string =>
    amount === null || amount === undefined
      ? 'No limit'
      : showMoney({ amount: BigInt(amount), currency })
  return [
    { what: 'One payment', used: '', most: money(perTransactionLimit) },
    { what: 'Today (UTC)', used: money(usage.dailySpend), most: money(dailyLimit) },
    { what: 'This month (UTC)', used: money(usage.monthlySpend), most: money(monthlyLimit) },
    {
      what: 'Payments today',
      used: String(usage.dailyTransactionCount),
      most: dailyTransactionLimit === undefined ? 'No limit' : String(dailyTransactionLimit),
    },
  ]
}

const LIMITS: readonly Column<Limit>[] = [
  textColumn('Limit', 'what'),
  figureColumn('Used', 'used'),
  figureColumn('At most', 'most'),
]

const ACTIONS: readonly Column<ActionLine>[] = [
  linkColumn('Payment', 'transactionId'),
  statusColumn('Status', 'status'),
  statusColumn('Type', 'type'),
  { title: 'Amount', isFigure: true, cell: (row) => moneyCell(amountOf(row)) },
  {
    title: 'Why',
    cell: ({ rejectionReason, failureReason }) => rejectionReason ?? failureReason ?? '',
  },
  timeColumn('Asked', 'createdAt'),
]

const amountOf = ({ quote, transferDetails }: ActionLine) =>
  quote
    ? { amount: quote.totalSendingAmount, currency: quote.sendingCurrency }
    : transferDetails && {
        amount: transferDetails.amount,
        currency: { code: transferDetails.currency },
      }

function agentView(row: Shown, visit: Visit): Html {
  const { agent, platformId, actions } = row
  const of = { ...agent, platformId }
  const waiting = waitingIn(row)
  const others = actions.filter(({ status }) => status !== 'PENDING_APPROVAL')
  const { spendingLimits: _limits, ...policy } = agent.policy
  return html`${factsView(FACTS, of, visit)}
    ${tableView({ title: 'Limits and use', columns: LIMITS, rows: limitsOf(of), empty: '' }, visit)}
    ${tableView(
      {
        title: 'Actions that wait for the platform’s approval',
        columns: ACTIONS,
        rows: waiting,
        empty: 'None waits.',
      },
      visit,
    )}
    ${tableView(
      { title: 'Newest actions', columns: ACTIONS, rows: others, empty: 'None was decided yet.' },
      visit,
    )}
    <h2>Policy</h2>
    ${jsonView(policy)}`
}

const NOTE: Field<Shown> = { name: 'note', label: 'Note', kind: 'text' }

const waitingIn = ({ actions }: Shown): readonly ActionLine[] =>
  actions.filter(({ status }) => status === 'PENDING_APPROVAL')

function choiceOf(action: ActionLine) {
  const money = readMoney(amountOf(action))
  const label = [inWords(action.type), money && showMoney(money), action.createdAt]
  return { value: action.id, label: label.filter(Boolean).join(', ') }
}

const WAITING: Field<Shown> = {
  name: 'action',
  label: 'Action',
  kind: 'choice',
  isArgument: true,
  isRequired: true,
  choices: (row) => [{ value: '', label: 'Choose one' }, ...waitingIn(row).map(choiceOf)],
}

const DECISIONS: readonly Action<Shown>[] = [
  {
    name: 'pause',
    label: 'Pause',
    command: agentCommands.pause,
    tone: 'bad',
    about: 'Whatever it asks for is refused until it is resumed.',
    fields: [NOTE],
    isOffered: ({ agent }) => !agent.isPaused,
    done: 'The agent is paused.',
  },
  {
    name: 'resume',
    label: 'Resume',
    command: agentCommands.resume,
    tone: 'good',
    about: 'It acts again within its policy.',
    fields: [NOTE],
    isOffered: ({ agent }) => agent.isPaused,
    done: 'The agent acts again.',
  },
  {
    name: 'approve',
    label: 'Approve an action',
    command: agentCommands.approve,
    tone: 'good',
    about: 'For its platform. All checks run again, then the payment begins.',
    fields: [WAITING, NOTE],
    isOffered: (row) => waitingIn(row).length > 0,
    done: 'The action is decided; its line below says how.',
  },
  {
    name: 'reject',
    label: 'Reject an action',
    command: agentCommands.reject,
    tone: 'bad',
    about: 'For its platform. No money moves.',
    fields: [WAITING, { name: 'reason', label: 'Reason', hint: 'The platform sees it.' }, NOTE],
    isOffered: (row) => waitingIn(row).length > 0,
    done: 'The action is rejected.',
  },
]

export const agents: Section<Line, Shown> = {
  path: 'agents',
  title: 'Agents',
  about: 'Programs that pay for a customer within a policy, newest first.',
  idOf: ({ agentId }) => agentId,
  list: {
    command: agentCommands.list,
    caption: 'Agents, newest first',
    byPlatform: true,
    filters: [
      { name: 'status', label: 'Status', choices: choices(AGENT_STATUSES) },
      CUSTOMER_FILTER,
      ...PERIOD_FILTERS,
    ],
    columns: [
      textColumn('Name', 'name'),
      statusColumn('Status', 'status'),
      figureColumn('Waiting actions', 'pendingActions'),
      linkColumn('Customer', 'customerId'),
      PLATFORM_COLUMN,
      timeColumn('Created', 'createdAt'),
    ],
    empty: 'No agent is like this.',
    limit: 50,
    older: { option: 'before', of: ({ agentId }) => agentId },
    lookup: { label: 'Any agent', placeholder: 'Agent:…' },
  },
  detail: {
    command: agentCommands.show,
    title: ({ agent }) => agent.name,
    body: agentView,
    timelineOf: ({ agent }) => agent.id,
    actions: DECISIONS,
  },
}
