import type { Static, TProperties, TSchema } from 'typebox'
import { Type } from '../infra/http/schema/type.ts'
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
  /** Never shown to others than who gave it. */
  isSecret?: boolean
}>

export type Given = Readonly<{
  /** Words after the command's name. */
  words: readonly string[]
  text(name: string): string | undefined
  texts(name: string): readonly string[]
  flag(name: string): boolean
  /** What the files held that options name, where the command was given before it is run (OPER-23). */
  contents?: Readonly<Record<string, string>>
}>

/** Always, or from FOUR_EYES_FROM on (OPER-22). */
export type FourEyes = 'always' | 'threshold'

/** Who may run a command, and whether a second operator has to agree (OPER-1). */
export type Access = Readonly<{
  /** Any one of them is enough; empty for what only a user of the machine does. */
  roles: readonly Role[]
  /** Roles that one of its options needs. */
  rolesOfOption?: Readonly<Record<string, readonly Role[]>>
  /** Roles that this input needs, where that depends on what it names. */
  rolesFor?(deps: Deps, given: Given): Promise<readonly Role[]>
  fourEyes?: FourEyes
  /** What this input needs, where it differs from `fourEyes`; locks what that depends on. */
  fourEyesFor?(deps: Deps, given: Given): Promise<FourEyes | undefined>
  /** What it moves; every command with a threshold says so. */
  amountOf?(deps: Deps, given: Given): Promise<Money | undefined>
  /** What it acts on, as that stands now, under lock; unless said otherwise when its resource was last changed (OPER-23). */
  actsOn?(deps: Deps, given: Given): Promise<unknown>
  /** Whose platforms it changes, where its audit entry lies with another environment (OPER-21). */
  environmentFor?(deps: Deps, given: Given): Promise<Environment>
  /** About the installation as a whole; `unless --platform` where that option narrows it (OPER-3). */
  scope?: 'installation' | 'installation unless --platform'
  writes?: true
  /** A session proves who it is again after 15 minutes, as it does for the options of `rolesOfOption` (OPER-36). */
  needsFreshSignIn?: true
  /** Only as a command on the machine. */
  isLocal?: true
}>

/** How a command is called, for the help and the command line. */
export type CommandUsage = Readonly<{
  name: string
  about: string
  /** Names of the words it takes, as in the help. */
  takes?: readonly string[]
  /** An option can stand in for the words. */
  mayOmitWords?: boolean
  options?: Readonly<Record<string, Option>>
}>

/** A line of the table that `npm run generate` makes of all commands; the module is named relative to `operator/`. */
export type CommandEntry = CommandUsage & Readonly<{ module: string }>

export type CommandHead = CommandUsage & Readonly<{ access: Access }>

/** What JSON leaves out may be undefined before. */
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
    /** It works on a database that is older than this build. */
    toleratesOldSchema?: boolean
    /** The schema of what it answers. */
    answers: TSchema
    /** Over HTTP many of it may come in one request (OPER-63). */
    takesMany?: true
    /** Fields of the answer that are shown this once. */
    showsOnce?: readonly string[]
    /** Whose answer it gives, where that is another command's: of an approval what was proposed. */
    answersOf?(deps: Deps, given: Given): Promise<Command | undefined>
    /** For what cannot be tried and undone, nor run in one transaction: fails where `run` would refuse the input. */
    validate?(deps: Deps, given: Given): Promise<void>
    run(deps: Deps, given: Given): Promise<Loose<T>>
  }>

/** What a command answers, as its callers get it. */
export type Answer<C> = C extends Command<infer T> ? T : never

export const defineCommand = <A extends TSchema>(
  command: Command<Static<A>> & Readonly<{ answers: A }>,
): Command<Static<A>> => command

/** An object of an answer, with every field that it may have. */
export const record = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

/** Runs something on the database that the settings name, without serving anything. */
export type WithDeps = <T>(settings: Settings, body: (deps: Deps) => Promise<T>) => Promise<T>

/** One JSON value; amounts are bigint inside and whole numbers outside. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, inner: unknown) =>
    typeof inner === 'bigint' ? Number(inner) : inner,
  )

/** A command that opens no database by itself: about files on this machine, or another program. Only the command line has it. */
export type LocalCommand = CommandHead &
  Readonly<{
    runLocally(settings: Settings, given: Given, withDeps: WithDeps): Promise<unknown>
    /** For people, where lines of fields would be hard to read. */
    show?(answer: unknown): string
  }>

/** The command was called wrongly; the message says how, in one line. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The option, where it is given, as one of the values that it can take. */
export function choiceOf<T extends string>(
  given: Given,
  name: string,
  values: readonly T[],
): T | undefined {
  const text = given.text(name)
  const found = values.find((value) => value === text)
  if (text !== undefined && found === undefined)
    throw new UsageError(`--${name} is one of ${values.join(', ')}.`)
  return found
}

/** The text of the file that an option names. Fails: FileError. */
export function fileIn(given: Given, name: string): Promise<string> {
  const content = given.contents?.[name]
  return content === undefined ? readTextFile(given.text(name) ?? '') : Promise.resolve(content)
}

/** The one word a command takes. */
export function onlyWord({ words }: Given, name: string): string {
  const [word, ...rest] = words
  if (word === undefined || rest.length > 0) throw new UsageError(`Give one ${name}.`)
  return word
}

/** `service-bps` is `serviceBps` in a body. */
export const inCamelCase = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** An answer as it is kept: without what is shown once. */
export const withoutShownOnce = ({ showsOnce = [] }: Command, answer: unknown): unknown =>
  showsOnce.length === 0
    ? answer
    : Object.fromEntries(
        Object.entries(answer as object).filter(([name]) => !showsOnce.includes(name)),
      )
