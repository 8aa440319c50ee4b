import { Type, type Static, type TProperties, type TSchema } from '../infra/http/schema/type.ts'
import type { Deps } from '../infra/deps.ts'
import { readTextFile } from '../infra/files/text-file.ts'
import type { Settings } from '../infra/settings/settings.ts'
import type { Role } from '../kernel/access/operator.ts'
import type { Money } from '../kernel/money/money.ts'
import type { Environment } from '../kernel/platform.ts'

/** One option of a command: `--name value`, or `--name` alone for a flag. */
export type Option = Readonly<{
  about: string
  /** Shown in the help instead of VALUE. */
  value?: string
  required?: boolean
  flag?: boolean
  /** Takes on, off, true or false; alone it means on. */
  isSwitch?: boolean
  /** May be given several times. */
  repeatable?: boolean
  /** Names a file on the machine; only the command line takes it. */
  isPath?: boolean
  /** Shown only to the caller who entered it. */
  isSecret?: boolean
}>

export type Input = Readonly<{
  /** Arguments after the command's name. */
  args: readonly string[]
  option(name: string): string | undefined
  options(name: string): readonly string[]
  flag(name: string): boolean
  /** Contents of the files that options name, stored when the command was proposed (OPER-23). */
  contents?: Readonly<Record<string, string>>
}>

/** Whether a second operator has to agree always, or from an amount of FOUR_EYES_FROM on (OPER-22). */
export type FourEyes = 'always' | 'threshold'

/** Who may run a command, and whether a second operator has to agree (OPER-1). */
export type Access = Readonly<{
  /** Any one of them is enough; empty for commands of the machine's user only. */
  roles: readonly Role[]
  /** Further roles that an option needs. */
  rolesOfOption?: Readonly<Record<string, readonly Role[]>>
  /** Further roles that depend on the resource in the input. */
  rolesFor?(deps: Deps, input: Input): Promise<readonly Role[]>
  fourEyes?: FourEyes
  /** Replaces `fourEyes` where it depends on the input; locks the rows that it reads. */
  fourEyesFor?(deps: Deps, input: Input): Promise<FourEyes | undefined>
  /** The amount that the command moves; required for a threshold. */
  amountOf?(deps: Deps, input: Input): Promise<Money | undefined>
  /** The current state that the command acts on, locked; by default when its resource was last changed (OPER-23). */
  actsOn?(deps: Deps, input: Input): Promise<unknown>
  /** The environment that the command changes, where that is not the one of its audit entry (OPER-21). */
  environmentFor?(deps: Deps, input: Input): Promise<Environment>
  /** The command is about the whole installation; `unless --platform` where that option narrows it (OPER-3). */
  scope?: 'installation' | 'installation unless --platform'
  writes?: true
  /** Needs a sign-in of the last 15 minutes, as the options of `rolesOfOption` do (OPER-36). */
  needsFreshSignIn?: true
  /** Runs on the command line only. */
  isLocal?: true
}>

/** How a command is called, for the help and the command line. */
export type CommandUsage = Readonly<{
  name: string
  about: string
  /** Names of its arguments, as in the help. */
  takes?: readonly string[]
  /** An option may replace the arguments. */
  mayOmitArguments?: boolean
  options?: Readonly<Record<string, Option>>
}>

/** An entry of the generated command table; the path of the module is relative to `operator/`. */
export type CommandEntry = CommandUsage & Readonly<{ module: string }>

export type CommandHead = CommandUsage & Readonly<{ access: Access }>

/** Optional fields may also be undefined, because JSON leaves them out. */
export type Loose<T> = T extends readonly (infer E)[]
  ? readonly Loose<E>[]
  : T extends object
    ? {
        readonly [K in keyof T]: Record<never, never> extends Pick<T, K>
          ? Loose<T[K]> | undefined
          : Loose<T[K]>
      }
    : T

/**
 * A subcommand of `florin`. It answers one JSON value; a list of rows is shown as a table, an object as lines.
 * `ok: false` in it makes the exit status 1.
 */
export type Command<T = unknown> = CommandHead &
  Readonly<{
    /** Works on a database that is older than this build. */
    toleratesOldSchema?: boolean
    /** The schema of the answer. */
    answers: TSchema
    /** Over HTTP one request may hold many of it (OPER-63). */
    takesMany?: true
    /** Secret fields of the answer, which are shown once and not stored. */
    showsOnce?: readonly string[]
    /** The command whose answer this one returns: an approval returns that of the proposed command. */
    answersOf?(deps: Deps, input: Input): Promise<Command | undefined>
    /** For commands that cannot be tried in a transaction and rolled back: fails where `run` would refuse the input. */
    validate?(deps: Deps, input: Input): Promise<void>
    run(deps: Deps, input: Input): Promise<Loose<T>>
  }>

/** The answer of a command, as its callers get it. */
export type Answer<C> = C extends Command<infer T> ? T : never

export const defineCommand = <A extends TSchema>(
  command: Command<Static<A>> & Readonly<{ answers: A }>,
): Command<Static<A>> => command

/** The schema of an object in an answer, with every field that it may have. */
export const record = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

/** Runs a function on the database of the settings, without starting the servers. */
export type WithDeps = <T>(settings: Settings, body: (deps: Deps) => Promise<T>) => Promise<T>

/** One JSON value; amounts are bigint inside and whole numbers outside. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, inner: unknown) =>
    typeof inner === 'bigint' ? Number(inner) : inner,
  )

/** A command of the command line only, for files of this machine or another program; it opens a database only with `withDeps`. */
export type LocalCommand = CommandHead &
  Readonly<{
    runLocally(settings: Settings, input: Input, withDeps: WithDeps): Promise<unknown>
    /** Formats the answer for people, where lines of fields would be hard to read. */
    show?(answer: unknown): string
  }>

/** The command was called wrongly; the message says how, in one line. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The option as one of its allowed values; undefined where it is absent. Fails: UsageError. */
export function choiceOf<T extends string>(
  input: Input,
  name: string,
  values: readonly T[],
): T | undefined {
  const text = input.option(name)
  const value = values.find((one) => one === text)
  if (text !== undefined && value === undefined)
    throw new UsageError(`--${name} is one of ${values.join(', ')}.`)
  return value
}

/** The content of the file that an option names. Fails: FileError. */
export function fileIn(input: Input, name: string): Promise<string> {
  const content = input.contents?.[name]
  return content === undefined ? readTextFile(input.option(name) ?? '') : Promise.resolve(content)
}

/** The single argument of a command. Fails: UsageError. */
export function onlyArg({ args }: Input, name: string): string {
  const [value, ...rest] = args
  if (value === undefined || rest.length > 0) throw new UsageError(`Give one ${name}.`)
  return value
}

/** `service-bps` is `serviceBps` in a body. */
export const inCamelCase = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The answer as it is stored, without the fields that are shown once. */
export const withoutShownOnce = ({ showsOnce = [] }: Command, answer: unknown): unknown =>
  showsOnce.length === 0
    ? answer
    : Object.fromEntries(
        Object.entries(answer as object).filter(([name]) => !showsOnce.includes(name)),
      )
