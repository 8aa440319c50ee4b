import type { Deps } from '../../infra/deps.ts'
import type { Command, Given, Loose } from '../command.ts'
import { callerOf } from './caller.ts'
import { mayCall, mayRun } from './may-run.ts'

/**
 * The one way to run a command, for the command line, the dashboard and HTTP. The input is read only once the caller may
 * run the command at all (OPER-4).
 */
export async function runCommand<T>(
  deps: Deps,
  command: Command<T>,
  read: () => Given,
): Promise<Loose<T>> {
  const as = { ...deps, operator: callerOf(deps) }
  mayCall(as.operator, command)
  const given = read()
  await mayRun(as, command, given)
  return command.run(as, given)
}
