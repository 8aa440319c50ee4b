import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { commandsIn, type AnyCommand } from '../../server/src/operator/command-line/load-command.ts'
import { commands, localCommands } from '../../server/src/operator/commands.ts'

const FOLDER = 'server/src/operator'
/** The last one has all of them: for those that need the others. */
const PLACES = ['commands/**/!(*.test).ts', 'proposals/commands.ts', 'commands.ts']

/** How each command is called and the module that has it, so that `florin` loads only the one that it runs. */
export async function commandTable(root: string): Promise<string> {
  const modules = await modulesOf(root)
  const entries = [...commands, ...localCommands]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((command) => entryOf(command, modules))
  return `import type { CommandEntry } from '../../command.ts'

/** Made by \`npm run generate\` from the commands themselves. */
export const COMMANDS: readonly CommandEntry[] = ${JSON.stringify(entries)}
`
}

type Module = Readonly<{ path: string; has: readonly AnyCommand[] }>

async function modulesOf(root: string): Promise<Module[]> {
  const folder = join(root, FOLDER)
  const paths = await Promise.all(
    PLACES.map((place) => Array.fromAsync(glob(place, { cwd: folder }))),
  )
  return Promise.all(
    paths
      .flatMap((found) => found.toSorted())
      .map(async (path) => {
        const loaded = (await import(pathToFileURL(join(folder, path)).href)) as object
        return { path, has: commandsIn(loaded) }
      }),
  )
}

/** Of several modules that have it the one with the fewest, which loads the least beside it. */
function entryOf(command: AnyCommand, modules: readonly Module[]) {
  const { name, about, takes, mayOmitArguments, options } = command
  const [module] = modules
    .filter(({ has }) => has.includes(command))
    .toSorted((a, b) => a.has.length - b.has.length)
    .map(({ path }) => path)
  if (module === undefined) throw new Error(`no module exports the command ${name}`)
  return { name, about, takes, mayOmitArguments, options, module }
}
