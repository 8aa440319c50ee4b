import type { Deps } from '../../infra/deps.ts'
import type { Command, FourEyes, Given } from '../command.ts'
import { runOrPropose, type Outcome } from '../proposals/run-or-propose.ts'
import { callerOf } from './caller.ts'
import { mayCall, mayRun } from './may-run.ts'

/** What this input needs, where four eyes are on (OPER-20). */
async function fourEyesOf(
  deps: Deps,
  { access }: Command,
  given: Given,
): Promise<FourEyes | undefined> {
  if (deps.settings.fourEyes === 'off') return undefined
  return access.fourEyesFor ? access.fourEyesFor(deps, given) : access.fourEyes
}

/**
 * The one way to run a command, for the command line, the dashboard and HTTP. The input is read only once the caller may
 * run the command at all (OPER-4). Where a second operator has to agree, a proposal is made instead (OPER-23).
 */
export async function runCommand<T>(
  deps: Deps,
  command: Command<T>,
  read: () => Given,
): Promise<Outcome<T>> {
  const as = { ...deps, operator: callerOf(deps) }
  mayCall(as.operator, command)
  const given = read()
  await mayRun(as, command, given)
  const fourEyes = await fourEyesOf(as, command, given)
  return fourEyes
    ? runOrPropose(as, { command, given, fourEyes })
    : { answer: await command.run(as, given) }
}
