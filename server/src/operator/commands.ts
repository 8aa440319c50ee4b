import type { Command } from './command.ts'
import { platformCommands } from './commands/platforms.ts'
import { serviceCommands } from './commands/service.ts'
import { termsCommands } from './commands/terms.ts'
import { tokenCommands } from './commands/tokens.ts'

/** Every subcommand of `florin`. */
export const commands: readonly Command[] = [
  ...platformCommands,
  ...tokenCommands,
  ...termsCommands,
  ...serviceCommands,
]
