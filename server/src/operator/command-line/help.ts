import type { CommandUsage, Option } from '../command.ts'

const usageOf = ({ name, takes = [], options = {} }: CommandUsage): string => {
  const required = Object.entries(options)
    .filter(([, option]) => option.required)
    .map(([option, { value = 'VALUE' }]) => `--${option} ${value}`)
  return ['florin', name, ...takes.map((word) => `<${word}>`), ...required].join(' ')
}

/** All commands in the order of the alphabet; of one group, where the first word names one. */
export function helpOfAll(
  commands: readonly CommandUsage[],
  forClients: readonly CommandUsage[],
  [group]: readonly string[] = [],
): string {
  const all = [...commands, ...forClients]
  const ofGroup = all.filter(({ name }) => name.split(' ')[0] === group)
  const shown = ofGroup.length > 0 ? ofGroup : all
  const width = Math.max(...shown.map(({ name }) => name.length))
  const linesOf = (some: readonly CommandUsage[]): string =>
    some
      .filter((command) => shown.includes(command))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, about }) => `  ${name.padEnd(width)}  ${firstSentence(about)}\n`)
      .join('')
  return `florin: the command of a Florin installation

Usage: florin <command> [words] [--options] [--json]

With --json JSON is printed; errors go to standard error with exit status 1.

For users of the API, with a client id and its secret (florin login):

${linesOf(forClients)}
For operators, beside a running service, on DATABASE_URL or on the embedded database in DATA_DIR:

${linesOf(commands)}
florin <command> --help tells more.
`
}

export function helpOf(command: CommandUsage): string {
  const options: [string, Option][] = Object.entries({
    ...command.options,
    json: { about: 'Print one JSON value.', flag: true },
    'token-file': { about: 'Your operator token; else FLORIN_OPERATOR_TOKEN.', value: 'FILE' },
  })
  const shown = options.map(([name, { about, value = 'VALUE', flag, required }]) => ({
    left: `--${name}${flag ? '' : ` ${value}`}`,
    right: `${about}${required ? ' Required.' : ''}`,
  }))
  const width = Math.max(...shown.map(({ left }) => left.length))
  const lines = shown.map(({ left, right }) => `  ${left.padEnd(width)}  ${right}`)
  return `${command.about}\n\nUsage: ${usageOf(command)} [options]\n\n${lines.join('\n')}\n`
}

const firstSentence = (text: string): string => /^.*?\.(?= [A-Z]|$)/.exec(text)?.[0] ?? text
