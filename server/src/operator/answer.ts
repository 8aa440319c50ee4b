import type { Deps } from '../infra/deps.ts'
import { runCommand } from './access/run-command.ts'
import type { Command, Given } from './command.ts'

/** One JSON value; amounts are bigint inside and whole numbers outside. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, inner: unknown) =>
    typeof inner === 'bigint' ? Number(inner) : inner,
  )

/** Runs a command and answers what `--json` prints. */
export const answerOf = async <T>(deps: Deps, command: Command<T>, read: () => Given): Promise<T> =>
  JSON.parse(toJson(await runCommand(deps, command, read))) as T
