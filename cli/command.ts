/** What the commands for users of the API are made of. They know the service by its API alone. */

export type Input = Readonly<{
  /** Arguments after the command's name. */
  args: readonly string[]
  option(name: string): string | undefined
  flag(name: string): boolean
}>

/** Where a command runs: its surroundings, its output, and when to end. */
export type Context = Readonly<{
  env: Readonly<Record<string, string | undefined>>
  stdin: NodeJS.ReadStream
  print(text: string): void
  complain(text: string): void
  /** With `--json`, lines of JSON are printed. */
  isJson: boolean
  /** Aborted when the user ends a command that would go on. */
  signal: AbortSignal
}>

/** Answers what is shown at the end, where it has not printed everything already. */
export type Run = (input: Input, context: Context) => Promise<unknown>

/** What the user did wrong, in one line. */
export class CallError extends Error {
  override readonly name = 'CallError'
}

/** How many to print before the command ends; unlimited without the option. */
export function limitOf(input: Input): number {
  const text = input.option('limit')
  if (text === undefined) return Infinity
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new CallError('--limit is a whole number from 1.')
  return Number(text)
}
