import type { Deps } from '../../infra/deps.ts'
import type { Command, Input, Loose } from '../command.ts'
import type { Outcome, Proposed } from '../proposals/run-or-propose.ts'
import { callerOf } from './caller.ts'
import { mustBeCallable, mustBeRunnable } from './must-be-allowed.ts'

/** Loaded on demand, because proposals need the prices, which most commands do not. */
const proposals = () => import('../proposals/run-or-propose.ts')

/** Whether some input of the command needs a second operator, where four eyes are on (OPER-20). */
const mayNeedTwo = ({ settings }: Deps, { access }: Command): boolean =>
  settings.fourEyes !== 'off' && (access.fourEyesFor ?? access.fourEyes) !== undefined

/** Reads the input only after the caller may call the command (OPER-4). */
async function permit<T>(deps: Deps, command: Command<T>, read: () => Input) {
  const as = { ...deps, operator: callerOf(deps) }
  mustBeCallable(as.operator, command)
  const input = read()
  await mustBeRunnable(as, command, input)
  return { as, input }
}

/**
 * The one way to run a command, for the command line, the dashboard and HTTP. Where a second operator has to agree, a
 * proposal is made instead (OPER-23).
 */
export async function runCommand<T>(
  deps: Deps,
  command: Command<T>,
  read: () => Input,
): Promise<Outcome<T>> {
  const { as, input } = await permit(deps, command, read)
  return mayNeedTwo(as, command)
    ? (await proposals()).runOrPropose(as, { command, input })
    : { answer: await command.run(as, input) }
}

/** As runCommand, but inside the caller's transaction, and answering the parts of a proposal instead of storing one. */
export async function runIfAlone<T>(
  joined: Deps,
  command: Command<T>,
  read: () => Input,
): Promise<Readonly<{ answer: Loose<T> } | { proposed: Proposed }>> {
  const { as, input } = await permit(joined, command, read)
  return mayNeedTwo(as, command)
    ? (await proposals()).tryAlone(as, { command, input })
    : { answer: await command.run(as, input) }
}
