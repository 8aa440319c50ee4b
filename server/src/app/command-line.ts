import {
  findCommand,
  globalOptions,
  parseCommandLine,
} from '../operator/command-line/command-line.ts'
import { COMPLETION, completionFor } from '../operator/command-line/completion.ts'
import { helpOf, helpOfAll } from '../operator/command-line/help.ts'
import { loadCommand, type AnyCommand } from '../operator/command-line/load-command.ts'
import { show } from '../operator/command-line/show.ts'
import { suggest } from '../operator/command-line/suggest.ts'
import { toJson, UsageError, type CommandUsage, type Input } from '../operator/command.ts'
import { COMMANDS } from '../operator/command-line/generated/command-table.ts'
import type { Settings } from '../infra/settings/settings.ts'
import manifest from '../../package.json' with { type: 'json' }

/** One call of `florin`: its words, how its settings are read, and where its output goes. */
type CommandCall = Readonly<{
  args: readonly string[]
  settings: () => Settings | Promise<Settings>
  print(text: string): void
  complain(text: string): void
  client: Client
  /** The width of the terminal in characters; absent where there is no terminal. */
  columns?: number | undefined
}>

type ClientContext = Readonly<{
  env: Readonly<Record<string, string | undefined>>
  stdin: NodeJS.ReadStream
  print(text: string): void
  complain(text: string): void
  isJson: boolean
  signal: AbortSignal
}>

/** A command for users of the API; it uses the service through its API only. */
type ClientCommand = CommandUsage &
  Readonly<{ load(): Promise<(given: Input, context: ClientContext) => Promise<unknown>> }>

/** The input that only commands for users of the API need. */
type Client = Pick<ClientContext, 'env' | 'stdin'> &
  Readonly<{
    commands: readonly ClientCommand[]
    /** Aborted when the user interrupts the command. */
    interrupted(): AbortSignal
  }>

/** Returns the exit status. Help, the version and unknown commands load no command. */
export async function runCommandLine(call: CommandCall): Promise<number> {
  const { args, print } = call
  const all = [...COMMANDS, ...call.client.commands]
  if (args[0] === COMPLETION.name) return complete(call, [...all, COMPLETION])
  const entry = findCommand(all, args)
  if (!entry) return answerWithoutCommand(call)
  const { json, help, tokenFile } = globalOptions(args)
  if (help) {
    print(helpOf(entry))
    return 0
  }
  if ('load' in entry) return runClientCommand(entry, call, json)
  const { callCommand, explain } = await import('./call-command.ts')
  try {
    const command = await loadCommand(entry)
    const answer = await callCommand(command, {
      ...call,
      settings: await call.settings(),
      tokenFile,
    })
    print(`${json ? toJson(answer) : shownBy(command, answer, call.columns)}\n`)
    return (answer as { ok?: boolean } | undefined)?.ok === false ? 1 : 0
  } catch (error) {
    call.complain(`florin: ${explain(error)}\n`)
    return 1
  }
}

async function runClientCommand(
  command: ClientCommand,
  { args, print, complain, client, columns }: CommandCall,
  isJson: boolean,
): Promise<number> {
  const signal = client.interrupted()
  const { env, stdin } = client
  try {
    const given = parseCommandLine(command, args)
    const run = await command.load()
    const answer = await run(given, { env, stdin, print, complain, isJson, signal })
    if (answer !== undefined) print(`${isJson ? toJson(answer) : show(answer, columns)}\n`)
    return 0
  } catch (error) {
    if (signal.aborted) return 0
    complain(`florin: ${explainToClient(error)}\n`)
    return 1
  }
}

/** The message of an error of the SDK or of the call; any other error is a bug, shown with its stack. */
function explainToClient(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isPlain = error instanceof UsageError || /^(?:CallError|Florin\w*Error)$/.test(error.name)
  return isPlain ? error.message : (error.stack ?? error.message)
}

const shownBy = (command: AnyCommand, answer: unknown, columns: number | undefined): string =>
  'runLocally' in command && command.show ? command.show(answer) : show(answer, columns)

function complete({ args, print, complain }: CommandCall, all: readonly CommandUsage[]): number {
  try {
    print(args[1] === '--help' ? helpOf(COMPLETION) : completionFor(args.slice(1), all))
    return 0
  } catch (error) {
    complain(`florin: ${explainToClient(error)}\n`)
    return 1
  }
}

function answerWithoutCommand({
  args,
  print,
  complain,
  client,
}: Pick<CommandCall, 'args' | 'print' | 'complain' | 'client'>): number {
  const words = args.filter((arg) => !arg.startsWith('-'))
  if (args.includes('--help') || args.length === 0)
    print(helpOfAll(COMMANDS, [...client.commands, COMPLETION], words))
  else if (args.includes('--version')) print(`florin ${manifest.version}\n`)
  else {
    complain(`florin: ${whyUnknown(words.length > 0 ? words : args, client.commands)}\n`)
    return 1
  }
  return 0
}

/** One line that names an unknown command and the most similar known one. */
function whyUnknown(words: readonly string[], further: readonly CommandUsage[]): string {
  const all = [...COMMANDS, ...further]
  const early = findCommand(all, words)
  if (early) return `The command comes first: florin ${early.name}, then its options.`
  const names = all.map(({ name }) => name)
  const ofGroup = names.filter((name) => name.startsWith(`${words[0]} `))
  const meant = suggest(names, words.join(' '))
  const hint = meant
    ? `Did you mean ${meant}?`
    : ofGroup.length > 0
      ? `There are ${ofGroup.join(', ')}.`
      : 'florin --help lists all.'
  return `There is no command ${words.join(' ')}. ${hint}`
}
