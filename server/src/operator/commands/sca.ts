import { toWireTime } from '../../kernel/clock.ts'
import { failNotFound, formatId, mustParseId } from '../../kernel/ids.ts'
import type { Deps } from '../../infra/deps.ts'
import {
  findPlacedReset,
  listResetReviews,
  moveReset,
  type PlacedReset,
} from '../../features/sca/index.ts'
import { onlyWord, type Command } from '../command.ts'
import { inPlatform } from '../in-platform.ts'

const toShown = (reset: PlacedReset) => ({
  platformId: formatId('platform', reset.platformId),
  resetId: formatId('scaReset', reset.id),
  customerId: formatId('customer', reset.customerId),
  factor: reset.factor,
  status: reset.status,
  startedAt: toWireTime(reset.createdAt),
  expiresAt: toWireTime(reset.expiresAt),
})

const list: Command = {
  name: 'sca-resets list',
  about: 'Resets of lost factors that wait for a decision, oldest first.',
  run: async ({ db, clock }) =>
    (await listResetReviews(db.read, clock.now())).map(({ environment, ...reset }) => ({
      environment,
      ...toShown(reset),
    })),
}

/** Decides a reset that is named without its platform. */
async function decide(
  deps: Deps,
  { action, resource, event }: { action: string; resource: string; event: 'pass' | 'reject' },
) {
  const resetId = mustParseId('scaReset', resource)
  const placed = (await findPlacedReset(deps.db.read, resetId)) ?? failNotFound('scaReset')
  const { customerId } = placed
  const platformId = formatId('platform', placed.platformId)
  const decided = await inPlatform(deps, { platformId, action, resource }, (work) =>
    moveReset(work, { customerId, resetId, event }),
  )
  return toShown({ ...placed, ...decided })
}

const decision = (verb: 'approve' | 'reject', about: string): Command => ({
  name: `sca-resets ${verb}`,
  about,
  takes: ['resetId'],
  run: (deps, given) =>
    decide(deps, {
      action: `sca-resets ${verb}`,
      resource: onlyWord(given, 'resetId'),
      event: verb === 'approve' ? 'pass' : 'reject',
    }),
})

export const scaCommands: readonly Command[] = [
  list,
  decision('approve', 'Let a customer reset a lost factor.'),
  decision('reject', 'Refuse the reset of a factor.'),
]
