import { Type } from 'typebox'
import { timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { defineCommand, record, UsageError, type Given } from '../../command.ts'
import { createLink, dashboardOrigin, signOutAll } from '../../sign-in/dashboard-access.ts'

const NAME = /^[^\p{Cc}\p{Zl}\p{Zp}]{1,64}$/u

function nameOf(given: Given): string {
  const name = (given.text('name') ?? 'florin').trim()
  if (!NAME.test(name)) throw new UsageError('--name is 1 to 64 printable characters.')
  return name
}

const link = defineCommand({
  name: 'dashboard link',
  access: { roles: [], scope: 'installation', writes: true, isLocal: true },
  about:
    'Print an address that signs in to the dashboard. It works once, for 15 minutes; what is then done is audited under the name.',
  options: {
    name: { about: 'Who signs in (default florin); stands in audit entries.', value: 'NAME' },
  },
  answers: record({ url: Type.String(), name: Type.String(), expiresAt: timestamp() }),
  async run(deps, given) {
    const name = nameOf(given)
    const origin = dashboardOrigin(deps.settings)
    if (origin === undefined) throw new UsageError('ADMIN_PORT is 0, so there is no dashboard.')
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
