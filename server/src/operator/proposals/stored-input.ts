import type { Command, CommandHead, Given } from '../command.ts'
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
  const given = Object.entries(options).map(([name, value]) => {
    const { isSecret, repeatable } = known[name] ?? {}
    const shown = value === true || repeatable ? value : value[0]
    return [inCamelCase(name), isSecret ? HIDDEN : shown]
  })
  return Object.fromEntries([...named, ...given]) as StoredInput['shown']
}

/** Files are read when the command is proposed, so that their content is what gets approved. */
async function contentsOf({ options = {} }: CommandHead, given: Given) {
  const paths = Object.keys(options).filter(
    (name) => options[name]?.isPath && given.text(name) !== undefined,
  )
  const read = paths.map(async (name) => {
    // A word in place of a path, as `none`, has no content.
    const content = await fileIn(given, name).catch(() => undefined)
    return content === undefined ? [] : [[name, content] as const]
  })
  return Object.fromEntries((await Promise.all(read)).flat())
}

export async function storeInput(command: Command, given: Given): Promise<StoredInput> {
  const entries = Object.entries(command.options ?? {}).map(
    ([name, { flag }]) =>
      [name, flag ? given.flag(name) || [] : given.texts(name)] as readonly [
        string,
        true | readonly string[],
      ],
  )
  const options = Object.fromEntries(entries.filter(([, value]) => isGiven(value)))
  const { words } = given
  const contents = await contentsOf(command, given)
  return { words, options, contents, shown: shownOf(command, { words, options }) }
}

export function givenFrom({ words, options, contents }: StoredInput): Given {
  const texts = (name: string): readonly string[] => {
    const value = options[name] ?? []
    return value === true ? [] : value
  }
  return {
    words,
    texts,
    text: (name) => texts(name)[0],
    flag: (name) => options[name] === true,
    contents,
  }
}
