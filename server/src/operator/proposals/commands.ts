import { ANY_ROLE } from '../../kernel/access/operator.ts'
import { Type } from '../../infra/http/schema/type.ts'
import type { Deps } from '../../infra/deps.ts'
import { failNotFound, mustParseId, type Id } from '../../kernel/ids.ts'
import { callerOf } from '../access/caller.ts'
import { defineCommand, onlyArg, type Input } from '../command.ts'
import { WAITING_OPTIONS, waitingPage } from '../queries/waiting-page.ts'
import { approve, type FindCommand } from './approve.ts'
import { reject, withdraw } from './close.ts'
import { ProposalSchema, proposalToWire, type Proposal } from './proposal.ts'
import { findProposal, listProposals } from './store.ts'

const idOf = (input: Input): Id<'proposal'> => mustParseId('proposal', onlyArg(input, 'proposalId'))

const shownProposal = ({ keyring, clock }: Deps, proposal: Proposal) =>
  proposalToWire({ keyring, now: clock.now() }, proposal)

const list = defineCommand({
  name: 'proposals list',
  access: { roles: ['VIEWER'] },
  about: 'Commands that wait for a second operator, oldest first.',
  options: {
    all: { about: 'Those that are decided too.', flag: true },
    ...WAITING_OPTIONS,
  },
  answers: Type.Array(ProposalSchema),
  async run(deps, input) {
    const found = await listProposals(deps.db.read, {
      ...waitingPage(deps, input, 'proposal'),
      isAll: input.flag('all'),
      now: deps.clock.now(),
    })
    return found.map((proposal) => shownProposal(deps, proposal))
  },
})

const show = defineCommand({
  name: 'proposals show',
  access: { roles: ANY_ROLE },
  about: 'One proposal: the command, what it is given, who proposed it, and what became of it.',
  takes: ['proposalId'],
  answers: ProposalSchema,
  async run(deps, input) {
    const { platforms } = callerOf(deps)
    const found = await findProposal(deps.db.read, idOf(input), platforms)
    return shownProposal(deps, found ?? failNotFound('proposal'))
  },
})

const withdrawOwn = defineCommand({
  name: 'proposals withdraw',
  access: { roles: ANY_ROLE, writes: true },
  about: 'Take back a proposal of one’s own.',
  takes: ['proposalId'],
  answers: ProposalSchema,
  run: async (deps, input) => shownProposal(deps, await withdraw(deps, idOf(input))),
})

/** The commands that do not run other commands. */
export const proposalCommands = { list, show, withdraw: withdrawOwn }

/** `find` looks up the commands that can be proposed. */
export const createDecisionCommands = (find: FindCommand) => ({
  approve: defineCommand({
    name: 'proposals approve',
    access: { roles: ANY_ROLE, needsFreshSignIn: true, writes: true },
    about: 'Agree to what another operator proposed: the command is run now, and answered.',
    takes: ['proposalId'],
    answers: Type.Unknown(),
    async answersOf(deps, input) {
      const { platforms } = callerOf(deps)
      const proposal = await findProposal(deps.db.read, idOf(input), platforms)
      return proposal && find(proposal.command)
    },
    run: (deps, input) => approve(deps, find, idOf(input)),
  }),
  reject: defineCommand({
    name: 'proposals reject',
    access: { roles: ANY_ROLE, writes: true },
    about: 'Refuse what another operator proposed.',
    takes: ['proposalId'],
    options: { note: { about: 'Kept with the audit entry.', value: 'TEXT' } },
    answers: ProposalSchema,
    run: async (deps, input) =>
      shownProposal(
        deps,
        await reject(deps, find, { id: idOf(input), note: input.option('note') }),
      ),
  }),
})
