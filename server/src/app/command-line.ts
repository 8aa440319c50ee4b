import { findCommand, globalOptions } from '../operator/command-line/command-line.ts'
import { helpOf, helpOfAll } from '../operator/command-line/help.ts'
import { loadCommand, type AnyCommand } from '../operator/command-line/load-command.ts'
import { show } from '../operator/command-line/show.ts'
import { suggest } from '../operator/command-line/suggest.ts'
import { toJson } from '../operator/command.ts'
import { COMMANDS } from '../operator/command-line/generated/command-table.ts'
import type { Settings } from '../infra/settings/settings.ts'
import manifest from '../../package.json' with { type: 'json' }

/** One call of `florin`: its words, how its settings are read, and where its output goes. */
type CommandCall = Readonly<{
  args: readonly string[]
  settings: () => Settings | Promise<Settings>
  print(text: string): void
  complain(text: string): void
}>

/** Answers the exit status. Help, the version and unknown commands load no command. */
export async function runCommandLine(call: CommandCall): Promise<number> {
  const { args, print } = call
  const entry = findCommand(COMMANDS, args)
  if (!entry) return answerWithoutCommand(call)
  const { json, help, tokenFile } = globalOptions(args)
  if (help) {
    print(helpOf(entry))
    return 0
  }
  const { callCommand, explain } = await import('./call-command.ts')
  try {
    const command = await loadCommand(entry)
    const answer = await callCommand(command, {
      ...call,
      settings: await call.settings(),
      tokenFile,
    })
    print(`${json ? toJson(answer) : shownBy(command, answer)}\n`)
    return (answer as { ok?: boolean } | undefined)?.ok === false ? 1 : 0
  } catch (error) {
    call.complain(`florin: ${explain(error)}\n`)
    return 1
  }
}

const shownBy = (command: AnyCommand, answer: unknown): string =>
  ('runLocally' in command ? (command.show ?? show) : show)(answer)

function answerWithoutCommand({
  args,
  print,
  complain,
}: Pick<CommandCall, 'args' | 'print' | 'complain'>): number {
  const words = args.filter((arg) => !arg.startsWith('-'))
  if (args.includes('--help') || args.length === 0) print(helpOfAll(COMMANDS, words))
  else if (args.includes('--version')) print(`florin ${manifest.version}\n`)
  else {
    complain(`florin: ${whyUnknown(words.length > 0 ? words : args)}\n`)
    return 1
  }
  return 0
}

/** In one line, with what was likely meant. */
function whyUnknown(words: readonly string[]): string {
  const names = COMMANDS.map(({ name }) => name)
  const ofGroup = names.filter((name) => name.startsWith(`${words[0]} `))
  const meant = suggest(names, words.join(' '))
  const hint = meant
    ? `Did you mean ${meant}?`
    : ofGroup.length > 0
      ? `There are ${ofGroup.join(', ')}.`
      : 'florin --help lists all.'
  return `There is no command ${words.join(' ')}. ${hint}`
}
