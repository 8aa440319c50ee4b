import { UsageError, type CommandUsage } from '../command.ts'
import { findCommand, GLOBAL_OPTIONS } from './command-line.ts'

const SHELLS = {
  bash: `_florin() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(florin completion words "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _florin florin
`,
  zsh: `#compdef florin
_florin() {
  local -a found
  found=("\${(@f)$(florin completion words "\${(@)words[2,CURRENT-1]}" 2>/dev/null)}")
  compadd -a found
}
compdef _florin florin
`,
  fish: `complete -c florin -f -a '(florin completion words (commandline -opc)[2..] 2>/dev/null)'
`,
}

/** The name of the command that prints the script of a shell, and what the scripts call. */
export const COMPLETION: CommandUsage = {
  name: 'completion',
  about: 'Print what makes a shell complete the words of florin: bash, zsh or fish.',
  takes: ['shell'],
}

/** Fails with a UsageError for a shell that is not known. */
export function completionFor(
  [shell = '', ...words]: readonly string[],
  commands: readonly CommandUsage[],
): string {
  if (shell === 'words')
    return nextWords(commands, words)
      .map((word) => `${word}\n`)
      .join('')
  const script = Object.entries(SHELLS).find(([name]) => name === shell)?.[1]
  if (script === undefined) throw new UsageError(`Give one of ${Object.keys(SHELLS).join(', ')}.`)
  return script
}

/** What may follow these words: the next word of a name, the options of a command, or the values of an option. */
function nextWords(commands: readonly CommandUsage[], words: readonly string[]): string[] {
  const further = commands
    .map(({ name }) => name.split(' '))
    .filter((name) => name.length > words.length && words.every((word, n) => name[n] === word))
    .flatMap((name) => name[words.length] ?? [])
  const options = findCommand(commands, words)?.options
  if (!options) return [...new Set(further)].toSorted()
  const values = options[words.at(-1)?.replace(/^--/, '') ?? '']?.value
  if (values?.includes('|')) return values.split('|')
  const names = [...Object.keys(options), ...Object.keys(GLOBAL_OPTIONS)]
  return [...new Set([...further, ...names.map((name) => `--${name}`)])].toSorted()
}
