import { Type } from '../../../infra/http/schema/type.ts'
import { idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import type { Role } from '../../../kernel/access/operator.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { failNotFound, formatId, mustParseId } from '../../../kernel/ids.ts'
import type { Deps } from '../../../infra/deps.ts'
import {
  findException,
  findListedOrder,
  findOrder,
  listExceptions,
  RESOLUTIONS,
  resolveException,
  withOrder,
  type Exception,
} from '../../../orders/index.ts'
import { choiceOf, defineCommand, onlyArg, record, UsageError, type Input } from '../../command.ts'
import { operatorOf } from '../../in-platform.ts'
import { versionOf } from '../../proposals/resource-store.ts'
import { orderKinds, OrderSchema, orderToWire } from './orders.ts'
import { WAITING_OPTIONS, waitingPage } from '../../queries/waiting-page.ts'
import { visibleOnly } from '../../access/visible-platforms.ts'

const exceptionFields = {
  exceptionId: idField('exception'),
  type: Type.String(),
  platformId: idField('platform'),
  provider: Type.Optional(Type.String()),
  orderId: Type.Optional(idField('order')),
  subject: Type.Optional(Type.String()),
  status: Type.String(),
  resolveAs: Type.Array(Type.String()),
  details: Type.Record(Type.String(), Type.Unknown()),
  resolution: Type.Optional(Type.String()),
  note: Type.Optional(Type.String()),
  operator: Type.Optional(Type.String()),
  openedAt: timestamp(),
  resolvedAt: Type.Optional(timestamp()),
}

const ExceptionSchema = record(exceptionFields)

const exceptionToWire = (deps: Deps, exception: Exception) => ({
  exceptionId: formatId('exception', exception.id),
  type: exception.type,
  platformId: formatId('platform', exception.platformId),
  provider: exception.providerId ? deps.providers.find(exception.providerId)?.name : undefined,
  orderId: exception.orderId ? formatId('order', exception.orderId) : undefined,
  subject: exception.subject ?? undefined,
  status: exception.status,
  resolveAs: [...RESOLUTIONS[exception.type]],
  details: exception.details,
  resolution: exception.resolution ?? undefined,
  note: exception.note ?? undefined,
  operator: exception.operator ?? undefined,
  openedAt: toWireTime(exception.openedAt),
  resolvedAt: exception.resolvedAt ? toWireTime(exception.resolvedAt) : undefined,
})

async function mustFindException(deps: Deps, input: Input): Promise<Exception> {
  const id = mustParseId('exception', onlyArg(input, 'exceptionId'))
  return (await visibleOnly(deps, findException(deps.db.read, id))) ?? failNotFound('exception')
}

const list = defineCommand({
  name: 'exceptions list',
  access: { roles: ['VIEWER'] },
  about: 'What only an operator may decide, oldest first.',
  options: {
    all: { about: 'Those that are resolved too, newest first.', flag: true },
    ...WAITING_OPTIONS,
  },
  answers: Type.Array(ExceptionSchema),
  async run(deps, input) {
    const page = waitingPage(deps, input, 'exception')
    const found = await listExceptions(deps.db.read, { isAll: input.flag('all'), ...page })
    return found.map((exception) => exceptionToWire(deps, exception))
  },
})

const show = defineCommand({
  name: 'exceptions show',
  access: { roles: ['VIEWER'] },
  about: 'One exception with both statements, and its order.',
  takes: ['exceptionId'],
  answers: record({ ...exceptionFields, order: Type.Optional(OrderSchema) }),
  async run(deps, input) {
    const found = await mustFindException(deps, input)
    const order = found.orderId ? await findListedOrder(deps.db.read, found.orderId) : undefined
    return { ...exceptionToWire(deps, found), order: order && orderToWire(deps, order) }
  },
})

const WAYS = [...new Set(Object.values(RESOLUTIONS).flat())]
const AMOUNT = /^[1-9]\d{0,17}$/

/** A screening is about people, so a reviewer decides it; all other exceptions are about money. */
async function rolesFor(deps: Deps, input: Input): Promise<readonly Role[]> {
  const { type } = await mustFindException(deps, input)
  return [type === 'SCREENING_REVIEW' ? 'REVIEWER' : 'TREASURER']
}

/**
 * The exception and what became of its order, both locked as the command locks them (OPER-25). `updatedAt` is left
 * out: it changes with each query to the provider and would make most proposals stale.
 */
async function actsOn(deps: Deps, input: Input): Promise<unknown> {
  const { id, orderId } = await mustFindException(deps, input)
  const found = orderId && (await findOrder(deps.db.read, orderId))
  const orders = { deps, kinds: await orderKinds() }
  const order =
    found &&
    (await withOrder(orders, found, { actor: operatorOf(deps) }, async (locked) => locked.order))
  const exception = await versionOf(deps.db.read, { kind: 'exception', id })
  return [exception, order && [order.state, order.sequence, order.returnedAmount]]
}

const resolve = defineCommand({
  name: 'exceptions resolve',
  access: {
    roles: ['REVIEWER', 'TREASURER'],
    rolesFor,
    fourEyes: 'always',
    actsOn,
    writes: true,
  },
  about: 'Say what is true; the order comes into that state with all that follows.',
  takes: ['exceptionId'],
  options: {
    as: {
      about: `${WAYS.join(', ')}, as the type of exception allows.`,
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
  answers: ExceptionSchema,
  async run(deps, input) {
    const id = mustParseId('exception', onlyArg(input, 'exceptionId'))
    const amount = input.option('amount')
    if (amount !== undefined && !AMOUNT.test(amount))
      throw new UsageError('--amount is a number above 0.')
    const resolved = await resolveException({ deps, kinds: await orderKinds() }, id, {
      as: choiceOf(input, 'as', WAYS) ?? 'IGNORED',
      note: input.option('note') ?? '',
      amount: amount === undefined ? undefined : BigInt(amount),
      reference: input.option('reference'),
      bearer: choiceOf(input, 'bear', ['PLATFORM', 'SERVICE'] as const),
      actor: operatorOf(deps),
    })
    return exceptionToWire(deps, resolved)
  },
})

export const exceptionCommands = { list, show, resolve }
