import { parseArgs, type ParseArgsConfig } from 'node:util'
import { unstorableValues } from '../../infra/http/input/unstorable-values.ts'
import { suggest } from './suggest.ts'
import { UsageError, type CommandUsage, type Given, type Option } from '../command.ts'

/** The longest command name that the words begin with. */
export function findCommand<C extends CommandUsage>(
  commands: readonly C[],
  args: readonly string[],
): C | undefined {
  const matches = commands.filter(({ name }) => {
    const words = name.split(' ')
    return words.every((word, index) => args[index] === word)
  })
  return matches.toSorted((a, b) => b.name.length - a.name.length)[0]
}

const configOf = (options: Readonly<Record<string, Option>>): ParseArgsConfig['options'] => ({
  ...Object.fromEntries(
    Object.entries(options).map(([name, { flag, repeatable }]) => [
      name,
      flag
        ? { type: 'boolean' as const }
        : { type: 'string' as const, multiple: repeatable ?? false },
    ]),
  ),
  ...GLOBAL_OPTIONS,
})

/** What every command takes. */
export const GLOBAL_OPTIONS = {
  json: { type: 'boolean' },
  help: { type: 'boolean' },
  'token-file': { type: 'string' },
} as const

export type GlobalOptions = Readonly<{ json: boolean; help: boolean; tokenFile?: string }>

/** Read by themselves: who calls comes before what is given (OPER-4). */
export function globalOptions(args: readonly string[]): GlobalOptions {
  const { values } = parseArgs({ args: [...args], options: GLOBAL_OPTIONS, strict: false })
  const tokenFile = values['token-file']
  return {
    json: values.json === true,
    help: values.help === true,
    ...(typeof tokenFile === 'string' && { tokenFile }),
  }
}

const SWITCH_WORDS = ['on', 'off', 'true', 'false']

/** Node takes `--flag=true` and `--switch` alone for mistakes; an operator may mean them. */
function withPlainFlags(
  args: readonly string[],
  options: Readonly<Record<string, Option>>,
): string[] {
  return args.flatMap((arg, index) => {
    const isSwitch = options[arg.replace(/^--/, '')]?.isSwitch ?? false
    if (isSwitch && !SWITCH_WORDS.includes(args[index + 1] ?? '')) return [`${arg}=on`]
    const match = /^--([a-z-]+)=(true|false)$/.exec(arg)
    if (!match || !options[match[1] ?? '']?.flag) return [arg]
    return match[2] === 'true' ? [`--${match[1]}`] : []
  })
}

/** Fails with a UsageError, for what the command does not take or lacks. */
export function parseCommandLine(command: CommandUsage, args: readonly string[]): Given {
  const options = command.options ?? {}
  const rest = args.slice(command.name.split(' ').length)
  let parsed
  try {
    parsed = parseArgs({
      args: withPlainFlags(rest, options),
      options: configOf(options) ?? {},
      allowPositionals: true,
    })
  } catch (error) {
    throw new UsageError(whyRefused((error as Error).message, Object.keys(options)))
  }
  const values = parsed.values as Record<string, string | string[] | boolean | undefined>
  const given: Given = {
    words: parsed.positionals,
    text: (name) => values[name] as string | undefined,
    texts: (name) => [values[name] ?? []].flat() as string[],
    flag: (name) => values[name] === true,
  }
  demand(command, given)
  return given
}

/** An unknown option is named with the one that was likely meant, instead of what Node says of other uses of `--`. */
function whyRefused(message: string, options: readonly string[]): string {
  const unknown = /^Unknown option '([^']+)'/.exec(message)?.[1]
  if (unknown === undefined) return message
  const names = [...options, ...Object.keys(GLOBAL_OPTIONS)]
  const meant = suggest(names, unknown.replace(/^-+/, ''))
  return `There is no option ${unknown}.${meant ? ` Did you mean --${meant}?` : ''}`
}

export type Values = Readonly<Record<string, string | readonly string[] | boolean | undefined>>

export type Call = Readonly<{ words?: readonly string[]; options?: Values }>

/** What a caller other than the command line gives a command; held to the same demands. */
export function givenTo(command: CommandUsage, { words = [], options = {} }: Call): Given {
  const given: Given = {
    words,
    text: (name) => textsIn(options[name])[0],
    texts: (name) => textsIn(options[name]),
    flag: (name) => options[name] === true,
  }
  demand(command, given)
  return given
}

/** A switch without its value is on, as on the command line. */
const textsIn = (value: Values[string]): readonly string[] =>
  value === true ? ['on'] : [value ?? []].flat().filter((one) => typeof one === 'string')

function demand(command: CommandUsage, given: Given): void {
  const { options = {}, takes = [], mayOmitWords = false } = command
  const missing = Object.entries(options)
    .filter(([name, { required }]) => required && given.texts(name).length === 0)
    .map(([name]) => `--${name}`)
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.join(', ')}.`)
  const isOmitted = mayOmitWords && given.words.length === 0
  if (given.words.length !== takes.length && !isOmitted) {
    const asked = takes.length === 0 ? 'no words' : takes.join(' ')
    throw new UsageError(`Expected ${asked}, got: ${given.words.join(' ') || 'none'}.`)
  }
  const named = [
    ...takes.map((name, at) => [name, given.words[at]]),
    ...Object.keys(options).map((name) => [`--${name}`, given.texts(name).join()]),
  ]
  const [unstorable] = unstorableValues(Object.fromEntries(named))
  if (unstorable) throw new UsageError(`${unstorable.field} ${unstorable.message}.`)
}
