import { invariant } from '../../kernel/invariant.ts'
import type { Command, CommandEntry, LocalCommand } from '../command.ts'

export type AnyCommand = Command | LocalCommand

const isCommand = (value: unknown): value is AnyCommand =>
  typeof value === 'object' && value !== null && ('run' in value || 'runLocally' in value)

/** The commands that a module exports, by themselves or in groups. */
export const commandsIn = (module: object): AnyCommand[] =>
  Object.values(module).flatMap((exported: unknown) =>
    isCommand(exported) ? [exported] : Object.values(exported ?? {}).filter(isCommand),
  )

/** Loads one command and what it needs: all of them together take a second. */
export async function loadCommand({ name, module }: CommandEntry): Promise<AnyCommand> {
  const loaded = (await import(`../${module}`)) as object
  const found = commandsIn(loaded).find((command) => command.name === name)
  invariant(found, 'The table of commands names the module of each.')
  return found
}
