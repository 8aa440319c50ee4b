import { Type } from '../../../infra/http/schema/type.ts'
import { fail } from '../../../kernel/errors.ts'
import { findPlatformOfSubject } from '../../../features/screening/index.ts'
import { defineCommand, onlyArg } from '../../command.ts'
import { inAnyPlatform } from '../../in-platform.ts'
import { visibleOwner } from '../../access/visible-platforms.ts'
import { ScreeningSchema, shownScreenings } from '../../queries/shown-screenings.ts'

const show = defineCommand({
  name: 'screening show',
  access: { roles: ['VIEWER'] },
  about:
    'What screening providers found about a customer, an owner, an account or a payment, newest first; leaves an audit entry.',
  takes: ['id'],
  answers: Type.Array(ScreeningSchema),
  async run(deps, input) {
    const resource = onlyArg(input, 'id')
    const id =
      (await visibleOwner(deps, findPlatformOfSubject(deps.db.read, resource))) ??
      fail('REFERENCE_NOT_FOUND')
    return inAnyPlatform(deps, { id, action: 'screening show', resource }, (work) =>
      shownScreenings(work, [resource]),
    )
  },
})

export const screeningCommands = { show }
