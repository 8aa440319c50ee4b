import { Type } from '../../../infra/http/schema/type.ts'
import { idField, oneOf, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import { failNotFound, formatId, mustParseId, parseId, type Id } from '../../../kernel/ids.ts'
import { amountToWire } from '../../../kernel/money/wire-money.ts'
import { platformTime } from '../../../kernel/platform.ts'
import { isRemote } from '../../../kernel/ports.ts'
import type { Deps } from '../../../infra/deps.ts'
import {
  askOrder,
  findListedOrder,
  listExceptionsOfOrder,
  listOrders,
  moveToProvider,
  ORDER_STATES,
  ORDER_TYPES,
  readReports,
  WAITING_FOR,
  waitingFor,
  type ListedOrder,
} from '../../../orders/index.ts'
import { choiceOf, defineCommand, onlyArg, record, type Input } from '../../command.ts'
import { inAnyPlatform, operatorOf, readInPlatform } from '../../in-platform.ts'
import {
  AMOUNT_OPTIONS,
  amountRangeOf,
  PERIOD_OPTIONS,
  periodOf,
} from '../../queries/list-filters.ts'
import { WAITING_OPTIONS, waitingPage } from '../../queries/waiting-page.ts'
import { visibleOnly } from '../../access/visible-platforms.ts'

/** Loaded on demand: the kinds import most features, and only commands that act on an order need them. */
export const orderKinds = async () => (await import('./order-kinds.ts')).orderKinds

const orderFields = {
  orderId: idField('order'),
  type: oneOf(ORDER_TYPES),
  platformId: idField('platform'),
  providerId: idField('provider'),
  provider: Type.Optional(Type.String()),
  transactionId: Type.Optional(idField('transaction')),
  subject: Type.Optional(Type.String()),
  state: oneOf(ORDER_STATES),
  waitingFor: Type.Optional(oneOf(WAITING_FOR)),
  amount: Type.Optional(Type.Integer()),
  currency: Type.Optional(Type.String()),
  ownReference: Type.String(),
  reference: Type.Optional(Type.String()),
  attempts: Type.Integer(),
  lastAttemptAt: Type.Optional(timestamp()),
  lastError: Type.Optional(Type.String()),
  failureReason: Type.Optional(Type.String()),
  settledAmount: Type.Optional(Type.Integer()),
  returnedAmount: Type.Integer(),
  createdAt: timestamp(),
}

export const OrderSchema = record(orderFields)

const ShownOrderSchema = record({
  ...orderFields,
  expiresAt: Type.Optional(timestamp()),
  proofs: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  outsideFees: Type.Array(Type.Unknown()),
  reports: Type.Array(
    record({
      sequence: Type.Integer(),
      status: Type.String(),
      receivedAt: timestamp(),
      report: Type.Unknown(),
    }),
  ),
  exceptions: Type.Array(
    record({ exceptionId: idField('exception'), type: Type.String(), status: Type.String() }),
  ),
})

export function orderToWire(deps: Deps, order: ListedOrder) {
  const provider = deps.providers.find(order.providerId)
  const now = platformTime(order, deps.clock.now())
  const { isCircuitOpen, hasException, money } = order
  return {
    orderId: formatId('order', order.id),
    type: order.type,
    platformId: formatId('platform', order.platformId),
    providerId: formatId('provider', order.providerId),
    provider: provider?.name,
    transactionId: order.transactionId ? formatId('transaction', order.transactionId) : undefined,
    subject: order.subject ?? undefined,
    state: order.state,
    waitingFor: waitingFor(order, {
      now,
      providerStatus: provider?.status ?? 'ENABLED',
      isCircuitOpen,
      hasException,
    }),
    amount: money && amountToWire(money.amount),
    currency: money?.currency,
    ownReference: order.ownReference,
    reference: order.reference ?? undefined,
    attempts: order.attempts,
    lastAttemptAt: order.lastAttemptAt ? toWireTime(order.lastAttemptAt) : undefined,
    lastError: order.lastError ?? undefined,
    failureReason: order.failureReason ?? undefined,
    settledAmount: order.settledAmount === null ? undefined : amountToWire(order.settledAmount),
    returnedAmount: amountToWire(order.returnedAmount),
    createdAt: toWireTime(order.createdAt),
  }
}

function mustFindProvider(deps: Deps, nameOrId: string): Id<'provider'> {
  const id = parseId('provider', nameOrId)
  const found = deps.providers.registered().find((one) => one.id === id || one.name === nameOrId)
  return (found ?? failNotFound('provider')).id
}

async function mustFindOrder(deps: Deps, input: Input): Promise<ListedOrder> {
  const id = mustParseId('order', onlyArg(input, 'orderId'))
  return (await visibleOnly(deps, findListedOrder(deps.db.read, id))) ?? failNotFound('order')
}

const list = defineCommand({
  name: 'orders list',
  access: { roles: ['VIEWER'] },
  about: 'What providers outside were asked to do, oldest first.',
  options: {
    open: { about: 'Only those whose outcome is still to come.', flag: true },
    newest: { about: 'Newest first.', flag: true },
    provider: { about: 'Only of this provider: its name or id.', value: 'PROVIDER' },
    state: { about: `Only in this state: ${ORDER_STATES.join(', ')}.`, value: 'STATE' },
    transaction: { about: 'Only of this payment.', value: 'ID' },
    ...PERIOD_OPTIONS,
    ...AMOUNT_OPTIONS,
    ...WAITING_OPTIONS,
  },
  answers: Type.Array(OrderSchema),
  async run(deps, input) {
    const [provider, transaction] = [input.option('provider'), input.option('transaction')]
    const { platformIds, after, limit } = waitingPage(deps, input, 'order')
    const orders = await listOrders(deps.db.read, {
      platformIds,
      after,
      limit,
      providerId: provider === undefined ? null : mustFindProvider(deps, provider),
      transactionId: transaction === undefined ? null : mustParseId('transaction', transaction),
      state: choiceOf(input, 'state', ORDER_STATES) ?? null,
      period: periodOf(input),
      amount: amountRangeOf(input),
      isOpen: input.flag('open'),
      isNewestFirst: input.flag('newest'),
    })
    return orders.map((order) => orderToWire(deps, order))
  },
})

const show = defineCommand({
  name: 'orders show',
  access: { roles: ['VIEWER'] },
  about: 'One order with all that its provider said.',
  takes: ['orderId'],
  answers: ShownOrderSchema,
  async run(deps, input) {
    const order = await mustFindOrder(deps, input)
    const reports = await readInPlatform(deps, order.platformId, (work) => readReports(work, order))
    const exceptions = await listExceptionsOfOrder(deps.db.read, order)
    return {
      ...orderToWire(deps, order),
      expiresAt: order.expiresAt ? toWireTime(order.expiresAt) : undefined,
      proofs: order.proofs ?? undefined,
      outsideFees: [...order.outsideFees],
      reports: reports.map(({ sequence, status, receivedAt, report }) => ({
        sequence,
        status,
        receivedAt: toWireTime(receivedAt),
        report,
      })),
      exceptions: exceptions.map(({ id, type, status }) => ({
        exceptionId: formatId('exception', id),
        type,
        status,
      })),
    }
  },
})

const ask = defineCommand({
  name: 'orders ask',
  access: { roles: ['TREASURER'], writes: true },
  about: 'Ask the provider at once what became of an order.',
  takes: ['orderId'],
  answers: OrderSchema,
  async run(deps, input) {
    const order = await mustFindOrder(deps, input)
    await askOrder({ deps, kinds: await orderKinds() }, order, operatorOf(deps))
    return orderToWire(deps, await mustFindOrder(deps, input))
  },
})

const reassign = defineCommand({
  name: 'orders reassign',
  access: { roles: ['TREASURER'], fourEyes: 'always', writes: true },
  about: 'Give an order that was never sent to another provider.',
  takes: ['orderId'],
  options: { provider: { about: 'Its name or id.', value: 'PROVIDER', required: true } },
  answers: OrderSchema,
  async run(deps, input) {
    const order = await mustFindOrder(deps, input)
    const id = mustFindProvider(deps, input.option('provider') ?? '')
    const port = (await orderKinds()).get(order.type)?.port
    const [before, after] = [deps.providers.find(order.providerId), deps.providers.find(id)]
    // Orders are sent only to remote providers; the operator settles those of `manual` (PROV-12).
    const isFit =
      port &&
      after?.ports.includes(port) &&
      isRemote(after) &&
      after.environment === before?.environment &&
      (after.platformIds?.includes(order.platformId) ?? true)
    if (!isFit) fail('CONFLICT', { reason: 'PORT_NOT_GRANTED' })
    const resource = formatId('order', order.id)
    const entry = { id: order.platformId, action: 'orders reassign', resource }
    await inAnyPlatform(deps, entry, (work) => moveToProvider(work, order, id))
    return orderToWire(deps, await mustFindOrder(deps, input))
  },
})

export const orderCommands = { list, show, ask, reassign }
