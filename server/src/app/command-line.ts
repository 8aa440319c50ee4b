import { BackupError } from '../operator/backup/archive.ts'
import { commandLineCaller, needsToken } from '../operator/access/command-line-caller.ts'
import { mayCall } from '../operator/access/may-run.ts'
import { answerOf } from '../operator/answer.ts'
import {
  findCommand,
  globalOptions,
  parseCommandLine,
} from '../operator/command-line/command-line.ts'
import { helpOf, helpOfAll } from '../operator/command-line/help.ts'
import { show } from '../operator/command-line/show.ts'
import {
  toJson,
  UsageError,
  type Command,
  type Given,
  type LocalCommand,
} from '../operator/command.ts'
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

async function runNamed(call: CommandCall): Promise<number> {
  const { args, print } = call
  const command = findCommand(all, args)
  if (!command) return showOverview(call)
  const { json, help, tokenFile } = globalOptions(args)
  if (help) {
    print(helpOf(command))
    return 0
  }
  const answer = await run(command, call, tokenFile)
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
  { args, settings: load, complain }: CommandCall,
  tokenFile: string | undefined,
): Promise<unknown> {
  const settings = load()
  const read = (): Given => parseCommandLine(command, args)
  // Without a token nothing is to be kept from the caller: a mistake is said before a database is looked for.
  const given = needsToken({ settings }, command) ? undefined : read()
  // Standard output is the answer's alone.
  const log = createLog({ logLevel: 'warn' }, { write: complain })
  const locally = (local: LocalCommand, of: Given) =>
    local.runLocally(settings, of, (place, body) => withOperator(place, { log }, body))
  if ('runLocally' in command && given) return locally(command, given)
  const toleratesOldSchema = 'run' in command && command.toleratesOldSchema
  return withOperator(settings, { log, toleratesOldSchema }, async (deps) => {
    const operator = await commandLineCaller(deps, command, tokenFile)
    if ('run' in command) {
      const answered = await answerOf({ ...deps, operator }, command, () => given ?? read())
      return answered.proposal ?? answered.answer
    }
    mayCall(operator, command)
    return locally(command, read())
  })
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
