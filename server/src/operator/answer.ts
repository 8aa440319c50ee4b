import type { Deps } from '../infra/deps.ts'
import type { Command, Given } from './command.ts'

/** One JSON value; amounts are bigint inside and whole numbers outside. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, inner: unknown) =>
    typeof inner === 'bigint' ? Number(inner) : inner,
  )

/** Runs a command and answers what `--json` prints. */
export const answerOf = async <T>(command: Command<T>, deps: Deps, given: Given): Promise<T> =>
  JSON.parse(toJson(await command.run(deps, given))) as T
