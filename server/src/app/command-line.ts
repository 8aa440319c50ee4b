import { BackupError } from '../operator/backup/archive.ts'
import { runCommand } from '../operator/access/run-command.ts'
import { toJson } from '../operator/answer.ts'
import { findCommand, parseCommandLine } from '../operator/command-line/command-line.ts'
import { helpOf, helpOfAll } from '../operator/command-line/help.ts'
import { show } from '../operator/command-line/show.ts'
import { UsageError, type Command, type Given, type LocalCommand } from '../operator/command.ts'
import { commands, localCommands } from '../operator/commands.ts'
import { EmbeddedPostgresError } from '../infra/db/embedded/embedded-postgres-error.ts'
import { MigrationError } from '../infra/db/migrate.ts'
import type { Deps } from '../infra/deps.ts'
import { createLog, type Log } from '../infra/logging/log.ts'
import { MasterKeyError } from '../infra/settings/key-checks.ts'
import { SettingsError, type Settings } from '../infra/settings/settings.ts'
import { ApiError } from '../kernel/errors.ts'
import { openOperator, type OperatorOptions } from './operator.ts'

/** One call of `florin`: its words, how its settings are read, and where its output goes. */
type CommandCall = Readonly<{
  args: readonly string[]
  settings: () => Settings
  print(text: string): void
  complain(text: string): void
}>

const all: readonly (Command | LocalCommand)[] = [...commands, ...localCommands]

/** Answers the exit status. */
export async function runCommandLine(call: CommandCall): Promise<number> {
  try {
    return await runNamed(call)
  } catch (error) {
    call.complain(`florin: ${explain(error)}\n`)
    return 1
  }
}

async function runNamed({ args, settings, print, complain }: CommandCall): Promise<number> {
  const command = findCommand(all, args)
  if (!command) return showOverview({ args, print, complain })
  const { given, json, help } = parseCommandLine(command, args)
  if (help) {
    print(helpOf(command))
    return 0
  }
  const answer = await run(command, given, { settings: settings(), complain })
  print(`${json ? toJson(answer) : shownBy(command, answer)}\n`)
  return (answer as { ok?: boolean } | undefined)?.ok === false ? 1 : 0
}

/** Asked for, the overview is an answer; otherwise it follows the complaint. */
function showOverview({
  args,
  print,
  complain,
}: Pick<CommandCall, 'args' | 'print' | 'complain'>): number {
  const words = args.filter((arg) => !arg.startsWith('-'))
  const overview = helpOfAll(all, words)
  if (args.includes('--help') || words.length === 0) {
    print(overview)
    return 0
  }
  complain(`florin: There is no command ${words.join(' ')}.\n\n${overview}`)
  return 1
}

const shownBy = (command: Command | LocalCommand, answer: unknown): string =>
  ('runLocally' in command ? (command.show ?? show) : show)(answer)

async function run(
  command: Command | LocalCommand,
  given: Given,
  { settings, complain }: Readonly<{ settings: Settings }> & Pick<CommandCall, 'complain'>,
): Promise<unknown> {
  // Standard output is the answer's alone.
  const log = createLog({ logLevel: 'warn' }, { write: complain })
  if ('runLocally' in command)
    return command.runLocally(settings, given, (place, body) => withOperator(place, { log }, body))
  const { toleratesOldSchema } = command
  return withOperator(settings, { log, toleratesOldSchema }, (deps) =>
    runCommand(deps, command, () => given),
  )
}

async function withOperator<T>(
  settings: Settings,
  { log, ...options }: OperatorOptions & Readonly<{ log: Log }>,
  body: (deps: Deps) => Promise<T>,
): Promise<T> {
  const operator = await openOperator(settings, log, options)
  try {
    return await body(operator.deps)
  } finally {
    await operator.close()
  }
}

const EXPLAINED = [
  UsageError,
  SettingsError,
  MigrationError,
  MasterKeyError,
  EmbeddedPostgresError,
  BackupError,
]

function explain(error: unknown): string {
  if (error instanceof ApiError) {
    return `${error.code}: ${error.message}${error.details ? ` ${JSON.stringify(error.details)}` : ''}`
  }
  if (EXPLAINED.some((kind) => error instanceof kind)) return (error as Error).message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
