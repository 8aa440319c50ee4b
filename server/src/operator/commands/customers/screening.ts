import { Type } from 'typebox'
import { toWireTime } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import { formatId } from '../../../kernel/ids.ts'
import { idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { findPlatformOfSubject, listScreenings } from '../../../features/screening/index.ts'
import { defineCommand, onlyWord, record } from '../../command.ts'
import { inAnyPlatform } from '../../in-platform.ts'

const ScreeningSchema = record({
  orderId: idField('order'),
  providerId: idField('provider'),
  verdict: Type.String(),
  listVersion: Type.String(),
  matches: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  decidedAt: timestamp(),
})

const show = defineCommand({
  name: 'screening show',
  about: 'What screening providers found about an account, newest first; leaves an audit entry.',
  takes: ['id'],
  answers: Type.Array(ScreeningSchema),
  async run(deps, given) {
    const resource = onlyWord(given, 'id')
    const id = (await findPlatformOfSubject(deps.db.read, resource)) ?? fail('REFERENCE_NOT_FOUND')
    const found = await inAnyPlatform(deps, { id, action: 'screening show', resource }, (work) =>
      listScreenings(work, resource),
    )
    return found.map(({ orderId, providerId, matches, decidedAt, ...screening }) => ({
      orderId: formatId('order', orderId),
      providerId: formatId('provider', providerId),
      ...screening,
      matches: [...matches],
      decidedAt: toWireTime(decidedAt),
    }))
  },
})

export const screeningCommands = { show }
