import { ApiError } from '../kernel/errors.ts'
import { EmbeddedPostgresError } from '../infra/db/embedded/embedded-postgres-error.ts'
import { MigrationError } from '../infra/db/migrate.ts'
import { MasterKeyError } from '../infra/settings/key-checks.ts'
import { createLog } from '../infra/logging/log.ts'
import { loadSettings, SettingsError } from '../infra/settings/settings.ts'
import { openOperator } from '../app/operator.ts'
import { toJson } from '../operator/answer.ts'
import { findCommand, parseCommandLine } from '../operator/command-line/command-line.ts'
import { UsageError, type Command, type Given, type LocalCommand } from '../operator/command.ts'
import { BackupError } from '../operator/backup/archive.ts'
import { commands } from '../operator/commands.ts'
import { localCommands } from '../operator/commands/service/backup.ts'
import { helpOf, helpOfAll } from '../operator/command-line/help.ts'
import { show } from '../operator/command-line/show.ts'

const all: readonly (Command | LocalCommand)[] = [...commands, ...localCommands]

/** Asked for, the overview is an answer; otherwise it follows the complaint. */
function tellOfAll(args: readonly string[]): number {
  const words = args.filter((arg) => !arg.startsWith('-'))
  const overview = helpOfAll(all, words)
  if (args.includes('--help') || words.length === 0) {
    process.stdout.write(overview)
    return 0
  }
  process.stderr.write(`florin: There is no command ${words.join(' ')}.\n\n${overview}`)
  return 1
}

async function main(args: readonly string[]): Promise<number> {
  const command = findCommand(all, args)
  if (!command) return tellOfAll(args)
  const { given, json, help } = parseCommandLine(command, args)
  if (help) {
    process.stdout.write(helpOf(command))
    return 0
  }
  const answer = await run(command, given)
  process.stdout.write(`${json ? toJson(answer) : show(answer)}\n`)
  return (answer as { ok?: boolean } | undefined)?.ok === false ? 1 : 0
}

async function run(command: Command | LocalCommand, given: Given): Promise<unknown> {
  const settings = loadSettings()
  if ('runLocally' in command) return command.runLocally(settings, given)
  const { toleratesOldSchema } = command
  const operator = await openOperator(settings, createLog({ logLevel: 'error' }), {
    toleratesOldSchema,
  })
  try {
    return await command.run(operator.deps, given)
  } finally {
    await operator.close()
  }
}

function explain(error: unknown): string {
  if (error instanceof ApiError) {
    return `${error.code}: ${error.message}${error.details ? ` ${JSON.stringify(error.details)}` : ''}`
  }
  const isExplained = [
    UsageError,
    SettingsError,
    MigrationError,
    MasterKeyError,
    EmbeddedPostgresError,
    BackupError,
  ].some((kind) => error instanceof kind)
  if (isExplained) return (error as Error).message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`florin: ${explain(error)}\n`)
  process.exitCode = 1
}
