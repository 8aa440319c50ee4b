import { parseArgs, type ParseArgsConfig } from 'node:util'
import { unstorableValues } from '../../infra/http/input/unstorable-values.ts'
import { suggest } from './suggest.ts'
import { UsageError, type CommandUsage, type Input, type Option } from '../command.ts'

/** The command with the longest name that the arguments begin with. */
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

/** The options of every command. */
export const GLOBAL_OPTIONS = {
  json: { type: 'boolean' },
  help: { type: 'boolean' },
  'token-file': { type: 'string' },
} as const

export type GlobalOptions = Readonly<{ json: boolean; help: boolean; tokenFile?: string }>

/** Parsed before the other options, because the caller is identified before its input is checked (OPER-4). */
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

/** Rewrites `--flag=true` and `--switch` without a value, which `parseArgs` of Node refuses. */
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

/** Fails: UsageError, for unknown options and as mustMatchUsage. */
export function parseCommandLine(command: CommandUsage, args: readonly string[]): Input {
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
    throw new UsageError(usageMessage((error as Error).message, Object.keys(options)))
  }
  const values = parsed.values as Record<string, string | string[] | boolean | undefined>
  const input: Input = {
    args: parsed.positionals,
    option: (name) => values[name] as string | undefined,
    options: (name) => [values[name] ?? []].flat() as string[],
    flag: (name) => values[name] === true,
  }
  mustMatchUsage(command, input)
  return input
}

/** Suggests the nearest option for an unknown one; the message of Node explains other uses of `--` instead. */
function usageMessage(message: string, options: readonly string[]): string {
  const unknown = /^Unknown option '([^']+)'/.exec(message)?.[1]
  if (unknown === undefined) return message
  const names = [...options, ...Object.keys(GLOBAL_OPTIONS)]
  const meant = suggest(names, unknown.replace(/^-+/, ''))
  return `There is no option ${unknown}.${meant ? ` Did you mean --${meant}?` : ''}`
}

export type Values = Readonly<Record<string, string | readonly string[] | boolean | undefined>>

export type Call = Readonly<{ args?: readonly string[]; options?: Values }>

/** The input of a command from another caller than the command line; checked like that of the command line. */
export function inputFor(command: CommandUsage, { args = [], options = {} }: Call): Input {
  const input: Input = {
    args,
    option: (name) => textsIn(options[name])[0],
    options: (name) => textsIn(options[name]),
    flag: (name) => options[name] === true,
  }
  mustMatchUsage(command, input)
  return input
}

/** A switch without its value is on, as on the command line. */
const textsIn = (value: Values[string]): readonly string[] =>
  value === true ? ['on'] : [value ?? []].flat().filter((one) => typeof one === 'string')

/** Fails: UsageError, for missing options, wrong arguments and values that cannot be stored. */
function mustMatchUsage(command: CommandUsage, input: Input): void {
  const { options = {}, takes = [], mayOmitArguments = false } = command
  const missing = Object.entries(options)
    .filter(([name, { required }]) => required && input.options(name).length === 0)
    .map(([name]) => `--${name}`)
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.join(', ')}.`)
  const isOmitted = mayOmitArguments && input.args.length === 0
  if (input.args.length !== takes.length && !isOmitted) {
    const expected = takes.length === 0 ? 'no words' : takes.join(' ')
    throw new UsageError(`Expected ${expected}, got: ${input.args.join(' ') || 'none'}.`)
  }
  const named = [
    ...takes.map((name, at) => [name, input.args[at]]),
    ...Object.keys(options).map((name) => [`--${name}`, input.options(name).join()]),
  ]
  const [unstorable] = unstorableValues(Object.fromEntries(named))
  if (unstorable) throw new UsageError(`${unstorable.field} ${unstorable.message}.`)
}
