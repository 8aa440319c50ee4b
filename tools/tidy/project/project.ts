import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseCode, type CodeFile } from './code-file.ts'
import { isCode } from './places.ts'

/** The repository as the rules see it: every text by its path, and the code among them parsed. */
export type Project = Readonly<{
  texts: ReadonlyMap<string, string>
  code: ReadonlyMap<string, CodeFile>
}>

export function projectOf(texts: ReadonlyMap<string, string>): Project {
  const code = new Map<string, CodeFile>()
  for (const [path, text] of texts) if (isCode(path)) code.set(path, parseCode(path, text))
  return { texts, code }
}

export const readProject = (root: string): Project => projectOf(readTexts(root))

export function readTexts(root: string): Map<string, string> {
  const texts = new Map<string, string>()
  for (const path of listFiles(root).sort()) {
    const text = readText(join(root, path))
    if (text !== undefined) texts.set(path, text)
  }
  return texts
}

/** What is tracked or about to be; without git (an unpacked archive), what lies there. */
function listFiles(root: string): string[] {
  try {
    const listed = execFileSync(
      'git',
      ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z'],
      { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 26 },
    )
    return listed.split('\0').filter((path) => path !== '')
  } catch {
    return walk(root, '')
  }
}

const NOT_OURS = new Set(['node_modules', '.git', 'data', '.cache', '.env'])

function walk(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (NOT_OURS.has(entry.name)) return []
    return entry.isDirectory() ? walk(root, path) : [path]
  })
}

/** Undefined when the file is gone though still tracked; empty for pictures and other bytes. */
function readText(path: string): string | undefined {
  try {
    const bytes = readFileSync(path)
    return bytes.subarray(0, 8_000).includes(0) ? '' : bytes.toString('utf8')
  } catch {
    return undefined
  }
}
