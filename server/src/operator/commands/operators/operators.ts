import { Type } from '../../../infra/http/schema/type.ts'
import { timestamp } from '../../../infra/http/schema/wire-schema.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Work } from '../../../infra/work/work.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import { formatId } from '../../../kernel/ids.ts'
import { callerOf } from '../../access/caller.ts'
import {
  defineCommand,
  onlyArg,
  record,
  UsageError,
  type Access,
  type Input,
} from '../../command.ts'
import { inHouse } from '../../in-platform.ts'
import {
  disableOperator,
  enableOperator,
  inviteOperator,
  recoverOperator,
  updateOperator,
} from '../../operators/change-operator.ts'
import { OPERATOR_FIELDS, operatorToWire, type Operator } from '../../operators/operator.ts'
import { countAdmins, listOperators } from '../../operators/store.ts'
import { versionOf } from '../../proposals/resource-store.ts'
import { newLink } from '../../sign-in/dashboard-access.ts'
import type { LinkPurpose } from '../../sign-in/dashboard-store.ts'
import { emailOf, mustFindOperator, nameOf, originOf, platformsOf } from './options.ts'
import { TOKEN_FIELDS, tokensSeenBy } from './operator-tokens.ts'
import { ROLES_OPTION, rolesOf } from './options.ts'

const OperatorSchema = record(OPERATOR_FIELDS)
const LinkedSchema = record({ ...OPERATOR_FIELDS, url: Type.String(), expiresAt: timestamp() })

const PLATFORM = { value: 'ID', repeatable: true }

const list = defineCommand({
  name: 'operators list',
  access: { roles: ['VIEWER'], scope: 'installation' },
  about: 'Everybody who runs the service, oldest first.',
  answers: Type.Array(OperatorSchema),
  run: async ({ db }) => (await listOperators(db.read)).map(operatorToWire),
})

const show = defineCommand({
  name: 'operators show',
  access: { roles: ['VIEWER'], scope: 'installation' },
  about: 'One operator, by id or name; for an ADMIN and for oneself with the tokens that work.',
  takes: ['operator'],
  answers: record({
    ...OPERATOR_FIELDS,
    tokens: Type.Optional(Type.Array(record(TOKEN_FIELDS))),
  }),
  async run(deps, input) {
    const operator = await mustFindOperator(deps, onlyArg(input, 'operator'))
    return { ...operatorToWire(operator), tokens: await tokensSeenBy(deps, operator) }
  },
})

/** The operator with the link that signs it in, made in the Work of the change. */
async function withLink(
  work: Work,
  { id, name, ...operator }: Operator,
  { purpose, origin }: Readonly<{ purpose: LinkPurpose; origin: string }>,
) {
  const { url, expiresAt } = await newLink(work, { name, operatorId: id, purpose, origin })
  return { ...operatorToWire({ id, name, ...operator }), url, expiresAt: toWireTime(expiresAt) }
}

const invite = defineCommand({
  name: 'operators invite',
  access: {
    roles: ['ADMIN'],
    fourEyes: 'always',
    fourEyesFor: async ({ db }) => ((await countAdmins(db.read)) < 2 ? undefined : 'always'),
    scope: 'installation',
    writes: true,
  },
  about: 'Make an operator, and a link that signs in once within 72 hours.',
  options: {
    name: { about: 'What audit entries call them.', value: 'NAME', required: true },
    email: { about: 'Where the link is sent, by you.', value: 'ADDRESS', required: true },
    roles: { ...ROLES_OPTION, required: true },
    platform: { ...PLATFORM, about: 'Limited to this platform; may be repeated.' },
  },
  answers: LinkedSchema,
  showsOnce: ['url'],
  async run(deps, input) {
    const [name = '', email, roles = []] = [nameOf(input), emailOf(input), rolesOf(input)]
    const platforms = (await platformsOf(deps, input)) ?? null
    if (roles.includes('DEVELOPER') && platforms === null)
      throw new UsageError('A DEVELOPER works for platforms: give --platform.')
    const [origin, note] = [originOf(deps), () => describe({ roles, platforms })]
    return inHouse(deps, { action: 'operators invite', resource: name, note }, async (work) => {
      const operator = await inviteOperator(work, { name, email, roles, platforms })
      return withLink(work, operator, { purpose: 'INVITATION', origin })
    })
  },
})

