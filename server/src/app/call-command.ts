import { BackupError } from '../operator/backup/backup-error.ts'
import { commandLineCaller, needsToken } from '../operator/access/command-line-caller.ts'
import { mustBeCallable } from '../operator/access/must-be-allowed.ts'
import { answerOf } from '../operator/answer.ts'
import { parseCommandLine } from '../operator/command-line/command-line.ts'
import type { AnyCommand } from '../operator/command-line/load-command.ts'
import { UsageError, type Input, type LocalCommand } from '../operator/command.ts'
import { FileError } from '../infra/files/new-file.ts'
import { EmbeddedPostgresError } from '../infra/db/embedded/embedded-postgres-error.ts'
import { DatabaseUnavailable } from '../infra/db/connection/unavailable.ts'
import { MigrationError } from '../infra/db/migrate.ts'
import type { Deps } from '../infra/deps.ts'
import { createLog, type Log } from '../infra/logging/log.ts'
import { MasterKeyError } from '../infra/settings/key-checks.ts'
import { SettingsError } from '../infra/settings/settings-error.ts'
import type { Settings } from '../infra/settings/settings.ts'
import { ApiError } from '../kernel/errors.ts'
import { openOperator, type OperatorOptions } from './operator.ts'

type CommandCall = Readonly<{
  args: readonly string[]
  settings: Settings
  tokenFile: string | undefined
  complain(text: string): void
}>

/** Runs a command of the command line on the database of the settings. */
export async function callCommand(
  command: AnyCommand,
  { args, settings, tokenFile, complain }: CommandCall,
): Promise<unknown> {
  const read = (): Input => parseCommandLine(command, args)
  // Without required tokens, mistakes in the arguments are reported before the database is opened.
  const given = needsToken({ settings }, command) ? undefined : read()
  // Standard output is for the answer only.
  const log = createLog({ logLevel: 'warn' }, { write: complain })
  const locally = (local: LocalCommand, of: Input) =>
    local.runLocally(settings, of, (place, body) => withOperator(place, { log }, body))
  if ('runLocally' in command && given) return locally(command, given)
  const toleratesOldSchema = 'run' in command && command.toleratesOldSchema
  return withOperator(settings, { log, toleratesOldSchema }, async (deps) => {
    const operator = await commandLineCaller(deps, command, tokenFile)
    if ('run' in command) {
      const answered = await answerOf({ ...deps, operator }, command, () => given ?? read())
      return answered.proposal ?? answered.answer
    }
    mustBeCallable(operator, command)
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
  DatabaseUnavailable,
  MigrationError,
  MasterKeyError,
  EmbeddedPostgresError,
  BackupError,
  FileError,
]

/** The error message for the person who called the command; for a bug with its stack. */
export function explain(error: unknown): string {
  if (error instanceof ApiError) {
    return `${error.code}: ${error.message}${error.details ? ` ${JSON.stringify(error.details)}` : ''}`
  }
  if (EXPLAINED.some((kind) => error instanceof kind)) return (error as Error).message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
