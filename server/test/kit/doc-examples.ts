import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export const ROOT = join(import.meta.dirname, '../../..')

/** Where the service is in the texts. */
export const PRINTED_ORIGIN = 'http://127.0.0.1:8080'

export type Page = Readonly<{
  /** Shell blocks that are marked as examples, by name, in the order of the page. */
  examples: ReadonlyMap<string, string>
  /** Blocks that the reader is told to save, by file name. */
  files: ReadonlyMap<string, string>
  /** Queries for the operator's eyes, by name. */
  queries: ReadonlyMap<string, string>
  /** How many shell blocks there are, marked or not. */
  shellBlocks: number
}>

export async function readPage(path: string): Promise<Page> {
  const text = await readFile(join(ROOT, path), 'utf8')
  const marked = (mark: string, language: string) => {
    const form = `<!-- ${mark}: ([\\w.-]+) -->\\n+\`\`\`${language}\\n(.*?)\`\`\``
    const blocks = text.matchAll(new RegExp(form, 'gs'))
    return new Map([...blocks].map(([, name = '', code = '']) => [name, code]))
  }
  return {
    examples: marked('example', 'sh'),
    files: marked('file', 'js'),
    queries: marked('query', 'sql'),
    shellBlocks: text.match(/^```sh$/gm)?.length ?? 0,
  }
}

export type Surroundings = Readonly<{
  /** Address of the service, without the version. */
  origin: string
  env: Readonly<Record<string, string>>
  /** What else stands for something here: as printed → as it is. */
  replaced?: Readonly<Record<string, string>>
}>

const MARK = '=== example '

/**
 * Runs blocks as a reader would, one after the other in one shell at the root of the repository; what each printed,
 * by name. The first command that fails ends it.
 */
export async function runExamples(
  examples: ReadonlyMap<string, string>,
  { origin, env, replaced = {} }: Surroundings,
): Promise<ReadonlyMap<string, string>> {
  const blocks = [...examples].map(([name, code]) => `printf '\\n${MARK}${name}\\n'\n${code}`)
  // Whatever a block left running ends with the shell.
  const head = ['set -euo pipefail', `trap 'kill $(jobs -p) 2>/dev/null || true' EXIT`]
  let script = [...head, ...blocks].join('\n').replaceAll(PRINTED_ORIGIN, origin)
  for (const [printed, real] of Object.entries(replaced)) {
    script = script.replaceAll(printed, real)
  }
  const { stdout } = await run('bash', ['-c', script], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  })
  const parts = stdout.split(`\n${MARK}`).slice(1)
  return new Map(
    parts.map((part) => {
      const [name = '', ...lines] = part.split('\n')
      return [name, lines.join('\n')]
    }),
  )
}
