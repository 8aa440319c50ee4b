import { Type } from '../../../infra/http/schema/type.ts'
import { environmentSchema, idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { findCurrency } from '../../../kernel/money/currency.ts'
import { failNotFound, formatId, mustParseId, newId, type Id } from '../../../kernel/ids.ts'
import { AMOUNT_MAX, type Money } from '../../../kernel/money/money.ts'
import { HOUSE_PLATFORM_IDS } from '../../../kernel/platform.ts'
import { amountToWire } from '../../../kernel/money/wire-money.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  attributeDeposit,
  DEPOSIT_STATUSES,
  findDeposit,
  findOwner,
  listDeposits,
  receiveDeposit,
  releaseDeposit,
  requestReturn,
  type Deposit,
} from '../../../features/deposits/index.ts'
import { hasBlock } from '../../../features/screening/index.ts'
import { mustHaveNote } from '../../../features/verifications/index.ts'
import { isArrivalRail } from '../../../features/transactions/index.ts'
import { choiceOf, defineCommand, onlyWord, record, UsageError, type Given } from '../../command.ts'
import { inAnyPlatform, inPlatform } from '../../in-platform.ts'
import { ScreeningSchema, shownScreenings } from '../customers/screening.ts'
import { environmentOf } from '../environment.ts'
import { findPlatformOfInternalAccount } from '../../queries/operator-store.ts'
import {
  AMOUNT_OPTIONS,
  amountRangeOf,
  PERIOD_OPTIONS,
  periodOf,
} from '../../queries/list-filters.ts'
import { RAIL_OPTION, railOf } from '../../queries/rail-filter.ts'
import { nameParties, type Parties } from '../../queries/parties/party-names.ts'
import { WAITING_OPTIONS, waitingPage } from '../../queries/waiting-page.ts'
import { isVisible, visibleOwner } from '../../access/visible-platforms.ts'

const DepositSchema = record({
  depositId: idField('transaction'),
  status: Type.String(),
  reason: Type.Optional(Type.String()),
  amount: Type.Integer(),
  currency: Type.String(),
  rail: Type.String(),
  trace: Type.String(),
  paidTo: Type.Optional(Type.String()),
  reference: Type.Optional(Type.String()),
  sender: Type.Optional(Type.String()),
  payee: Type.Optional(Type.String()),
  environment: environmentSchema(),
  platformId: Type.Optional(idField('platform')),
  transactionId: Type.Optional(idField('transaction')),
  providerId: Type.Optional(idField('provider')),
  providerDepositId: Type.Optional(Type.String()),
  createdAt: timestamp(),
  /** What a screening provider found, the last time. */
  screening: Type.Optional(ScreeningSchema),
})

/** A deposit is called by the transaction that it makes, or will make once it is allocated. */
const toShown = ({ id, status, reason, money, report, paidTo, source, ...deposit }: Deposit) => ({
  depositId: formatId('transaction', id),
  status,
  reason: reason ?? undefined,
  amount: amountToWire(money.amount),
  currency: money.currency,
  rail: report.rail,
  trace: report.trace,
  paidTo: paidTo ?? undefined,
  reference: report.reference ?? undefined,
  sender: report.sender ?? undefined,
  environment: deposit.environment,
  platformId: deposit.ownerPlatformId ? formatId('platform', deposit.ownerPlatformId) : undefined,
  transactionId: deposit.transactionId ? formatId('transaction', deposit.transactionId) : undefined,
  providerId: source ? formatId('provider', source.providerId) : undefined,
  providerDepositId: source?.depositId,
  createdAt: toWireTime(deposit.createdAt),
})

/** Whose it is, once that is known. */
const partiesOf = ({ id, ownerPlatformId, environment, transactionId }: Deposit): Parties => ({
  platformId: ownerPlatformId ?? HOUSE_PLATFORM_IDS[environment],
  payer: {},
  payee: ownerPlatformId ? { id: formatId('transaction', transactionId ?? id) } : {},
})

