import type { Command, CommandHead, Input } from '../command.ts'
import { fileIn, inCamelCase } from '../command.ts'

/** The input of a command, as JSON. */
export type StoredInput = Readonly<{
  words: readonly string[]
  /** True for a flag. */
  options: Readonly<Record<string, true | readonly string[]>>
  contents: Readonly<Record<string, string>>
  /** The input as operators see it: as the body of a request, without secrets. */
  shown: Readonly<Record<string, unknown>>
}>

const HIDDEN = '•••'

const isGiven = (value: true | readonly string[]): boolean => value === true || value.length > 0

function shownOf(
  { takes = [], options: known = {} }: CommandHead,
  { words, options }: Pick<StoredInput, 'words' | 'options'>,
): StoredInput['shown'] {
  const named = takes.flatMap((name, at) => (words[at] === undefined ? [] : [[name, words[at]]]))
  const shownOptions = Object.entries(options).map(([name, value]) => {
    const { isSecret, repeatable } = known[name] ?? {}
    const shown = value === true || repeatable ? value : value[0]
    return [inCamelCase(name), isSecret ? HIDDEN : shown]
  })
  return Object.fromEntries([...named, ...shownOptions]) as StoredInput['shown']
}

/** Files are read when the command is proposed, so that their content is what gets approved. */
async function contentsOf({ options = {} }: CommandHead, input: Input) {
  const paths = Object.keys(options).filter(
    (name) => options[name]?.isPath && input.option(name) !== undefined,
  )
  const read = paths.map(async (name) => {
    // A word in place of a path, as `none`, has no content.
    const content = await fileIn(input, name).catch(() => undefined)
    return content === undefined ? [] : [[name, content] as const]
  })
  return Object.fromEntries((await Promise.all(read)).flat())
}

export async function storeInput(command: Command, input: Input): Promise<StoredInput> {
  const entries = Object.entries(command.options ?? {}).map(
    ([name, { flag }]) =>
      [name, flag ? input.flag(name) || [] : input.options(name)] as readonly [
        string,
        true | readonly string[],
      ],
  )
  const options = Object.fromEntries(entries.filter(([, value]) => isGiven(value)))
  const contents = await contentsOf(command, input)
  const stored = { words: input.args, options }
  return { ...stored, contents, shown: shownOf(command, stored) }
}

export function inputFromStored({ words, options, contents }: StoredInput): Input {
  const valuesOf = (name: string): readonly string[] => {
    const value = options[name] ?? []
    return value === true ? [] : value
  }
  return {
    args: words,
    options: valuesOf,
    option: (name) => valuesOf(name)[0],
    flag: (name) => options[name] === true,
    contents,
  }
}