/** What a change of access leaves in the audit (OPER-56). */
const describe = ({ roles, platforms }: Pick<Operator, 'roles' | 'platforms'>): string => {
  const limits = platforms?.map((id) => formatId('platform', id)).join(',') ?? 'all platforms'
  return `${roles.join(',')}; ${limits}`
}

/** Nobody decides about their own access (OPER-5). */
function mustBeAnother(deps: Deps, { id }: Operator): void {
  if (callerOf(deps).operatorId === id) fail('FORBIDDEN', { reason: 'SAME_OPERATOR' })
}

const CHANGES_RIGHTS: Access = {
  roles: ['ADMIN'],
  fourEyes: 'always',
  async actsOn(deps, input) {
    const { id } = await mustFindOperator(deps, onlyArg(input, 'operator'))
    return versionOf(deps.db.read, { kind: 'operator', id })
  },
  scope: 'installation',
  writes: true,
}

const update = defineCommand({
  name: 'operators update',
  access: CHANGES_RIGHTS,
  about: 'Replace the name, the roles or the platforms of an operator.',
  takes: ['operator'],
  options: {
    name: { about: 'Its new name.', value: 'NAME' },
    roles: ROLES_OPTION,
    platform: { ...PLATFORM, about: 'Limited to this platform, or `none`; may be repeated.' },
  },
  answers: OperatorSchema,
  async run(deps, input) {
    const operator = await mustFindOperator(deps, onlyArg(input, 'operator'))
    const [name, roles] = [nameOf(input), rolesOf(input)]
    const platforms = await platformsOf(deps, input)
    if (name === undefined && roles === undefined && platforms === undefined)
      throw new UsageError('Give --name, --roles or --platform.')
    if (roles !== undefined || platforms !== undefined) mustBeAnother(deps, operator)
    return change(deps, { action: 'operators update', operator }, (work) =>
      updateOperator(work, operator.id, { name, roles, platforms }),
    )
  },
})

type Entry = Readonly<{ action: string; operator: Operator }>

async function change(
  deps: Deps,
  { action, operator }: Entry,
  body: (work: Work) => Promise<Operator>,
) {
  const entry = { action, resource: formatId('operator', operator.id), note: noteOf(operator) }
  return operatorToWire(await inHouse(deps, entry, body))
}

const noteOf =
  (before: Operator) =>
  (after: Operator): string => {
    const [from, to] = [describe(before), describe(after)]
    const renamed = before.name === after.name ? before.name : `${before.name} → ${after.name}`
    return from === to ? `${renamed}: ${to}` : `${renamed}: ${from} → ${to}`
  }

const toggled = async (
  deps: Deps,
  input: Input,
  { action, body }: Readonly<{ action: string; body: typeof disableOperator }>,
) => {
  const operator = await mustFindOperator(deps, onlyArg(input, 'operator'))
  if (body === enableOperator) mustBeAnother(deps, operator)
  return change(deps, { action, operator }, (work) => body(work, operator.id))
}

const enable = defineCommand({
  name: 'operators enable',
  access: CHANGES_RIGHTS,
  about: 'Let a disabled operator in again.',
  takes: ['operator'],
  answers: OperatorSchema,
  run: (deps, input) => toggled(deps, input, { action: 'operators enable', body: enableOperator }),
})

const disable = defineCommand({
  name: 'operators disable',
  access: { roles: ['ADMIN'], scope: 'installation', writes: true },
  about: 'End the sessions, links and tokens of an operator, and let it in no more.',
  takes: ['operator'],
  answers: OperatorSchema,
  run: (deps, input) =>
    toggled(deps, input, { action: 'operators disable', body: disableOperator }),
})

const recover = defineCommand({
  name: 'operators recover',
  access: { roles: [], scope: 'installation', writes: true, isLocal: true },
  about:
    'Make an administrator where none can sign in any more, and a link for it. `doctor` shows it for 7 days.',
  options: { name: { about: 'Of a new operator or a known one.', value: 'NAME', required: true } },
  answers: LinkedSchema,
  showsOnce: ['url'],
  async run(deps, input) {
    const [name = '', origin] = [nameOf(input), originOf(deps)]
    const entry = { action: 'operators recover', resource: name }
    const recovered = await inHouse(deps, entry, async (work) => {
      const operator = await recoverOperator(work, name)
      return withLink(work, operator, { purpose: 'RECOVERY', origin })
    })
    deps.log.warn({ operator: name, by: callerOf(deps).name }, 'operators recover')
    return recovered
  },
})

export const operatorCommands = { list, show, invite, update, enable, disable, recover }