/** With the names of their owners, and what screening providers found about them (PROV-105). */
async function withContext({ db, keyring }: Deps, deposits: readonly Deposit[]) {
  const names = await nameParties(db.read, deposits.map(partiesOf))
  const shown = deposits.map((deposit, index) => ({ ...toShown(deposit), ...names[index] }))
  const subjects = shown.map(({ depositId }) => depositId)
  const found = await shownScreenings({ tx: db.read, keyring }, subjects)
  return shown.map((one) => ({
    ...one,
    screening: found.find(({ subject }) => subject === one.depositId),
  }))
}

/** What a block did is undone with a note only (PROV-107). */
async function mustExplain(work: Work, id: Id<'transaction'>, given: Given): Promise<void> {
  const isBlocked = await hasBlock(work, formatId('transaction', id))
  if (isBlocked) mustHaveNote(given.text('note'))
}

const NOTE = {
  note: { about: 'Kept with the audit entry; required after a BLOCK.', value: 'TEXT' },
}

function moneyOf(given: Given): Money {
  const currency = given.text('currency') ?? ''
  if (!findCurrency(currency)) throw new UsageError('--currency is the code of a known currency.')
  const text = given.text('amount') ?? ''
  const amount = /^[1-9]\d{0,15}$/.test(text) ? BigInt(text) : 0n
  if (amount === 0n || amount > AMOUNT_MAX) {
    throw new UsageError("--amount is a whole number in the currency's smallest unit.")
  }
  return { amount, currency }
}

function arrivalRailOf(given: Given, { currency }: Money): string {
  const rail = given.text('rail') ?? ''
  if (!isArrivalRail(currency, rail)) {
    throw new UsageError(`--rail is one that ${currency} comes over: ACH, SEPA, SOLANA, …`)
  }
  return rail
}

const receive = defineCommand({
  name: 'deposits receive',
  access: {
    roles: ['TREASURER'],
    fourEyes: 'threshold',
    amountOf: async (_, given) => moneyOf(given),
    writes: true,
  },
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
  takesMany: true,
  answers: DepositSchema,
  async run(deps, given) {
    const money = moneyOf(given)
    const arrived = {
      id: newId('transaction'),
      environment: environmentOf(given),
      money,
      paidTo: given.text('to') ?? null,
      source: null,
      report: {
        rail: arrivalRailOf(given, money),
        trace: given.text('trace') ?? '',
        sender: given.text('sender') ?? null,
        reference: given.text('reference') ?? null,
      },
    }
    const owner = await findOwner(deps.db.read, arrived)
    const id = owner?.platformId ?? HOUSE_PLATFORM_IDS[arrived.environment]
    const resource = formatId('transaction', arrived.id)
    const reception = { owner, isUnderReview: given.flag('review') }
    return inAnyPlatform(deps, { id, action: 'deposits receive', resource }, async (work) =>
      toShown(await receiveDeposit(work, arrived, reception)),
    )
  },
})

const list = defineCommand({
  name: 'deposits list',
  access: { roles: ['VIEWER'] },
  about:
    'Deposits that wait for the operator, oldest first: nobody’s, held for review, to be sent back.',
  options: {
    all: { about: 'Every deposit that was reported, newest first.', flag: true },
    status: { about: `One of ${DEPOSIT_STATUSES.join(', ')}.`, value: 'NAME' },
    ...PERIOD_OPTIONS,
    ...AMOUNT_OPTIONS,
    ...RAIL_OPTION,
    ...WAITING_OPTIONS,
  },
  answers: Type.Array(DepositSchema),
  async run(deps, given) {
    const found = await listDeposits(deps.db.read, {
      ...waitingPage(deps, given, 'transaction'),
      isAll: given.flag('all'),
      status: choiceOf(given, 'status', DEPOSIT_STATUSES),
      period: periodOf(given),
      amount: amountRangeOf(given),
      rail: railOf(given),
    })
    return withContext(deps, found)
  },
})

/** Of the platform that the deposit belongs to, of the house where it is nobody's. */
const ownerOf = ({ ownerPlatformId, environment }: Deposit): Id<'platform'> =>
  ownerPlatformId ?? HOUSE_PLATFORM_IDS[environment]

