import { Type } from '../../../infra/http/schema/type.ts'
import { idField } from '../../../infra/http/schema/wire-schema.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Work } from '../../../infra/work/work.ts'
import { refusalToError, type Refusal } from '../../../kernel/errors.ts'
import { failNotFound, formatId, mustParseId, type Id } from '../../../kernel/ids.ts'
import {
  ActionSchema,
  AgentSchema,
  agentToWire,
  approveAction,
  listOwnActions,
  mustFindAgent,
  REASON_LENGTH_MAX,
  rejectAction,
  showChanged,
  updateAgent,
} from '../../../features/agents/index.ts'
import { visibleOwner } from '../../access/visible-platforms.ts'
import {
  defineCommand,
  onlyArg,
  record,
  UsageError,
  type CommandHead,
  type Input,
} from '../../command.ts'
import { inPlatform, readInPlatform } from '../../in-platform.ts'
import { findPlatformOfAgent } from '../../queries/newest-store.ts'
import { listAgents } from '../lists/list-agents.ts'

const show = defineCommand({
  name: 'agents show',
  access: { roles: ['VIEWER'] },
  about: 'One agent with its policy, what it has used of it, and its newest actions.',
  takes: ['agentId'],
  answers: record({
    platformId: idField('platform'),
    agent: AgentSchema,
    actions: Type.Array(ActionSchema),
  }),
  async run(deps, input) {
    const { id, owner } = await placeOf(deps, onlyArg(input, 'agentId'))
    return readInPlatform(deps, owner, async (work) => ({
      platformId: formatId('platform', work.platform.id),
      agent: agentToWire(await mustFindAgent(work, id), work.now),
      actions: (await listOwnActions(work, id, {})).data,
    }))
  },
})

async function placeOf(deps: Deps, resource: string) {
  const id = mustParseId('agent', resource)
  const owner = await visibleOwner(deps, findPlatformOfAgent(deps.db.read, id))
  return { id, owner: owner ?? failNotFound('agent') }
}

type Head = Pick<CommandHead, 'name' | 'access' | 'about'>

const NOTE = { note: { about: 'Kept with the audit entry.', value: 'TEXT' } } as const

const pausing = (head: Head, isPaused: boolean) =>
  defineCommand({
    ...head,
    takes: ['agentId'],
    options: NOTE,
    answers: AgentSchema,
    async run(deps, input) {
      const resource = onlyArg(input, 'agentId')
      const { id, owner } = await placeOf(deps, resource)
      const platformId = formatId('platform', owner)
      const entry = { platformId, action: head.name, resource, note: () => input.option('note') }
      return inPlatform(deps, entry, async (work) =>
        agentToWire(await updateAgent(work, id, { isPaused }), work.now),
      )
    },
  })

const pause = pausing(
  {
    name: 'agents pause',
    access: { roles: ['REVIEWER'], writes: true },
    about: 'Stop an agent: whatever it asks for is refused until it is resumed.',
  },
  true,
)

const resume = pausing(
  {
    name: 'agents resume',
    access: { roles: ['REVIEWER'], fourEyes: 'always', writes: true },
    about: 'Let a paused agent act again within its policy.',
  },
  false,
)

type Decided = Exclude<Awaited<ReturnType<typeof approveAction>>, Refusal>
type Path = Readonly<{ agentId: Id<'agent'>; actionId: Id<'agentAction'> }>
type Decide = (work: Work, path: Path, input: Input) => Promise<Decided | Refusal>

/** Commits a refusal that closes an overdue action, then fails with it. */
const deciding = (head: Head & Pick<CommandHead, 'options'>, decide: Decide) =>
  defineCommand({
    ...head,
    takes: ['agentId', 'actionId'],
    answers: ActionSchema,
    async run(deps, input) {
      const [agent = '', resource = '', ...rest] = input.args
      if (resource === '' || rest.length > 0) throw new UsageError('Give an agent and its action.')
      const { id: agentId, owner } = await placeOf(deps, agent)
      const path = { agentId, actionId: mustParseId('agentAction', resource) }
      const platformId = formatId('platform', owner)
      const entry = { platformId, action: head.name, resource, note: () => input.option('note') }
      const decided = await inPlatform(deps, entry, async (work) => {
        const outcome = await decide(work, path, input)
        return 'ok' in outcome ? outcome : showChanged(work, outcome)
      })
      if ('ok' in decided) throw refusalToError(decided)
      return decided
    },
  })

const approve = deciding(
  {
    name: 'agents approve',
    access: { roles: ['TREASURER'], fourEyes: 'always', writes: true },
    about: 'Approve an action of an agent for its platform; the payment begins, or it fails.',
    options: NOTE,
  },
  (work, path) => approveAction(work, path),
)

const reject = deciding(
  {
    name: 'agents reject',
    access: { roles: ['REVIEWER', 'TREASURER'], writes: true },
    about: 'Reject an action of an agent for its platform; no money moves.',
    options: { ...NOTE, reason: { about: 'Shown to the platform and the agent.', value: 'TEXT' } },
  },
  (work, path, input) => rejectAction(work, path, reasonOf(input)),
)

function reasonOf(input: Input): string | undefined {
  const reason = input.option('reason')
  if ((reason?.length ?? 0) > REASON_LENGTH_MAX)
    throw new UsageError(`--reason has at most ${REASON_LENGTH_MAX} characters.`)
  return reason
}

export const agentCommands = { list: listAgents, show, pause, resume, approve, reject }
