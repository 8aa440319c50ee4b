import { Type } from '../../../infra/http/schema/type.ts'
import { timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { defineCommand, record } from '../../command.ts'
import { createLink, signOutAll } from '../../sign-in/dashboard-access.ts'
import { nameOf, originOf } from '../operators/options.ts'

const link = defineCommand({
  name: 'dashboard link',
  access: { roles: [], scope: 'installation', writes: true, isLocal: true },
  about:
    'Print an address that signs in to the dashboard. It works once, for 15 minutes; what is then done is audited under the name.',
  options: {
    name: { about: 'Who signs in (default florin); stands in audit entries.', value: 'NAME' },
  },
  answers: record({ url: Type.String(), name: Type.String(), expiresAt: timestamp() }),
  async run(deps, input) {
    const [name = 'florin', origin] = [nameOf(input), originOf(deps)]
    const { url, expiresAt } = await createLink(deps, { name, origin })
    return { url, name, expiresAt: toWireTime(expiresAt) }
  },
})

const signOutEverybody = defineCommand({
  name: 'dashboard sign-out-all',
  access: { roles: ['ADMIN'], scope: 'installation', writes: true },
  about: 'End every session of the dashboard, and take back links that were not used.',
  answers: record({ sessions: Type.Integer(), links: Type.Integer() }),
  run: (deps) => signOutAll(deps),
})

export const dashboardCommands = { link, signOutAll: signOutEverybody }