async function mustFind(deps: Deps, id: Id<'transaction'>): Promise<Deposit> {
  const found = await findDeposit(deps.db.read, id)
  return found && isVisible(deps, ownerOf(found)) ? found : failNotFound('transaction')
}

const showDeposit = defineCommand({
  name: 'deposits show',
  access: { roles: ['VIEWER'] },
  about: 'What came, whose it is, and what has become of it.',
  takes: ['depositId'],
  answers: DepositSchema,
  async run(deps, given) {
    const id = mustParseId('transaction', onlyWord(given, 'depositId'))
    const found = await mustFind(deps, id)
    const [shown] = await withContext(deps, [found])
    return shown ?? failNotFound('transaction')
  },
})

async function moneyOfDeposit({ db }: Deps, given: Given): Promise<Money> {
  const id = mustParseId('transaction', onlyWord(given, 'depositId'))
  return ((await findDeposit(db.read, id)) ?? failNotFound('transaction')).money
}

const attribute = defineCommand({
  name: 'deposits attribute',
  access: { roles: ['TREASURER'], fourEyes: 'always', amountOf: moneyOfDeposit, writes: true },
  about: 'A deposit that was nobody’s belongs to an internal account, which is credited.',
  takes: ['depositId'],
  options: {
    to: { about: 'The internal account.', value: 'INTERNAL_ACCOUNT_ID', required: true },
    ...NOTE,
  },
  answers: DepositSchema,
  async run(deps, given) {
    const resource = onlyWord(given, 'depositId')
    const id = mustParseId('transaction', resource)
    const accountId = mustParseId('internalAccount', given.text('to') ?? '')
    const owner =
      (await visibleOwner(deps, findPlatformOfInternalAccount(deps.db.read, accountId))) ??
      failNotFound('internalAccount')
    await mustFind(deps, id)
    const platformId = formatId('platform', owner)
    const note = () => given.text('note')
    const entry = { platformId, action: 'deposits attribute', resource, note }
    return inPlatform(deps, entry, async (work) => {
      await mustExplain(work, id, given)
      return toShown(await attributeDeposit(work, { id, accountId }))
    })
  },
})

type Change = (work: Work, id: Id<'transaction'>) => Promise<Deposit>

/** Runs in the platform that the deposit belongs to, the house's where it is nobody's. */
async function onDeposit(
  deps: Deps,
  given: Given,
  { action, change }: Readonly<{ action: string; change: Change }>,
) {
  const resource = onlyWord(given, 'depositId')
  const id = mustParseId('transaction', resource)
  const found = await mustFind(deps, id)
  const note = () => given.text('note')
  return inAnyPlatform(deps, { id: ownerOf(found), action, resource, note }, async (work) =>
    toShown(await change(work, id)),
  )
}

const release = defineCommand({
  name: 'deposits release',
  access: { roles: ['REVIEWER'], fourEyes: 'threshold', amountOf: moneyOfDeposit, writes: true },
  about: 'A deposit that was held for review may be spent.',
  takes: ['depositId'],
  options: NOTE,
  answers: DepositSchema,
  run: (deps, given) =>
    onDeposit(deps, given, {
      action: 'deposits release',
      change: async (work, id) => {
        await mustExplain(work, id, given)
        return releaseDeposit(work, id)
      },
    }),
})

const sendBack = defineCommand({
  name: 'deposits return',
  access: { roles: ['TREASURER'], fourEyes: 'always', amountOf: moneyOfDeposit, writes: true },
  about:
    'A deposit was sent back: nobody’s, one that was held, one that came too late for its quote.',
  takes: ['depositId'],
  answers: DepositSchema,
  run: (deps, given) =>
    onDeposit(deps, given, {
      action: 'deposits return',
      change: requestReturn,
    }),
})

export const depositCommands = {
  receive,
  list,
  show: showDeposit,
  attribute,
  release,
  return: sendBack,
}
