import { Type } from '../../../infra/http/schema/type.ts'
import { environmentSchema, idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { failNotFound, formatId, mustParseId, type Id } from '../../../kernel/ids.ts'
import { amountToWire } from '../../../kernel/money/wire-money.ts'
import { HOUSE_PLATFORM_IDS } from '../../../kernel/platform.ts'
import type { Deps } from '../../../infra/deps.ts'
import {
  DEPOSIT_STATUSES,
  findDeposit,
  listDeposits as listFound,
  type Deposit,
} from '../../../features/deposits/lists.ts'
import { isVisible } from '../../access/visible-platforms.ts'
import { choiceOf, defineCommand, onlyArg, record } from '../../command.ts'
import {
  AMOUNT_OPTIONS,
  amountRangeOf,
  PERIOD_OPTIONS,
  periodOf,
} from '../../queries/list-filters.ts'
import { nameParties, type Parties } from '../../queries/parties/party-names.ts'
import { RAIL_OPTION, railOf } from '../../queries/rail-filter.ts'
import { ScreeningSchema, shownScreenings } from '../../queries/shown-screenings.ts'
import { WAITING_OPTIONS, waitingPage } from '../../queries/waiting-page.ts'

export const DepositSchema = record({
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
  /** The latest result of a screening provider. */
  screening: Type.Optional(ScreeningSchema),
})

/** A deposit is called by the transaction that it makes, or will make once it is allocated. */
export const depositToShown = ({
  id,
  status,
  reason,
  money,
  report,
  paidTo,
  source,
  ...deposit
}: Deposit) => ({
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

/** Adds the names of the owners and the results of screening providers (PROV-105). */
async function withContext({ db, keyring }: Deps, deposits: readonly Deposit[]) {
  const names = await nameParties(db.read, deposits.map(partiesOf))
  const shown = deposits.map((deposit, index) => ({ ...depositToShown(deposit), ...names[index] }))
  const subjects = shown.map(({ depositId }) => depositId)
  const found = await shownScreenings({ tx: db.read, keyring }, subjects)
  return shown.map((one) => ({
    ...one,
    screening: found.find(({ subject }) => subject === one.depositId),
  }))
}

export const listDeposits = defineCommand({
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
  async run(deps, input) {
    const found = await listFound(deps.db.read, {
      ...waitingPage(deps, input, 'transaction'),
      isAll: input.flag('all'),
      status: choiceOf(input, 'status', DEPOSIT_STATUSES),
      period: periodOf(input),
      amount: amountRangeOf(input),
      rail: railOf(input),
    })
    return withContext(deps, found)
  },
})

/** The platform of the deposit, or the house where the deposit is unallocated. */
export const ownerOf = ({ ownerPlatformId, environment }: Deposit): Id<'platform'> =>
  ownerPlatformId ?? HOUSE_PLATFORM_IDS[environment]

export async function mustFindDeposit(deps: Deps, id: Id<'transaction'>): Promise<Deposit> {
  const found = await findDeposit(deps.db.read, id)
  return found && isVisible(deps, ownerOf(found)) ? found : failNotFound('transaction')
}

export const showDeposit = defineCommand({
  name: 'deposits show',
  access: { roles: ['VIEWER'] },
  about: 'What came, whose it is, and what has become of it.',
  takes: ['depositId'],
  answers: DepositSchema,
  async run(deps, input) {
    const id = mustParseId('transaction', onlyArg(input, 'depositId'))
    const found = await mustFindDeposit(deps, id)
    const [shown] = await withContext(deps, [found])
    return shown ?? failNotFound('transaction')
  },
})
