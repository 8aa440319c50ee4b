import { Type } from '../../../infra/http/schema/type.ts'
import { environmentSchema, idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { failNotFound, formatId, mustParseId } from '../../../kernel/ids.ts'
import type { Deps } from '../../../infra/deps.ts'
import { displayName, findCustomer } from '../../../features/customers/index.ts'
import {
  findPlacedReset,
  listResetReviews,
  moveReset,
  statusAt,
  type PlacedReset,
} from '../../../features/sca/index.ts'
import { defineCommand, onlyArg, record } from '../../command.ts'
import { inPlatform, readInPlatform } from '../../in-platform.ts'
import { WAITING_OPTIONS, waitingPage } from '../../queries/waiting-page.ts'
import { visibleOnly } from '../../access/visible-platforms.ts'

const reset = {
  platformId: idField('platform'),
  resetId: idField('scaReset'),
  customerId: idField('customer'),
  factor: Type.String(),
  status: Type.String(),
  startedAt: timestamp(),
  expiresAt: timestamp(),
}

const placed = {
  ...reset,
  environment: environmentSchema(),
  customerName: Type.Optional(Type.String()),
}

const toShown = (reset: PlacedReset) => ({
  platformId: formatId('platform', reset.platformId),
  resetId: formatId('scaReset', reset.id),
  customerId: formatId('customer', reset.customerId),
  factor: reset.factor,
  status: reset.status,
  startedAt: toWireTime(reset.createdAt),
  expiresAt: toWireTime(reset.expiresAt),
})

const list = defineCommand({
  name: 'sca-resets list',
  access: { roles: ['VIEWER'] },
  about: 'Resets of lost factors that wait for a decision, oldest first.',
  options: WAITING_OPTIONS,
  answers: Type.Array(record(placed)),
  async run(deps, input) {
    const { db, clock } = deps
    const page = waitingPage(deps, input, 'scaReset')
    const found = await listResetReviews(db.read, { ...page, realTime: clock.now() })
    return found.map(({ environment, customerName, ...reset }) => ({
      environment,
      ...toShown(reset),
      ...(customerName !== null && { customerName }),
    }))
  },
})

const show = defineCommand({
  name: 'sca-resets show',
  access: { roles: ['VIEWER'] },
  about: 'The reset of a lost factor, and whose it is.',
  takes: ['resetId'],
  answers: record({ ...placed, completedAt: Type.Optional(timestamp()) }),
  async run(deps, input) {
    const id = mustParseId('scaReset', onlyArg(input, 'resetId'))
    const placed =
      (await visibleOnly(deps, findPlacedReset(deps.db.read, id))) ?? failNotFound('scaReset')
    return readInPlatform(deps, placed.platformId, async (work) => {
      const customer = await findCustomer(work, placed.customerId)
      return {
        environment: work.platform.environment,
        ...toShown({ ...placed, status: statusAt(placed, work.now) }),
        ...(customer && { customerName: displayName(customer) }),
        ...(placed.completedAt && { completedAt: toWireTime(placed.completedAt) }),
      }
    })
  },
})

/** Decides a reset that is named without its platform. */
async function decide(
  deps: Deps,
  { action, resource, event }: { action: string; resource: string; event: 'pass' | 'reject' },
) {
  const resetId = mustParseId('scaReset', resource)
  const placed =
    (await visibleOnly(deps, findPlacedReset(deps.db.read, resetId))) ?? failNotFound('scaReset')
  const { customerId } = placed
  const platformId = formatId('platform', placed.platformId)
  const decided = await inPlatform(deps, { platformId, action, resource }, (work) =>
    moveReset(work, { customerId, resetId, event }),
  )
  return toShown({ ...placed, ...decided })
}

const decision = (verb: 'approve' | 'reject', about: string) =>
  defineCommand({
    answers: record(reset),
    name: `sca-resets ${verb}`,
    access: {
      roles: ['REVIEWER'],
      ...(verb === 'approve' && { fourEyes: 'always' }),
      writes: true,
    },
    about,
    takes: ['resetId'],
    run: (deps, input) =>
      decide(deps, {
        action: `sca-resets ${verb}`,
        resource: onlyArg(input, 'resetId'),
        event: verb === 'approve' ? 'pass' : 'reject',
      }),
  })

export const scaCommands = {
  list,
  show,
  approve: decision('approve', 'Let a customer reset a lost factor.'),
  reject: decision('reject', 'Refuse the reset of a factor.'),
}
