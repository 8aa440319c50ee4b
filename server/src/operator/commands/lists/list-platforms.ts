import { Type } from '../../../infra/http/schema/type.ts'
import { ANY_ROLE } from '../../../kernel/access/operator.ts'
import { SECOND_MS, toWireTime } from '../../../kernel/clock.ts'
import { formatId } from '../../../kernel/ids.ts'
import { isVisible } from '../../access/visible-platforms.ts'
import { defineCommand } from '../../command.ts'
import { listPlatforms as listLines } from '../../queries/operator-store.ts'
import { LineSchema } from '../service/platform-answers.ts'

/** How far the clock is ahead, where it was moved. */
export const movedClock = (offsetMs: bigint) =>
  offsetMs === 0n ? {} : { clockOffsetSeconds: Math.floor(Number(offsetMs) / SECOND_MS) }

export const listPlatforms = defineCommand({
  name: 'platforms list',
  access: { roles: ANY_ROLE },
  about: 'All platforms, oldest first.',
  answers: Type.Array(LineSchema),
  async run(deps) {
    const all = await listLines(deps.db.read)
    const lines = all.filter(({ id }) => isVisible(deps, id))
    return lines.map(({ id, name, kind, environment, createdAt, clockOffsetMs }) => ({
      platformId: formatId('platform', id),
      name,
      kind,
      environment,
      createdAt: toWireTime(createdAt),
      ...movedClock(clockOffsetMs),
    }))
  },
})
